"""Tables of weeks and months."""

import pandas as pd
import pytest

from period_case import WEEKS, experiment, pure, search, surface, table
from schedlab.papers.legrand2018 import tables
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.tuning.adaptation import optima, pure_by_period

JOBS = pd.DataFrame(
    {
        "number": [1, 2, 3],
        "submit": [0, 86_400, 30 * 86_400],
        "runtime": [10, 500, 30],
        "procs": [1, 2, 6],
    }
)


def test_facts_of_a_trace_are_means_over_its_jobs():
    facts = tables.trace_facts(experiment(), JOBS)
    assert (facts["jobs"], facts["avg_duration"], facts["avg_size"]) == (3, 180, 3)
    assert facts["duration"] == pytest.approx(0.9856, abs=1e-3)


def test_a_trace_that_is_not_at_hand_says_so():
    facts = tables.trace_facts(experiment(), JOBS.iloc[:0])
    assert (facts["cpus"], facts["jobs"]) == (64, NOT_AT_HAND)


def test_training_and_testing_weeks_are_summed_apart():
    rows = tables.train_and_test(experiment(), table()).set_index("policy")
    assert rows.loc["SAF", ["Training", "Testing"]].tolist() == [6, 4]
    assert rows.loc["FCFS", ["Training", "Testing"]].tolist() == [24, 16]
    assert rows["Training"].is_monotonic_increasing


def test_a_sum_over_a_week_that_has_no_number_is_none():
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
def test_tables_without_periods_say_log_not_at_hand(make):
    empty = pure(0) if make is tables.by_threshold else table(0)
    rows = make(experiment(), empty)
    assert len(rows) >= 3
    assert (rows.iloc[:, 3:] == NOT_AT_HAND).all(axis=None)


def test_the_longest_jobs_of_the_log_are_told_with_the_rule_that_dropped_them():
    ledger = pd.DataFrame(
        {"number": [2, 3], "rule": ["week_crossed", "estimate_covers_runtime"], "after": [None, 9]}
    ).astype({"after": "Int64"})
    rows = tables.longest(experiment(), JOBS, ledger, count=2)
    assert rows["job_ID"].tolist() == [2, 3]
    assert rows["kept"].tolist() == ["week_crossed", "yes"]


def test_the_best_pure_policy_is_saf_where_it_ties():
    runs = pd.DataFrame({"fcfs": [1.0, 2.0], "saf": [1.0, 3.0]}, index=[1, 2])
    best = tables.best_pure(runs)
    assert best["which"].tolist() == ["SAF", "FCFS"]
    assert best["best pure"].tolist() == [1, 2]


def test_policies_of_ones_own_are_further_rows_and_none_of_the_best():
    runs = pure(mine=1.0)
    rows = tables.by_threshold(experiment(), runs, ["mine"])
    assert rows["policy"].tolist() == ["mine", "SAF", "SQF", "FCFS"]
    assert tables.by_threshold(experiment(), runs)["policy"].tolist() == ["SAF", "SQF", "FCFS"]
    best = tables.best_pure(pure_by_period(runs, 200_000), ["mine"])
    assert best["which"].tolist() == ["SAF"] * WEEKS
    assert best["mine"].tolist() == [1.0] * WEEKS
    assert list(tables.best_pure(pure_by_period(pure(0), 200_000), ["mine"]))[-1] == "mine"


def test_what_is_searched_stands_beside_the_coverage():
    rows = tables.searched(optima(surface()), search())
    assert rows["xnes3"].tolist() == [2.0] * WEEKS
    assert rows["w*3"].tolist() == optima(surface())["value"].tolist()


def test_sensitivity_is_in_percent_of_what_is_used():
    varied = search().assign(setting="penalty", changed_to="10.0")
    varied["value"] *= 1.1
    rows = tables.search_sums(experiment(), search(), varied).set_index(["what", "setting"])
    assert rows.loc[("xnes3", "as used"), "percent"] == 0
    assert rows.loc[("xnes6", "penalty"), "percent"] == pytest.approx(10)
    ways = {"deviation": table(), "none": 2 * table()}
    scaled = tables.scaling_sums(experiment(), ways)
    assert scaled["percent"].tolist() == pytest.approx([0, 0, 0, 100, 100, 100])


def test_a_stand_in_is_named_in_headings():
    rows = tables.by_threshold(experiment(source="lublin_quick_site"), pure())
    assert tables.ran_on(rows) == "SITE [model stand-in: lublin_quick_site]"


def test_a_table_has_what_the_simulator_printed():
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


def coverings(ran_on="SITE"):
    """Two ways to cover the space; in the second every sum is a tenth above what is printed."""
    near = table()
    names = ["w*", "w*_train", "w_greedy"]
    rows = tables.train_and_test(experiment(), near).set_index("policy")
    printed = rows.loc[names, ["Training", "Testing"]].astype(str)
    ways = {("none", 604_800): 1.1 * near, ("deviation", 200_000): near}
    return tables.coverings(experiment(source=ran_on), ways, printed)


def test_coverings_are_held_against_the_printed_sums_nearest_first():
    found = coverings()
    assert found["scaling"].tolist() == ["deviation", "none"]
    assert found["threshold"].tolist() == [200_000, 604_800]
    assert found["away"].tolist() == pytest.approx([0, 10], abs=0.05)
    sums = tables.train_and_test(experiment(), table()).set_index("policy")
    assert found.loc[0, "w_greedy testing"] == sums.at["w_greedy", "Testing"]


def test_a_covering_of_a_stand_in_is_not_held_against_the_paper():
    assert coverings("lublin_quick_site")["away"].isna().all()


def test_conclusions_stand_beside_those_of_the_text():
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
    run.loc[0, "2.31 days"] = NOT_AT_HAND
    found = tables.conclusions(run, tables.by_threshold(experiment(), pure()))
    assert found["threshold"].tolist() == ["No threshold", "20 hours"]
    assert found[["trace", "ran_on"]].to_numpy().tolist() == [["SITE", "SITE"]] * 2


def test_without_numbers_there_are_no_conclusions():
    empty = tables.by_threshold(experiment(), pure(0))
    assert tables.conclusions(empty, empty).empty
