"""Claims about the means of chapter 6: ranks, orders and limits, just true and just false."""

import pandas as pd
import pytest

from claim_case import claim_of
from schedlab.studies.kellari2025 import statistics
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS

FILLERS = {"SJF-Filler": 9.0, "Filler": 8.0, "Pop-Filler": 7.0}


def claim_result(start, metric, values, others):
    """The result of a claim if all schedulers but some have the same value of a metric."""
    column = pd.Series(float(others), index=SCHEDULERS)
    column.update(pd.Series(values, dtype=float))
    return claim_of("kellari2025", start).test(column.to_frame(metric))


@pytest.mark.parametrize(
    ("start", "metric", "values", "others", "expected"),
    [
        # the least, in order: swapped, or with another before the second, it fails
        ("SJF has the smallest mean", "slowdown", {"SJF": 1.24, "SJF-Co": 2}, 3,
         "SJF 1.2, SJF-Co 2.0"),
        ("SJF has the smallest mean", "slowdown", {"SJF": 2, "SJF-Co": 1}, 3, None),
        ("SJF has the smallest mean", "slowdown", {"SJF": 1, "SJF-Co": 2, "LJF": 1.9}, 3, None),
        ("SJF-Filler reaches", "makespan_speedup", {"SJF-Filler": 1.1004}, 1, "SJF-Filler 1.100"),
        ("SJF-Filler reaches", "makespan_speedup", {"SJF-Filler": 0.9}, 1, None),
        ("Pop-Filler achieves", "utilisation", {"Pop-Filler": 0.95}, 0.9, "Pop-Filler 0.950"),
        ("Pop-Filler achieves", "utilisation", {"Pop-Filler": 0.8}, 0.9, None),
        ("EASY-Co achieves", "job_speedup", {"EASY-Co": 1.2}, 1.1, "EASY-Co 1.200"),
        ("EASY-Co achieves", "job_speedup", {"EASY-Co": 1.2, "FCFS": 1.3}, 1.1, None),
        # of co-schedulers alone: those that never share have 0
        ("Popularity has the lowest percentage", "slowed",
         {"Popularity": 10, "SJF": 0, "LJF": 0, "FCFS": 0, "EASY": 0, "Conservative": 0}, 20,
         "Popularity 10.00"),
        ("Popularity has the lowest percentage", "slowed", {"Popularity": 10, "LAF-Co": 9}, 20,
         None),
        ("Popularity has the lowest mean job", "job_speedup",
         {"Popularity": 1.1, "SJF": 1, "FCFS": 1}, 1.2, "Popularity 1.100"),
        ("Popularity has the lowest mean job", "job_speedup", {"Popularity": 1.3}, 1.2, None),
        # falling strictly: equal numbers do not
        ("co-scheduling decreases", "utilisation", {"EASY": 0.9, "EASY-Co": 0.8}, 0,
         "EASY 0.900, EASY-Co 0.800"),
        ("co-scheduling decreases", "utilisation", {"EASY": 0.9, "EASY-Co": 0.9}, 0, None),
        ("utilization falls", "utilisation", {"EASY": 3, "Conservative": 2, "FCFS": 1}, 0,
         "EASY 3.000, Conservative 2.000, FCFS 1.000"),
        ("utilization falls", "utilisation", {"EASY": 3, "Conservative": 1, "FCFS": 1}, 0, None),
        ("mean slowdown rises", "slowdown", {"EASY": 1, "Conservative": 2, "FCFS": 3}, 0,
         "FCFS 3.0, Conservative 2.0, EASY 1.0"),
        ("mean slowdown rises", "slowdown", {"EASY": 2, "Conservative": 2, "FCFS": 3}, 0, None),
        # the first ones, in whichever order
        ("LJF-Co, LAF-Co and LJF have", "slowdown", {"LJF": 7, "LJF-Co": 8, "LAF-Co": 9}, 6,
         "LAF-Co 9.0, LJF-Co 8.0, LJF 7.0"),
        ("LJF-Co, LAF-Co and LJF have", "slowdown", {"LJF": 5, "LJF-Co": 8, "LAF-Co": 9}, 6, None),
        ("the three SJF impl", "slowdown", {"SJF-Filler": 1, "SJF": 2, "SJF-Co": 3}, 4,
         "SJF-Filler 1.0, SJF 2.0, SJF-Co 3.0"),
        ("the three SJF impl", "slowdown", {"SJF-Filler": 5, "SJF": 2, "SJF-Co": 3}, 4, None),
        ("the three Fillers have", "utilisation", FILLERS, 6,
         "SJF-Filler 9.000, Filler 8.000, Pop-Filler 7.000"),
        ("the three Fillers have", "utilisation", FILLERS | {"Filler": 5}, 6, None),
        # the fourth and those after it
        ("LJF-Co and LAF-Co have high", "makespan_speedup",
         FILLERS | {"LAF-Co": 6, "LJF-Co": 5, "LJF": 4}, 3, "LAF-Co 6.000, LJF-Co 5.000"),
        ("LJF-Co and LAF-Co have high", "makespan_speedup",
         FILLERS | {"LAF-Co": 6, "LJF-Co": 4, "LJF": 5}, 3, None),
        ("LJF-Co and LAF-Co have high", "makespan_speedup",
         FILLERS | {"Filler": 0, "LAF-Co": 6, "LJF-Co": 5, "LJF": 4}, 3, None),
        ("LJF, LJF-Co and LAF-Co follow", "utilisation",
         FILLERS | {"LJF": 6, "LJF-Co": 5, "LAF-Co": 4, "SJF": 3}, 2,
         "LJF 6.000, LJF-Co 5.000, LAF-Co 4.000"),
        ("LJF, LJF-Co and LAF-Co follow", "utilisation",
         FILLERS | {"LJF": 6, "LJF-Co": 5, "LAF-Co": 3, "SJF": 4}, 2, None),
        ("LJF, LJF-Co and LAF-Co follow", "utilisation",
         FILLERS | {"Filler": 0, "LJF": 6, "LJF-Co": 5, "LAF-Co": 4, "SJF": 3}, 2, None),
    ],
)  # fmt: skip
def test_rank_claims_hold_only_for_the_named_ranks(start, metric, values, others, expected):
    """Where the numbers are as the sentence says they are named as printed; else it fails."""
    words, holds = claim_result(start, metric, values, others)
    assert holds is (expected is not None)
    assert expected is None or words == expected


@pytest.mark.parametrize(
    ("utilisation", "speedup", "holds"),
    [(0.8, 0.9, True), (0.8, 1.0, False), (0.9, 0.9, False), (0.9, 1.0, False)],
)
def test_a_claim_of_two_metrics_takes_both(utilisation, speedup, holds):
    start = "utilization and makespan speedup of SJF-Co are lower than of SJF"
    table = pd.DataFrame(0.9, index=SCHEDULERS, columns=list(METRICS))
    table.loc["SJF", "makespan_speedup"] = 1.0
    table.loc["SJF-Co", ["utilisation", "makespan_speedup"]] = utilisation, speedup
    assert claim_of("kellari2025", start).test(table) == (
        f"SJF 0.900, SJF-Co {utilisation:.3f}; SJF 1.000, SJF-Co {speedup:.3f}",
        holds,
    )


@pytest.mark.parametrize(
    ("sjf", "easy", "holds"), [(0.8, 0.8, True), (0.8, 0.9, False), (0.9, 0.8, False)]
)
def test_sharing_is_worse_for_both_of_two_schedulers(sjf, easy, holds):
    table = pd.DataFrame(0.9, index=SCHEDULERS, columns=list(METRICS))
    table.loc[["SJF-Co", "EASY-Co"], "utilisation"] = sjf, easy
    assert claim_of("kellari2025", "utilization of SJF-Co and").test(table)[1] is holds


@pytest.mark.parametrize(
    ("fillers", "second", "holds"),
    [({}, 8.0, True), ({"Filler": 9.5}, 9.5, False), ({"Pop-Filler": 5.0}, 8.0, False)],
)
def test_the_first_of_three_is_one_of_them_and_all_three_are_ahead(fillers, second, holds):
    """SJF-Filler first, then the other two; with Filler before it, or one behind, that fails."""
    words, told = claim_result("the highest makespan", "makespan_speedup", FILLERS | fillers, 6.0)
    assert told is holds
    assert f"{second:.3f}" in words


@pytest.mark.parametrize(
    ("values", "words", "wider", "narrower"),
    [
        ({"SJF-Co": 0.9, "FCFS": 0.8, "Popularity": 1.0}, "SJF-Co 0.900, FCFS 0.800", False, True),
        (
            {"SJF-Co": 0.9, "FCFS": 0.8, "Popularity": 0.9996},
            "SJF-Co 0.900, Popularity 1.000, FCFS 0.800",
            True,
            False,
        ),
        ({"SJF-Co": 0.9}, "SJF-Co 0.900", False, False),
    ],
)
def test_below_one_are_those_and_no_others(values, words, wider, narrower):
    """Exactly 1 is not below it."""
    start = "the schedulers with a mean makespan speedup below 1 are SJF-Co"
    told = {
        rest: claim_result(f"{start}{rest}", "makespan_speedup", values, 1.5)
        for rest in (", Popularity", " and")
    }
    assert told == {", Popularity": (words, wider), " and": (words, narrower)}


@pytest.mark.parametrize(("weighted", "holds"), [(1.099, True), (1.1, False)])
def test_weighted_speedups_are_smaller_for_each_that_shares(weighted, holds):
    """Of those that do not share, whose speedups are all 1, it is not asked."""
    table = pd.DataFrame(1.0, index=SCHEDULERS, columns=list(METRICS))
    table.loc[statistics.CO, "job_speedup"] = 1.1
    table.loc["LAF-Co", "weighted_speedup"] = weighted
    words, told = claim_of("kellari2025", "weighted mean job").test(table)
    assert told is holds
    assert words == f"least difference {1.1 - weighted:.3f} (LAF-Co)"


def test_claim_of_around_23_percent_is_about_six_sharing_schedulers():
    """Those that slow no job down are not among them, nor are Filler and Popularity."""
    values = dict.fromkeys(statistics.CO, 23.0) | {"Filler": 90.0, "Popularity": 1.0}
    words, holds = claim_result("the percentage of slowed", "slowed", values, 0.0)
    assert holds is True
    assert words == ", ".join(
        f"{name} 23.00"
        for name in ("SJF-Co", "SJF-Filler", "Pop-Filler", "EASY-Co", "LJF-Co", "LAF-Co")
    )


@pytest.mark.parametrize(
    ("values", "words", "holds"),
    [
        ({"SJF": 1, "SJF-Co": 2, "SJF-Filler": 3, "Filler": 4}, "rank 4 of 13, 4.0", True),
        # as slow as the slowest of the three, and as the next: that is between none of them
        ({"SJF": 1, "SJF-Co": 2, "SJF-Filler": 4, "Filler": 4, "LJF": 4}, "rank 4 of 13, 4.0",
         False),
        ({"SJF": 1, "SJF-Co": 2, "Filler": 3, "SJF-Filler": 4}, "rank 3 of 13, 3.0", False),
    ],
)  # fmt: skip
def test_filler_is_above_the_three_and_below_the_rest(values, words, holds):
    assert claim_result("Filler is between", "slowdown", values, 9.0) == (words, holds)
