"""Tables of weeks and months."""

import pandas as pd
import pytest

from period_case import ON_MODEL, WEEKS, experiment, pure, search, surface, table
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.legrand2018 import tables
from schedlab.studies.legrand2018.adaptation import optima, pure_by_period

JOBS = pd.DataFrame(
    {
        "number": [1, 2, 3],
        "submit": [0, 86_400, 30 * 86_400],
        "runtime": [10, 500, 30],
        "procs": [1, 2, 6],
    }
)


def test_facts_of_a_trace_are_means_over_its_jobs():
    """A mean month of the calendar has 2,629,800 seconds."""
    month = JOBS.assign(submit=[5000 + 1_314_900, 5000, 5000 + 2_629_800])
    assert tables.trace_facts(experiment(source="model"), month) == {
        "trace": "SITE",
        "ran_on": "model",
        "cpus": 64,
        "duration": 1.0,
        "jobs": 3,
        "avg_duration": 180.0,
        "avg_size": 3.0,
    }


def test_unavailable_trace_is_marked():
    facts = ("duration", "jobs", "avg_duration", "avg_size")
    assert tables.trace_facts(experiment(), JOBS.iloc[:0]) == {
        "trace": "SITE",
        "ran_on": "SITE",
        "cpus": 64,
        **dict.fromkeys(facts, NOT_AVAILABLE),
    }


@pytest.mark.parametrize(
    ("threshold", "label"),
    [
        (None, "No threshold"),
        (604_800, "No threshold"),
        (604_799, "7.00 days"),
        (604_801, "7.00 days"),
        (72_000, "20 hours"),
        (72_001, "0.83 days"),
        (200_000, "2.31 days"),
        (7_000 * 86_400 + 1, "7000.00 days"),
    ],
)
def test_thresholds_are_in_hours_or_where_these_are_odd_in_days(threshold, label):
    assert tables.threshold_label(threshold) == label


def test_policies_of_the_paper_are_in_capitals_and_others_as_they_are():
    names = ["saf", "sjf", "w*_train", "mine"]
    assert [tables.policy_label(name) for name in names] == ["SAF", "SJF", "w*_train", "mine"]


def test_rows_are_sorted_by_the_first_column_and_ties_by_policy():
    weeks = {"saf": [9.0, 3, 3, 3, 1, 1], "fcfs": [0, 2.0, 2, 3, 8, 8], "sqf": [0, 3.0, 3, 3, 9, 0]}
    rows = tables.train_and_test(experiment(), pd.DataFrame(weeks, index=range(1, 7)))
    assert list(rows) == ["trace", "ran_on", "policy", "Training", "Testing"]
    assert rows.reset_index().to_numpy().tolist() == [
        [0, "SITE", "SITE", "FCFS", 7, 16],
        [1, "SITE", "SITE", "SAF", 9, 2],
        [2, "SITE", "SITE", "SQF", 9, 9],
    ]


def test_sum_over_a_week_without_a_number_is_undefined():
    rows = tables.train_and_test(experiment(train=(1, 3)), table()).set_index("policy")
    assert pd.isna(rows.loc["w_greedy", "Training"])


def test_policies_are_summed_by_threshold_best_first():
    runs = pure(saf=3.0)
    runs.loc[runs["threshold"].eq(72_000).fillna(False), "avebsld"] = 1.0
    rows = tables.by_threshold(experiment(), runs)
    assert list(rows)[2:] == ["policy", "No threshold", "2.31 days", "20 hours"]
    assert rows["policy"].tolist() == ["SAF", "SQF", "FCFS"]
    assert rows["No threshold"].tolist() == [3 * WEEKS, 4 * WEEKS, 8 * WEEKS]
    assert rows["20 hours"].tolist() == [WEEKS] * 3


@pytest.mark.parametrize("make", [tables.by_threshold, tables.train_and_test])
def test_tables_without_periods_are_marked_log_not_available(make):
    empty = pure(0) if make is tables.by_threshold else table(0)
    rows = make(experiment(), empty)
    assert len(rows) >= 3
    assert (rows.iloc[:, 3:] == NOT_AVAILABLE).all(axis=None)


def test_longest_jobs_are_listed_with_the_rule_that_dropped_them():
    ledger = pd.DataFrame(
        {"number": [2, 3], "rule": ["week_crossed", "estimate_covers_runtime"], "after": [None, 9]}
    ).astype({"after": "Int64"})
    rows = tables.longest(experiment(), JOBS, ledger, count=2)
    assert rows["job_ID"].tolist() == [2, 3]
    assert rows["kept"].tolist() == ["week_crossed", "yes"]


def test_ten_longest_jobs_are_listed_and_ties_are_in_log_order():
    runtime = [5, 90, 7, 90, 12, 11, 10, 9, 8, 13, 14, 5]
    jobs = pd.DataFrame({"number": range(101, 113), "submit": range(12), "runtime": runtime})
    jobs = jobs.assign(procs=range(21, 33))
    ledger = pd.DataFrame({"number": [104], "rule": ["too_long"], "after": [pd.NA]})
    rows = tables.longest(experiment(source="model"), jobs, ledger)
    assert rows["job_ID"].tolist() == [102, 104, 111, 110, 105, 106, 107, 108, 109, 103]
    assert rows["rank"].tolist() == list(range(1, 11))
    assert rows.iloc[1].to_dict() == {
        "trace": "SITE",
        "ran_on": "model",
        "rank": 2,
        "job_ID": 104,
        "submit_time": 3,
        "run_time": 90,
        "number_processors": 24,
        "kept": "too_long",
    }
    assert list(rows)[:3] == ["trace", "ran_on", "rank"]


def test_the_best_pure_policy_is_saf_where_it_ties():
    runs = pd.DataFrame({"fcfs": [1.0, 2.0], "saf": [1.0, 3.0]}, index=[1, 2])
    best = tables.best_pure(runs)
    assert list(best) == ["saf", "best pure", "which"]
    assert best.reset_index().to_numpy().tolist() == [[1, 1, 1, "SAF"], [2, 3, 2, "FCFS"]]


def test_user_policies_are_further_rows_but_never_the_best_policy():
    runs = pure(mine=1.0)
    rows = tables.by_threshold(experiment(), runs, ["mine"])
    assert rows["policy"].tolist() == ["mine", "SAF", "SQF", "FCFS"]
    assert tables.by_threshold(experiment(), runs)["policy"].tolist() == ["SAF", "SQF", "FCFS"]
    best = tables.best_pure(pure_by_period(runs, 200_000), ["mine"])
    assert best["which"].tolist() == ["SAF"] * WEEKS
    assert best["mine"].tolist() == [1.0] * WEEKS
    assert list(tables.best_pure(pure_by_period(pure(0), 200_000), ["mine"]))[-1] == "mine"


def test_table_has_searched_values_and_coverage():
    rows = tables.compare_search(optima(surface()), search())
    assert list(rows) == ["xnes3", "xnes6", "w*3"]
    assert rows["xnes3"].tolist() == [2.0] * WEEKS
    assert rows["xnes6"].tolist() == [1.9] * WEEKS
    assert rows["w*3"].tolist() == optima(surface())["value"].tolist()
    assert rows.index.tolist() == list(range(1, WEEKS + 1))


def sensitivity(*rows):
    frame = pd.DataFrame([("SITE", "SITE", *row) for row in rows], columns=tables.SENSITIVITY)
    return frame


def test_search_is_in_percent_of_the_one_in_use():
    """Over two weeks it finds 4 and 3.8; a penalty of 10 adds a quarter, and of 1 a half."""
    varied = [search(2).assign(setting="penalty", changed_to=to) for to in ("10.0", "1.0")]
    varied[0]["value"] *= 1.25
    varied[1]["value"] *= 1.5
    found = tables.search_sums(experiment(), search(2), pd.concat(varied))
    wanted = sensitivity(
        *(("xnes3", "as used", "", 4.0, 0.0), ("xnes6", "as used", "", 3.8, 0.0)),
        *(("xnes3", "penalty", "10.0", 5.0, 25.0), ("xnes6", "penalty", "10.0", 4.75, 25.0)),
        *(("xnes3", "penalty", "1.0", 6.0, 50.0), ("xnes6", "penalty", "1.0", 5.7, 50.0)),
    )
    pd.testing.assert_frame_equal(found, wanted)


def test_percentage_of_zero_is_undefined():
    nothing = search(2).assign(value=0.0)
    varied = search(2).assign(setting="penalty", changed_to="10.0")
    found = tables.search_sums(experiment(), nothing, varied)
    assert found["percent"].isna().all()


def test_scalings_are_in_percent_of_the_first():
    """w* is summed over all six weeks, what is learned over the two to test on."""
    weeks = {"w*": [1.0, 2, 3, 4, 5, 5], "w*_train": [9.0, 9, 9, 9, 6, 4], "w_greedy": [9.0] * 6}
    used = pd.DataFrame(weeks, index=range(1, 7))
    found = tables.scaling_sums(experiment(), {"deviation": used, "none": 1.5 * used})
    wanted = sensitivity(
        ("w*", "scaling", "deviation", 20.0, 0.0),
        ("w*_train", "scaling", "deviation", 10.0, 0.0),
        ("w_greedy", "scaling", "deviation", 18.0, 0.0),
        ("w*", "scaling", "none", 30.0, 50.0),
        ("w*_train", "scaling", "none", 15.0, 50.0),
        ("w_greedy", "scaling", "none", 27.0, 50.0),
    )
    pd.testing.assert_frame_equal(found, wanted)


def test_tables_are_stacked_and_empty_ones_give_columns():
    one, two = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [3]})
    none = pd.DataFrame({"b": []})
    assert tables.stacked([none, one, two]).reset_index().to_numpy().tolist() == [
        [0, 1],
        [1, 2],
        [2, 3],
    ]
    assert list(tables.stacked([one.iloc[:0], none])) == ["a"]


def test_table_rounds_means_as_the_simulator_printed_them():
    """Averages with three decimals are added up."""
    assert (tables.printed(0.0004), tables.printed(0.0006)) == (0, 0.001)
    rows = tables.by_threshold(experiment(), pure(saf=1.0004, sqf=1.0006))
    assert rows["No threshold"].tolist()[:2] == [WEEKS, pytest.approx(1.001 * WEEKS)]
    assert (
        tables.train_and_test(experiment(), table().map(lambda mean: mean + 0.0004))[
            "Testing"
        ].tolist()
        == tables.train_and_test(experiment(), table())["Testing"].tolist()
    )


def test_the_first_and_the_last_week_of_a_log_are_cut():
    week = 604_800
    submit = [5, week - 1, week, 3 * week - 1, 3 * week, 3 * week + 9]
    jobs = pd.DataFrame({"submit": submit})
    assert tables.within(jobs)["submit"].tolist() == [week, 3 * week - 1]


def coverings(**changes):
    """Two ways to cover the space; in the second every sum is a tenth above what is printed."""
    near = table()
    names = ["w*", "w*_train", "w_greedy"]
    rows = tables.train_and_test(experiment(), near).set_index("policy")
    printed = rows.loc[names, ["Training", "Testing"]].astype(str)
    ways = {("none", 604_800): 1.1 * near, ("deviation", 200_000): near}
    return tables.coverings(experiment(**changes), ways, printed)


def test_coverings_are_sorted_by_distance_to_the_published_sums():
    found = coverings()
    assert found.index.tolist() == [0, 1]
    assert found["scaling"].tolist() == ["deviation", "none"]
    assert found["threshold"].tolist() == [200_000, 604_800]
    assert found["away"].tolist() == pytest.approx([0, 10], abs=0.05)
    sums = tables.train_and_test(experiment(), table()).set_index("policy")
    assert found.loc[0, "w_greedy testing"] == sums.at["w_greedy", "Testing"]


def test_the_distance_of_a_covering_is_the_mean_of_its_six_sums():
    """Those of weeks 2 to 4 and 5 to 6: three times and twice 1, 2 and 3, of which one is off."""
    weeks = pd.DataFrame({"w*": 1.0, "w*_train": 2.0, "w_greedy": 3.0}, index=range(1, 7))
    printed = pd.DataFrame(
        {"Training": ["3", "6", "9"], "Testing": ["2", "4", "4"]}, index=list(weeks)
    )
    found = tables.coverings(experiment(), {("none", 604_800): weeks}, printed)
    assert found.to_dict("records") == [
        {
            "trace": "SITE",
            "ran_on": "SITE",
            "scaling": "none",
            "threshold": 604_800,
            "w* training": 3.0,
            "w* testing": 2.0,
            "w*_train training": 6.0,
            "w*_train testing": 4.0,
            "w_greedy training": 9.0,
            "w_greedy testing": 6.0,
            "away": pytest.approx(50 / 6),
        }
    ]


def test_covering_of_a_stand_in_is_not_compared_with_the_paper():
    assert coverings(**ON_MODEL)["away"].isna().all()


def test_conclusions_are_shown_with_those_of_the_text():
    """A policy that is best in one reading alone, and an order of three with one pair exchanged."""
    run = tables.by_threshold(experiment(), pure())
    text = tables.by_threshold(experiment(), pure(saf=5.0))
    found = tables.conclusions(run, text)
    assert found["threshold"].tolist() == ["No threshold", "2.31 days", "20 hours"]
    assert found[["best", "best_text"]].iloc[0].tolist() == ["SAF", "SQF"]
    assert found["fcfs_over_saf"].tolist() == [4] * 3
    assert found["fcfs_over_saf_text"].tolist() == pytest.approx([1.6] * 3)
    assert found["kendall"].tolist() == pytest.approx([1 / 3] * 3, abs=1e-4)


def test_a_threshold_without_all_numbers_has_no_conclusion_and_others_have():
    run = tables.by_threshold(experiment(), pure()).astype({"2.31 days": object})
    run.loc[0, "2.31 days"] = NOT_AVAILABLE
    found = tables.conclusions(run, tables.by_threshold(experiment(), pure()))
    assert found["threshold"].tolist() == ["No threshold", "20 hours"]
    assert found[["trace", "ran_on"]].to_numpy().tolist() == [["SITE", "SITE"]] * 2


def test_without_numbers_there_are_no_conclusions():
    empty = tables.by_threshold(experiment(), pure(0))
    assert tables.conclusions(empty, empty).empty
