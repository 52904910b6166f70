"""The arena's figures and the notes below them."""

import pandas as pd
import pytest

from schedlab.comparison.schedulers import labels_of
from schedlab.comparison.standing import compare_by_metric
from schedlab.core.metrics import METRICS
from schedlab.studies.arena.figures import (
    best_ranks,
    draw_guards,
    draw_ranks,
    ranks_drawn,
    unranked,
    within_bound,
)
from schedlab.studies.arena.guards import GUARDED


def ratios_with(**logs):
    """Ratios to EASY by scheduler and log."""
    rows = [
        {"experiment": log, "scheduler": name, "window": window, "jobs": 3}
        | dict.fromkeys(METRICS, value * factor)
        for log, own in logs.items()
        for name, factor in own.items()
        for window, value in enumerate([2.0, 4.0, 3.0], start=1)
    ]
    return compare_by_metric(pd.DataFrame(rows), "wait")


PARTLY = {"a": {"fcfs": 1.0, "saf": 0.5, "easy_pp": 0.4}, "b": {"fcfs": 1.0, "saf": 0.5}}


def setting_of(figure):
    """What is written below the title."""
    return " ".join(figure.artists[0].get_text().split())


def test_schedulers_without_a_rank_are_named_below_the_plot():
    found = ratios_with(**PARTLY)
    assert unranked(found) == ["EASY++"]
    figure = draw_ranks(found, ranks_drawn(found))
    (axes,) = figure.axes
    assert "Not ranked (not run on every log): EASY++." in setting_of(figure)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["SAF", "EASY"]


def test_no_scheduler_is_named_below_the_plot_if_all_are_ranked():
    found = ratios_with(a=PARTLY["a"])
    assert "ranked" not in setting_of(draw_ranks(found, ranks_drawn(found)))


def test_ranks_are_from_the_first_to_the_last():
    """Bars of three windows are longer than all ranks together."""
    found = ratios_with(a=PARTLY["a"])
    drawn = ranks_drawn(found)
    assert drawn["rank"].tolist() == [1, 2, 3]
    assert found.difference / 2 == pytest.approx(0.957, abs=0.001)
    assert drawn["low"].tolist() == pytest.approx([1, 1.043, 2.043], abs=0.001)
    assert drawn["high"].tolist() == pytest.approx([1.957, 2.957, 3], abs=0.001)
    (axes,) = draw_ranks(found, drawn).axes
    assert axes.get_xlim() == pytest.approx((0.5, 3.5))


@pytest.mark.slow
def test_each_guarded_scheduler_has_a_panel_with_both_guards():
    rows = [
        {"scheduler": label, "guard": guard, "days": days, "wait": 0.8, "bsld": 0.7}
        | {"p999_wait": 1.0, "max_wait": 1.1, "worst_max_wait": 1.5}
        for label in labels_of(list(GUARDED)).values()
        for guard, days in (("none", None), ("threshold", 2.0), ("age", 0.5))
    ]
    figure = draw_guards(pd.DataFrame(rows), 3)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == list(labels_of(list(GUARDED)).values())
    assert all(len(axes.lines) == 7 for axes in figure.axes)


def ranks_of(*ranks):
    table = pd.DataFrame({"scheduler": ["SAF", "SPF", "EASY"], "rank": ranks})
    return table.assign(low=table["rank"] - 0.5, high=table["rank"] + 0.5)


@pytest.mark.parametrize(
    ("ranks", "title"),
    [
        ((1.0, 2.0, 3.0), "SAF has the best mean rank by mean wait (1.0); 1 of the other 2 "
         "schedulers is indistinguishable"),
        ((1.0, 2.01, 3.0), "SAF has the best mean rank by mean wait (1.0); 0 of the other 2 "
         "schedulers are indistinguishable"),
        ((1.0, 1.04, 3.0), "SAF and SPF have the best mean rank by mean wait (1.0); 0 of the "
         "other 1 scheduler are indistinguishable"),
        ((1.0, 1.06, 3.0), "SAF has the best mean rank by mean wait (1.0); 1 of the other 2 "
         "schedulers is indistinguishable"),
    ],
)  # fmt: skip
def test_title_names_ties_and_counts_schedulers_whose_bars_overlap(ranks, title):
    assert best_ranks(ranks_of(*ranks), "mean wait") == title


@pytest.mark.parametrize(("longest", "count"), [(3.0, 1), (3.01, 0)])
def test_title_of_guards_counts_longest_waits_up_to_the_bound(longest, count):
    rows = [("SAF", "none", None, 9.0), ("SAF", "threshold", 2.0, longest)]
    rows += [("SAF", "threshold", 5.0, 1.0), ("SAF", "age", 0.5, 3.0)]
    guards = pd.DataFrame(rows, columns=["scheduler", "guard", "days", "worst_max_wait"])
    assert within_bound(guards, 3) == (
        "Longest waits are at most 3 times EASY’s for 0 of 1 scheduler without a guard, "
        f"{count} with a threshold and 1 with age"
    )
