"""Sentences on predictors of waits at a site."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.site.waits import SCORES, facts_of_waits, score
from schedlab.waits.backtest_predictors import EASY, ESTIMATORS, QUEUE, RECORDED
from schedlab.workbench.log import load_log
from site_case import site_log
from words_case import text_of


def waits_summary(table, weeks):
    return text_of("site", "waits_said", facts_of_waits(table, weeks))


@pytest.mark.slow
def test_every_kind_of_waits_is_scored_behind_four_weeks(tmp_path):
    log = load_log(site_log(tmp_path / "a.swf", jobs=600, waits=True))
    table, weeks = score(log, 20)
    assert weeks == 62 // 7 + 1 - 4
    assert list(table.columns) == SCORES
    assert table["waits"].unique().tolist() == [RECORDED, EASY]
    assert table["estimator"].tolist() == 2 * list(ESTIMATORS)
    for name in ("queue simulation", "sbatch --test-only"):
        assert table[table["estimator"] == name]["jobs"].tolist() == [20, 20]


@pytest.mark.parametrize(("days", "weeks"), [(28, 0), (27, 0), (36, 2)])
def test_short_log_is_not_scored(tmp_path, days, weeks):
    log = load_log(site_log(tmp_path / "a.swf", jobs=300, days=days))
    table, found = score(log, 5)
    assert (found, table.empty) == (weeks, weeks == 0)
    assert f"it has {weeks} test weeks; at least 6 are needed" in waits_summary(table, found)


def scored(wait=100.0, **cells):
    """Rows of one kind of waits; the last wait errs least."""
    table = pd.DataFrame(0.0, range(len(ESTIMATORS)), SCORES)
    table["waits"], table["estimator"], table["wait"] = RECORDED, ESTIMATORS, wait
    table["on sample"] = np.where(table["estimator"] == "last wait", 10.0, 20.0)
    table["error"], table["jobs"] = 40.0, 900
    table.loc[table["estimator"] == QUEUE, "jobs"] = 20
    table["target"], table["covered high"] = 95.0, 99.0
    return table.assign(**cells)


def test_summary_names_the_predictor_with_the_least_error():
    said = waits_summary(scored(**{"gain": 60.0, "gain low": 1.0, "gain high": 90.0}), 6)
    assert "the last wait has the smallest mean error, 10 s over the 20 jobs that all" in said
    assert "(it is chosen on these jobs)" in said
    assert "all its jobs, the mean error is 40 s and the mean wait is 100 s. The error is" in said
    assert "60 s less than that of predicting 0 (95 % CI 1 to 90)." in said
    assert "Do not promise" not in said


def test_least_loss_is_stated_only_if_a_job_waits():
    losses = np.where(np.array(ESTIMATORS) == "quantile regression", 60.0, 70.0)
    said = waits_summary(scored(**{"lost on sample": losses}), 6)
    assert "With the quantile regression, this loses the fewest core-hours: 60 % of those" in said
    assert "core-hours" not in waits_summary(scored(**{"lost on sample": np.nan}), 6)


@pytest.mark.parametrize(("low", "told"), [(0.0, False), (0.1, True)])
def test_gain_is_significant_only_if_its_interval_is_above_0(low, told):
    assert ("not significant" not in waits_summary(scored(**{"gain low": low}), 6)) == told


@pytest.mark.parametrize(("high", "told"), [(95.0, False), (94.9, True)])
def test_bound_that_does_not_hold_is_reported(high, told):
    said = waits_summary(scored(**{"covered high": high, "covered": 80.0}), 6)
    assert ("covers 80 % of the jobs, not 95 %. Do not promise it" in said) == told


def test_summary_states_that_no_job_waits():
    assert "no job waits" in waits_summary(scored(wait=0.0), 6)


@pytest.mark.parametrize(("weeks", "told"), [(5, False), (6, True)])
def test_fewer_than_six_scored_weeks_name_no_best_predictor(weeks, told):
    assert ("has the smallest mean error" in waits_summary(scored(), weeks)) == told


@pytest.mark.parametrize(("wait", "told"), [(0.0, False), (1.0, True)])
def test_both_kinds_of_waits_are_summarized_independently(wait, told):
    table = pd.concat([scored(wait=wait), scored().assign(waits=EASY)], ignore_index=True)
    said = waits_summary(table, 6)
    assert ("Recorded waits: the last wait has the smallest mean error" in said) == told
    assert ("Recorded waits: no job waits, so there is nothing to predict" in said) != told
    assert "Waits under EASY: the last wait has the smallest mean error" in said
