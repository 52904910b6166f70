"""Claims about single runs of chapter 6: scatter, fronts, correlations and a schedule over time."""

import numpy as np
import pandas as pd
import pytest

from chapter6_case import example, shift
from claim_case import claim_of, claims_of
from schedlab.studies.kellari2025 import statistics
from schedlab.studies.kellari2025.tables.chapter6 import SCHEDULERS

CLAIMS = claims_of("kellari2025")


def claim(start):
    """Return the claim whose words begin so."""
    return claim_of("kellari2025", start)


def scattered(**deviations):
    """Two runs of each scheduler whose job speedups have a deviation, by default 0.5."""
    rows = [
        (scheduler, step, 1 + step * deviations.get(scheduler.replace("-", "_"), 0.5) * np.sqrt(2))
        for scheduler in SCHEDULERS
        for step in (0, 1)
    ]
    return pd.DataFrame(rows, columns=["scheduler", "workload", "job_speedup"])


STILL = dict.fromkeys(("SJF", "LJF", "FCFS", "EASY", "Conservative"), 0.0)


@pytest.mark.parametrize(
    ("deviations", "words", "holds"),
    [
        ({"EASY_Co": 0.1, "Filler": 0.2}, "EASY-Co 0.1000, Filler 0.2000", True),
        ({"EASY_Co": 0.2, "Filler": 0.1}, "Filler 0.1000, EASY-Co 0.2000", True),
        ({"EASY_Co": 0.3, "Filler": 0.1, "LJF_Co": 0.2}, "Filler 0.1000, LJF-Co 0.2000", False),
    ],
)  # fmt: skip
def test_easy_co_scatters_least_or_next_to_it_of_those_that_share(deviations, words, holds):
    """Those that do not share do not scatter at all, and are not asked."""
    found = claim("EASY-Co's mean job speedup").test(
        statistics.Runs.of(scattered(**STILL, **deviations))
    )
    assert found == (words, holds)


@pytest.mark.parametrize(
    ("deviations", "words", "holds"),
    [
        ({"SJF_Filler": 0.7, "Pop_Filler": 0.6}, "SJF-Filler 0.7000, Pop-Filler 0.6000", True),
        ({"SJF_Filler": 0.6, "Pop_Filler": 0.7}, "Pop-Filler 0.7000, SJF-Filler 0.6000", True),
        ({"SJF_Filler": 0.8, "Filler": 0.7, "Pop_Filler": 0.6},
         "SJF-Filler 0.8000, Filler 0.7000", False),
    ],
)  # fmt: skip
def test_two_fillers_scatter_most(deviations, words, holds):
    assert claim("mean job speedup varies most").test(
        statistics.Runs.of(scattered(**deviations))
    ) == (
        words,
        holds,
    )


def points(*rows, x, y):
    found = pd.DataFrame(rows, columns=["scheduler", x, y])
    return found.assign(workload=found.groupby("scheduler").cumcount())


@pytest.mark.parametrize(
    ("own", "words", "holds"),
    [
        (3, "SJF-Filler 3, SJF 2", True),
        (2, "SJF 2, SJF-Filler 2", False),
        (0, "SJF 2", False),
    ],
)
def test_scheduler_with_more_than_half_of_the_front_dominates_it(own, words, holds):
    """A slower workload of SJF with less speedup is behind the front, and does not count."""
    rows = [("SJF-Filler", 1.0 + place, 1.0 + place) for place in range(own)]
    rows += [("SJF", 10.0, 10.0), ("SJF", 11.0, 11.0), ("SJF", 12.0, 10.5)]
    runs = points(*rows, x="slowdown", y="makespan_speedup")
    found = claim("SJF-Filler dominates the front").test(statistics.Runs.of(runs))
    assert found == (f"points on the front: {words}", holds)


@pytest.mark.parametrize("others", [[], [("LJF", 2.0, 2.0)]])
@pytest.mark.parametrize(("behind", "holds"), [(False, True), (True, False)])
def test_three_schedulers_are_on_the_front_alone_or_with_others(behind, holds, others):
    """Slowed jobs rise with the speedup; one that has as many and less speedup is behind it."""
    rows = [("Popularity", 1.0, 1.0), *others, ("SJF-Filler", 3.0, 3.0)]
    rows += [("Pop-Filler", 3.0, 2.5) if behind else ("Pop-Filler", 4.0, 4.0)]
    runs = points(*rows, x="slowed", y="makespan_speedup")
    assert (
        claim("SJF-Filler, Pop-Filler and Popularity are").test(statistics.Runs.of(runs))[1]
        is holds
    )


@pytest.mark.parametrize(
    ("rows", "words", "holds"),
    [
        ([("SJF", 1.0, 1.0), ("LJF", 2.0, 2.0)], "SJF 1", True),
        ([("SJF", 1.0, 2.0), ("SJF", 2.0, 1.0)], "SJF 2", False),
        ([("SJF", 1.0, 2.0), ("LJF", 2.0, 1.0)], "SJF 1, LJF 1", False),
        ([("LJF", 1.0, 1.0), ("SJF", 2.0, 2.0)], "LJF 1", False),
    ],
)
def test_one_point_of_sjf_is_a_front_where_no_other_is_better_in_either(rows, words, holds):
    runs = points(*rows, x="slowdown", y="slowed")
    found = claim("the front of mean slowdown and slowed jobs").test(statistics.Runs.of(runs))
    assert found == (f"points on the front: {words}", holds)


@pytest.mark.parametrize(
    ("start", "pair", "inside", "outside"),
    [
        ("makespan speedup and utilization", ("makespan_speedup", "utilisation"), 0.6, 0.59),
        ("makespan speedup and mean slowdown", ("makespan_speedup", "slowdown"), -0.1, 0.11),
        ("makespan speedup and mean slowdown", ("makespan_speedup", "slowdown"), 0.1, -0.11),
        ("mean job speedup and the", ("job_speedup", "slowed"), 0.6, 0.59),
        ("utilization is not", ("utilisation", "job_speedup"), -0.59, 0.6),
        ("utilization is not", ("utilisation", "job_speedup"), 0.59, -0.6),
    ],
)
def test_correlation_claim_needs_both_coefficients(monkeypatch, start, pair, inside, outside):
    """The other pairs' coefficients are not looked at."""

    def told(pearson, spearman):
        found = {pair: (pearson, spearman)}
        monkeypatch.setattr(statistics.Runs, "correlation", lambda _, *metrics: found[metrics])
        return claim(start).test(statistics.Runs({}))

    assert told(pearson=inside, spearman=inside)[1] is True
    assert told(pearson=inside, spearman=outside)[1] is False
    words, holds = told(pearson=outside, spearman=inside)
    assert (words, holds) == (f"Pearson {outside:.2f}, Spearman {inside:.2f}", False)


@pytest.mark.parametrize(("longer", "holds"), [(51, True), (50, False)])
def test_most_of_a_hundred_and_one_are_fifty_one_and_as_long_is_not_longer(longer, holds):
    """On some it takes a second more, on the others as long: 50.5 and 49.5 %."""
    spans = pd.DataFrame(
        {"workload": [*range(101)] * 2, "scheduler": np.repeat(["SJF", "SJF-Co"], 101)}
    )
    spans["makespan"] = [9.0] * 101 + [10.0] * longer + [9.0] * (101 - longer)
    found = claim("SJF-Co takes longer").test(statistics.Runs.of(spans))
    assert found == ("on 50 % of the workloads", holds)


def spans(early, late, monkeypatch):
    """Test the claim of one schedule on these mean speedups of spans of time."""
    both = pd.DataFrame({"mean": [*early, *late]})
    monkeypatch.setattr(statistics, "speedup_bins", lambda _: both)
    return claim("under Popularity").test(pd.DataFrame())


@pytest.mark.parametrize(
    ("late", "holds"),
    [
        # blocks of three of nine: between 0.9 and 1.1 whatever is drawn
        (0.5, True),
        (1.0, None),
        (1.5, False),
    ],
)
def test_speedups_fall_where_the_interval_of_the_halves_leaves_zero_out(late, holds, monkeypatch):
    step = np.tile([-0.1, 0.1], 9)
    words, found = spans(1 + step, late + step, monkeypatch)
    assert found is holds
    assert words.startswith(
        f"mean of the first half of the time 1.000, of the second {late:.3f}, on one workload; "
        "difference "
    )


def test_spans_of_time_are_too_few_below_six_blocks(monkeypatch):
    """A half of 17 has five blocks of three, one of 18 has six."""
    assert spans([2.0] * 17, [1.0] * 17, monkeypatch)[1] is None
    assert spans([2.0] * 18, [1.0] * 18, monkeypatch)[1] is True
    words, _ = spans([], [1.0], monkeypatch)
    assert words.endswith("1 spans of time are too few to decide")


def test_claims_about_runs_are_not_tested_on_published_means(printed, runs):
    """Fronts and scatter do not follow from the printed tables, nor a schedule from many."""
    schedule = example().head(2)
    table = statistics.check_claims(CLAIMS, printed, runs(), runs(), schedule).set_index("claim")
    kinds = pd.Series({one.text: one.on for one in CLAIMS})
    assert set(table.loc[kinds == statistics.MEANS, "printed"]) == {"holds", "fails"}
    assert set(table.loc[kinds != statistics.MEANS, "printed"]) == {""}
    assert table.loc[kinds == statistics.EXAMPLE, ["computed", "many"]].to_numpy().tolist() == [
        ["undecided", ""]
    ]
    found = set(table.loc[kinds != statistics.EXAMPLE, "many"])
    assert {"holds", "fails"} <= found <= {"holds", "fails", "undecided"}


@pytest.mark.parametrize(("ten", "many"), [(-0.1, 0.1), (0.1, -0.1)])
def test_claim_about_runs_is_tested_on_the_ten_and_on_the_many(printed, runs, ten, many):
    """SJF-Co's speedup is changed so that it takes longer than SJF, or not."""
    moved = [runs(10, shift("SJF-Co", "makespan_speedup", by)) for by in (ten, many)]
    schedule = example().head(2)
    table = statistics.check_claims(CLAIMS, printed, *moved, schedule).set_index("claim")
    row = table.loc[claim("SJF-Co takes longer").text]
    words = {-0.1: "holds", 0.1: "fails"}
    assert (row["computed"], row["many"]) == (words[ten], words[many])
    share = 100 if ten < 0 else 0
    assert row["found"] == f"on {share} % of the workloads; true of {share}.0% of resamples"
