"""Data of figures 1 to 8: classes of jobs, shares, users, complaints and tolerance."""

import numpy as np
import pytest

from plans_case import evidence
from schedlab.studies.klusacek2016 import figure_data

HOUR = 3600
DAY = 24 * HOUR


def test_bars_are_means_over_seeds_with_the_spread_of_jobs_and_seeds():
    one = evidence([100, 300], [0, 200], [0, 600], row={"users": "reacting"})
    orig, plan, used, _ = (
        figure_data.bars([one], ["wait", "utilisation"])
        .sort_values(["measure", "scheduler"], ascending=[False, True], kind="stable")
        .to_dict("records")
    )
    assert {key: orig[key] for key in ("users", "scheduler", "measure", "value", "spread")} == {
        "users": "reacting", "scheduler": "Orig-BF", "measure": "wait", "value": 200, "spread": 100,
    }  # fmt: skip
    assert np.isnan(orig["over_seeds"])
    assert (plan["scheduler"], plan["value"], plan["spread"]) == ("Plan-RS", 200, 200)
    # of 100 and 300, with one degree of freedom less
    assert plan["over_seeds"] == pytest.approx(np.sqrt(2 * 100**2))
    assert (used["measure"], np.isnan(used["spread"])) == ("utilisation", True)


def test_bars_are_in_the_order_of_the_experiments():
    logs = [evidence([1], [2], row={"users": users}) for users in ("recorded", "reacting")]
    table = figure_data.bars(logs, ["wait"])
    assert table["users"].tolist() == ["recorded"] * 2 + ["reacting"] * 2
    assert table["value"].tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("procs", "name"),
    [
        (1, "1"), (2, "2"), (3, "3–4"), (4, "3–4"), (5, "5–8"), (8, "5–8"), (9, "9–16"),
        (16, "9–16"), (17, "17–32"), (32, "17–32"), (33, "33–64"), (64, "33–64"), (65, "> 64"),
    ],
)  # fmt: skip
def test_classes_of_processors_have_their_upper_end_in_them(procs, name):
    table = figure_data.by_class(evidence([HOUR], [0], procs=procs))
    assert table.loc[table["by"] == "processors", "class"].tolist() == [name] * 2


@pytest.mark.parametrize(
    ("requested", "name"),
    [
        (1, "≤ 1 h"), (HOUR, "≤ 1 h"), (HOUR + 1, "1–2 h"), (2 * HOUR, "1–2 h"),
        (2 * HOUR + 1, "2–4 h"), (4 * HOUR + 1, "4–12 h"), (12 * HOUR, "4–12 h"),
        (12 * HOUR + 1, "12–24 h"), (DAY, "12–24 h"), (DAY + 1, "1–2 d"), (2 * DAY, "1–2 d"),
        (2 * DAY + 1, "2–7 d"), (7 * DAY, "2–7 d"), (7 * DAY + 1, "> 7 d"),
    ],
)  # fmt: skip
def test_classes_of_requested_time_have_their_upper_end_in_them(requested, name):
    table = figure_data.by_class(evidence([HOUR], [0], requested=requested))
    assert table.loc[table["by"] == "walltime", "class"].tolist() == [name] * 2


def test_a_class_has_the_mean_wait_of_its_jobs_over_the_seeds():
    """One processor: 1 and 3 h; then 0 and 2, and 4 and 6. Two: 5 h; then 1 and 3. None of more."""
    waits = [np.array(hours) * HOUR for hours in ([1, 5, 3], [0, 1, 2], [4, 3, 6])]
    table = figure_data.by_class(evidence(*waits, procs=[1, 2, 1]))
    own = table[table["by"] == "processors"].drop(columns="by")
    assert own.to_numpy().tolist() == [
        ["1", 2, "Orig-BF", 2.0],
        ["2", 1, "Orig-BF", 5.0],
        ["1", 2, "Plan-RS", 3.0],
        ["2", 1, "Plan-RS", 2.0],
    ]


def shares(table, scheduler, *values):
    """Shares at the values that are nearest to these."""
    own = table[table["scheduler"] == scheduler]
    return [own["share"].iloc[(own["value"] - value).abs().argmin()] for value in values]


def test_shares_of_jobs_are_at_or_below_a_wait():
    """A minute is the first value above 0, and 1000 h the last."""
    one = evidence([0, 60, 61, 3_600_001], [0, 0, 0, 60], [0, 61, 61, 61])
    table = figure_data.cumulative(one, "wait")
    assert shares(table, "Orig-BF", 0, 1 / 60, 1, 1000) == [0.25, 0.5, 0.75, 0.75]
    assert shares(table, "Plan-RS", 0, 1 / 60, 1) == [0.5, 0.625, 1]
    assert table["value"].max() == pytest.approx(1000)
    assert len(table) == 2 * len(figure_data.WAIT_HOURS)


def test_shares_of_users_are_at_or_below_a_nuwt():
    one = evidence([0, 100, 0, 50], [0] * 4, user=[1, 1, 2, 3])
    table = figure_data.cumulative(one, "nuwt")
    # 100 s for 200, nothing, 50 s for 100
    assert shares(table, "Orig-BF", 0, 0.4, 0.6) == pytest.approx([1 / 3, 1 / 3, 1])
    assert shares(table, "Plan-RS", 0) == [1]
    assert len(table) == 2 * len(figure_data.NUWT_VALUES)


def test_users_are_sorted_by_their_value_under_orig_bf():
    """Of equal ones those with more under Plan-RS first, then as they are numbered."""
    one = evidence([10, 30, 10, 10], [0, 0, 10, 0], [0, 0, 30, 0], user=[4, 9, 5, 3])
    table = figure_data.by_user(one, "nuwt")
    assert table.to_numpy().tolist() == [[9, 0.3, 0], [5, 0.1, 0.2], [3, 0.1, 0], [4, 0.1, 0]]
    assert list(table) == ["user", "Orig-BF", "Plan-RS"]


def test_users_without_complaints_or_started_jobs_have_a_count_of_zero():
    one = evidence([101, 0, -1], [300, 101, -1], [300, 0, -1])
    table = figure_data.by_user(one, "complaints")
    assert table.to_numpy().tolist() == [[1, 1, 1], [2, 0, 0.5], [3, 0, 0]]


def test_complaints_are_sorted_by_size_and_are_of_the_first_seed():
    """A user puts up with 100 s."""
    one = evidence([150, 400, 0], [0, 0, 250], [999, 999, 999])
    assert figure_data.complaint_sizes(one).to_numpy().tolist() == [
        ["Orig-BF", 1, 4.0],
        ["Orig-BF", 2, 1.5],
        ["Plan-RS", 1, 2.5],
    ]


def test_no_complaints_give_an_empty_table():
    assert figure_data.complaint_sizes(evidence([0], [0])).empty


def test_tolerance_grows_with_processors_and_steps_with_the_divisor():
    table = figure_data.tolerance()
    assert table["processors"].unique().tolist() == [2**power for power in range(9)]
    one = table[table["processors"] == 1].set_index("walltime")["acceptable"]
    # at 3 h half of it, but 3 at least; at 7, 24 and 168 h a third, a quarter and a fifth
    assert one[[3, 7, 24, 168]].tolist() == pytest.approx([3, 3.5, 8, 42])
    two = table[table["processors"] == 2].set_index("walltime")["acceptable"]
    assert (two / one).to_numpy() == pytest.approx(np.log(2) + 1)
    assert one.is_monotonic_increasing
    assert (one.index.min(), one.index.max()) == (0.25, 744)
