"""Predictors of waits on the jobs of a log."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.souza2020.sheet import WaitSettings
from schedlab.studies.souza2020.waits import SCORED, headline, predict, waits_table
from schedlab.waits.backtest_predictors import (
    ASA,
    BOUND,
    EASY,
    ESTIMATORS,
    FALLING,
    LAST,
    LEARNING,
    MEDIAN,
    QUEUE,
    RECORDED,
    WEEK,
)
from schedlab.waits.figures import draw_waits
from schedlab.waits.settings import Settings

ROW = WaitSettings("waits_site", "SITE", 4, (), 1.0, 1)
HOUR = 3600


def log(count=400, every=3 * HOUR, wait=600):
    """One two-hour job on all processors every three hours, with its recorded waits."""
    submit = 1000 + np.arange(count) * every
    columns = {"number": np.arange(count), "submit": submit, "runtime": 2 * HOUR}
    return pd.DataFrame(columns | {"estimate": 4 * HOUR, "procs": 4, "wait": wait})


def kind(found, name):
    return found[found["waits"] == name]


def test_every_job_after_four_weeks_is_predicted_by_every_predictor():
    found = predict(ROW, log(), 4, Settings(), forks=400)
    count = 400 - LEARNING * WEEK // (3 * HOUR)
    assert found["waits"].value_counts().to_dict() == {RECORDED: count, EASY: count}
    assert found["week"].min() == LEARNING
    assert found[list(ESTIMATORS)].notna().all(axis=None)


def test_recorded_waits_are_learned_from_where_there_is_a_record():
    found = kind(predict(ROW, log(), 4, Settings(), forks=5), RECORDED)
    assert set(found["wait"]) == set(found[LAST]) == set(found[MEDIAN]) == {600}
    assert set(found[BOUND]) == {600}
    # no job runs or waits any more when the next comes, as an observer of the queue sees it
    assert found[QUEUE].dropna().tolist() == [0] * 5


def test_waits_under_easy_are_those_of_the_simulated_queue():
    found = kind(predict(ROW, log(every=HOUR, count=1000), 4, Settings(), forks=3), EASY)
    # each runs for two hours and one comes every hour: job k waits k hours, but asked for four
    first = LEARNING * WEEK // HOUR
    assert found["wait"].tolist() == [HOUR * place for place in range(first, 1000)]
    asked = found[found[QUEUE].notna()]
    assert asked.index[[0, -1]].tolist() == found.index[[0, -1]].tolist()
    assert len(asked) == 3
    assert (asked[QUEUE] > asked["wait"]).all()


def test_jobs_without_a_known_wait_are_left_out_of_recorded_waits_only():
    jobs = log()
    jobs.loc[jobs.index % 2 == 1, "wait"] = -1
    found = predict(ROW, jobs, 4, Settings(), forks=5)
    assert len(kind(found, RECORDED)) == len(kind(found, EASY)) // 2
    assert set(kind(found, RECORDED)["wait"]) == {600}


@pytest.mark.parametrize("jobs", [log().drop(columns="wait"), log(wait=-1)])
def test_only_waits_under_easy_exist_without_a_record(jobs):
    assert set(predict(ROW, jobs, 4, Settings(), forks=5)["waits"]) == {EASY}


@pytest.mark.slow
def test_the_learner_is_run_with_both_rates():
    slow = predict(ROW, log(), 4, Settings(), forks=5)
    falling = predict(ROW, log(), 4, replace(Settings(), power=0.5), forks=5)
    assert slow[FALLING].tolist() == falling[FALLING].tolist() == falling[ASA].tolist()
    assert slow[ASA].tolist() != slow[FALLING].tolist()


def test_unavailable_log_has_a_row_that_is_marked():
    table = waits_table({"SITE": predict(ROW, log(0), 4, Settings(), forks=5)})
    assert list(table.columns) == SCORED
    assert table.loc[0, ["log", "waits", "estimator"]].tolist() == ["SITE", "-", NOT_AVAILABLE]
    assert table.drop(columns=["log", "waits", "estimator"]).isna().all(axis=None)
    assert headline(table) == "No log is available."


def scored(week, wait, **columns):
    """Rows in the columns of `predict`: by default each predictor is right."""
    table = pd.DataFrame({"waits": RECORDED, "week": week, "wait": wait})
    table = table.assign(procs=1, runtime=3600, estimate=3600)
    for name in ESTIMATORS:
        table[name] = columns.get(name.replace(" ", "_"), table["wait"].astype(float))
    return table


def row_of_estimator(table, name):
    return table.set_index("estimator").loc[name]


def test_errors_are_means_over_jobs_and_of_the_sample():
    asked = [np.nan, 40.0, np.nan, 40.0]
    own = scored([4, 4, 5, 6], [0, 10, 20, 30], last_wait=[4, 10, 0, 30], queue_simulation=asked)
    table = waits_table({"SITE": own})
    last, queue = row_of_estimator(table, LAST), row_of_estimator(table, QUEUE)
    assert (last["jobs"], last["wait"], last["error"], last["on sample"]) == (4, 15, 6, 0)
    assert (last["gain"], queue["gain"]) == (9, 0)
    assert (queue["jobs"], queue["wait"], queue["error"], queue["on sample"]) == (2, 20, 20, 20)


def test_a_wait_that_is_its_prediction_is_covered():
    own = scored([4, 5, 6, 7], [10, 10, 10, 10], quantile_bound=[9, 10, 11, 12])
    row = row_of_estimator(waits_table({"SITE": own}), BOUND)
    assert (row["covered"], row["target"]) == (75, 95)
    assert row_of_estimator(waits_table({"SITE": own}), MEDIAN)["target"] == 50


@pytest.mark.parametrize(
    ("wait", "predicted", "near"),
    [
        (0, 60, True), (0, 61, False), (60, 0, True), (61, 0, False),
        (1000, 2000, True), (1000, 2001, False), (2000, 1000, True), (2001, 1000, False),
    ],
)  # fmt: skip
def test_near_is_within_a_factor_of_two_or_a_minute(wait, predicted, near):
    row = row_of_estimator(waits_table({"SITE": scored([4], [wait], last_wait=[predicted])}), LAST)
    assert row["near"] == 100 * near


def test_intervals_draw_weeks_and_need_three():
    two = scored([4, 4, 5], [0, 0, 0], last_wait=[1.0, 1.0, 4.0])
    row = row_of_estimator(waits_table({"SITE": two}), LAST)
    assert (row["error low"], row["error high"]) == (-np.inf, np.inf)
    # of three weeks two neighbours and one more are drawn: all alike, or any of the three missing
    three = scored([4, 5, 6], [0, 0, 0], last_wait=[0.0, 3.0, 6.0])
    row = row_of_estimator(waits_table({"SITE": three}), LAST)
    assert (row["error low"], row["error high"]) == (1.0, 5.0)


def test_a_week_counts_as_often_as_it_has_jobs():
    """One week has ten jobs and no error: no resample with it comes near those without."""
    own = scored([4] * 10 + [5, 6], [0] * 12, last_wait=[0.0] * 10 + [12.0, 12.0])
    row = row_of_estimator(waits_table({"SITE": own}), LAST)
    assert row["error"] == 2
    assert row["error high"] == 12
    assert row["error low"] == pytest.approx(12 / 21)


def test_the_headline_counts_logs_by_the_least_error_on_the_sample():
    one = scored([4, 5, 6], [100] * 3, **{
        name.replace(" ", "_"): [150.0] * 3 for name in ESTIMATORS if name != MEDIAN
    })  # fmt: skip
    other = scored([4, 5, 6], [100] * 3, **{
        name.replace(" ", "_"): [90.0] * 3 for name in ESTIMATORS if name != LAST
    })  # fmt: skip
    said = headline(waits_table({"ONE": one, "OTHER": other}))
    assert said.startswith("Recorded waits: the mean error is least with ")
    assert "running median on 1" in said
    assert "last wait on 1" in said
    assert "of 2 logs. It is significantly less than that of predicting 0 on 2. " in said
    assert " Lost core-hours are fewest with " in said
    assert "Bounds that cover significantly less than 95 %: " in said
    assert "quantile bound on OTHER" in said


@pytest.mark.parametrize(("predicted", "told"), [(1.0, 1), (0.0, 0)])
def test_gain_is_reported_if_its_interval_is_above_0(predicted, told):
    """Who says 1 s of waits of 100 s errs by 99 s: less than who says 0."""
    says = {name.replace(" ", "_"): [predicted] * 3 for name in ESTIMATORS}
    table = waits_table({"SITE": scored([4, 5, 6], [100] * 3, **says)})
    assert f"less than that of predicting 0 on {told}. " in headline(table)


@pytest.mark.parametrize(
    ("bound", "said"), [(99.0, "quantile bound on SITE."), (100.0, "95 %: none.")]
)
def test_the_bound_covers_less_where_its_whole_interval_is_below(bound, said):
    own = scored([4, 5, 6], [100, 100, 100], quantile_bound=[99.0, bound, bound])
    assert headline(waits_table({"SITE": own})).endswith(said)


def test_models_are_not_called_logs_in_sentences_and_are_short_in_the_figure():
    name = "model, 100 processors (stands in for KTH-SP2)"
    table = waits_table({name: scored([4, 5, 6], [100] * 3, quantile_bound=[99.0] * 3)})
    said = headline(table)
    assert "of 1 model workloads. It is" in said
    assert "logs" not in said
    assert f"quantile bound on {name}" in said
    figure = draw_waits(table, "title")
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["model, 100 proc."]
    assert "of 1 model workloads (" in figure.get_suptitle().replace("\n", " ")
