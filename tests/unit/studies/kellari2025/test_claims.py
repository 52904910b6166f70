"""Claims of the thesis about chapter 6, by hand."""

import numpy as np
import pandas as pd
import pytest

from chapter6_case import example, shift
from claim_case import claim_of, claims_of
from schedlab.cosched.pool import STAND_IN
from schedlab.studies.kellari2025 import statistics
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS

CLAIMS = claims_of("kellari2025")


@pytest.mark.slow
def test_claims_follow_from_the_printed_tables_or_are_reported_as_failed(printed, runs):
    table = statistics.check_claims(CLAIMS, printed, runs(), runs(30), example()).set_index("claim")
    told = table["printed"]
    assert told["SJF-Filler reaches the highest makespan speedup"] == "holds"
    below = "the schedulers with a mean makespan speedup below 1 are SJF-Co"
    assert told[f"{below}, Popularity and FCFS"] == "fails"
    assert told[f"{below} and FCFS"] == "holds"
    assert told["LJF, LJF-Co and LAF-Co follow in utilization"] == "fails"
    same = table[told != ""]
    decided = same[same["computed"] != "undecided"]
    assert (decided["printed"] == decided["computed"]).all()
    assert len(decided) > 15


def test_a_resample_has_all_schedulers_of_each_workload_that_it_draws(runs):
    own = statistics.Runs.of(runs(8))
    drawn = next(own.resampled())
    assert len(drawn) == 8
    rows = {metric: values.tolist() for metric, values in own.values.items()}
    places = [rows["slowdown"].index(row) for row in drawn["slowdown"].tolist()]
    assert len(set(places)) < 8
    for metric, values in rows.items():
        assert drawn[metric].tolist() == [values[place] for place in places]
        mean = sum(values[place][0] for place in places) / 8
        assert drawn.means()[metric][statistics.SCHEDULERS[0]] == pytest.approx(mean)


def test_correlations_are_over_all_runs():
    """Ranks 1 2 3 4 and 1 2 4 3 have Spearman's 0.8."""
    pair = {"slowdown": [[1.0, 2.0], [3.0, 10.0]], "job_speedup": [[1.0, 2.0], [9.0, 3.0]]}
    found = statistics.Runs({name: np.array(values) for name, values in pair.items()})
    pearson, spearman = found.correlation("slowdown", "job_speedup")
    assert spearman == pytest.approx(0.8)
    assert pearson == pytest.approx(
        np.cov([1, 2, 3, 10], [1, 2, 9, 3])[0, 1] / (50 * 38.75 / 9) ** 0.5
    )


def claim(start):
    """Return the test of the claim whose words begin so."""
    return claim_of("kellari2025", start).test


@pytest.mark.parametrize(
    ("value", "holds"), [(28.75, True), (28.76, False), (17.25, True), (17.24, False)]
)
def test_around_23_percent_is_a_quarter_of_it_to_either_side(printed, value, holds):
    values = printed.astype(float)
    values["slowed"] = 23.0
    values.loc["LAF-Co", "slowed"] = value
    values.loc[["Filler", "Popularity"], "slowed"] = 90.0
    assert claim("the percentage of slowed jobs is around 23 %")(values)[1] is holds


@pytest.mark.parametrize(
    ("value", "holds"), [(19.0, True), (19.01, False), (17.0, True), (16.99, False)]
)
def test_about_18_percent_is_one_to_either_side(printed, value, holds):
    values = printed.astype(float)
    values.loc["SJF-Co", "slowed"] = value
    assert claim("about 18 %")(values)[1] == holds


def test_claims_are_not_tested_on_a_stand_in(printed, runs):
    own = runs(10, pool=f"{STAND_IN}, completed")
    checked = statistics.check_claims(CLAIMS, printed, own, own, example())
    assert set(checked["computed"]) == set(checked["many"]) == {"log not available"}
    assert set(checked["printed"]) == {"holds", "fails", ""}


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
    found = claim("EASY-Co's mean job speedup")(
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
    assert claim("mean job speedup varies most")(statistics.Runs.of(scattered(**deviations))) == (
        words,
        holds,
    )


def points(*rows, x, y):
    found = pd.DataFrame(rows, columns=["scheduler", x, y])
    return found.assign(workload=found.groupby("scheduler").cumcount())


@pytest.mark.parametrize(
    ("own", "words", "holds"),
    [(3, "SJF-Filler 3, SJF 2", True), (2, "SJF 2, SJF-Filler 2", False), (0, "SJF 2", False)],
)
def test_scheduler_with_more_than_half_of_the_front_dominates_it(own, words, holds):
    """A slower workload of SJF with less speedup is behind the front, and does not count."""
    rows = [("SJF-Filler", 1.0 + place, 1.0 + place) for place in range(own)]
    rows += [("SJF", 10.0, 10.0), ("SJF", 11.0, 11.0), ("SJF", 12.0, 10.5)]
    runs = points(*rows, x="slowdown", y="makespan_speedup")
    found = claim("SJF-Filler dominates the front")(statistics.Runs.of(runs))
    assert found == (f"points on the front: {words}", holds)


@pytest.mark.parametrize("others", [[], [("LJF", 2.0, 2.0)]])
@pytest.mark.parametrize(("behind", "holds"), [(False, True), (True, False)])
def test_three_schedulers_are_on_the_front_alone_or_with_others(behind, holds, others):
    """Slowed jobs rise with the speedup; one that has as many and less speedup is behind it."""
    rows = [("Popularity", 1.0, 1.0), *others, ("SJF-Filler", 3.0, 3.0)]
    rows += [("Pop-Filler", 3.0, 2.5) if behind else ("Pop-Filler", 4.0, 4.0)]
    runs = points(*rows, x="slowed", y="makespan_speedup")
    assert claim("SJF-Filler, Pop-Filler and Popularity are")(statistics.Runs.of(runs))[1] is holds


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
    found = claim("the front of mean slowdown and slowed jobs")(statistics.Runs.of(runs))
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
        return claim(start)(statistics.Runs({}))

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
    found = claim("SJF-Co takes longer")(statistics.Runs.of(spans))
    assert found == ("on 50 % of the workloads", holds)


def spans(early, late, monkeypatch):
    """Test the claim of one schedule on these mean speedups of spans of time."""
    both = pd.DataFrame({"mean": [*early, *late]})
    monkeypatch.setattr(statistics, "speedup_bins", lambda _: both)
    return claim("under Popularity")(pd.DataFrame())


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
    row = table.loc[claim_of("kellari2025", "SJF-Co takes longer").text]
    words = {-0.1: "holds", 0.1: "fails"}
    assert (row["computed"], row["many"]) == (words[ten], words[many])
    share = 100 if ten < 0 else 0
    assert row["found"] == f"on {share} % of the workloads; true of {share}.0% of resamples"
