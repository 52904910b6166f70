"""Replicates on a small machine: strategies have the same queue for any number of threads."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.report.figures.style import numbers_of
from schedlab.studies.souza2020.accuracy import BETWEEN, lasting, repeat_workflow, run_series
from schedlab.studies.souza2020.evidence import by_workflow
from schedlab.studies.souza2020.figures.diagrams import dag, shown_run
from schedlab.studies.souza2020.figures.makespans import add_published, draw_stacks, stacks
from schedlab.studies.souza2020.runs import OTHERS, PAPERS, POOLED, Site, learning_of, run_all
from schedlab.studies.souza2020.shapes import workflow_of
from schedlab.studies.souza2020.sheet import Practice, WaitSettings
from schedlab.waits.background import BURN_IN, DAY, STAY, UnknownError, scale_background
from schedlab.waits.backtest_predictors import ASA, FALLING
from schedlab.waits.strategies import STRATEGIES
from souza_case import SHAPES, jobs_of

LEARNING = {"alternatives": [10, 100, 1000], "repetitions": 5, "rate": 1.0, "power": 0.5}


@pytest.fixture(scope="module")
def jobs():
    return jobs_of(63)


def site(replicates=2, cores=(320,)):
    settings = WaitSettings("small", "made", 960, cores, 1.0, replicates)
    return Site(settings, SHAPES, learning_of(LEARNING), Practice(4, 600, 60))


@pytest.fixture(scope="module")
def stages(jobs):
    return run_all(site(), jobs, 4, threads=1)


@pytest.mark.slow
def test_results_do_not_depend_on_threads(jobs, stages):
    assert stages.equals(run_all(site(), jobs, 4, threads=2))


def test_every_strategy_runs_every_workflow_of_a_scale(stages):
    found = by_workflow(stages)
    assert len(found) == 2 * 2 * (len(PAPERS) + len(OTHERS))
    assert set(zip(found["strategy"], found["estimator"], strict=True)) == {*PAPERS, *OTHERS}


def test_pools_run_at_the_instants_of_the_strategies(jobs, stages):
    found = run_all(site(), jobs, 4, threads=2, ways=POOLED)
    assert found.equals(run_all(site(), jobs, 4, threads=1, ways=POOLED))
    keys = ["replicate", "scale", "workflow"]
    submitted = stages.drop_duplicates(keys).set_index(keys)["at"]
    own = found.drop_duplicates([*keys, "strategy"]).set_index(keys)["at"]
    assert (own == submitted.loc[own.index]).all()
    runs = by_workflow(found)
    assert set(zip(runs["strategy"], runs["estimator"], strict=True)) == {*POOLED}
    seconds = runs["workflow"].map({"Montage": 1000, "BLAST": 500})
    assert (runs["makespan"] == seconds + runs["twt"]).all()
    used = runs[runs["workflow"] == "Montage"]
    hours = used["core_hours"] - used["idle_hours"]
    assert hours.to_numpy() == pytest.approx((320 * 600 + 400) / 3600)


def test_makespan_is_time_and_waits_where_stages_follow_each_other(stages):
    found = by_workflow(stages)
    seconds = found["workflow"].map({"Montage": 1000, "BLAST": 500})
    # as one job it is another run
    seconds += 200 * ((found["strategy"] == "Big Job") & (found["workflow"] == "Montage"))
    assert (found["makespan"] == seconds + found["twt"]).all()


def test_core_hours_are_of_the_shape_plus_idle_time(stages):
    found = by_workflow(stages).set_index(["strategy", "workflow"])
    big = found.loc[("Big Job", "Montage"), "core_hours"]
    assert big.to_numpy() == pytest.approx(320 * 1200 / 3600)
    asa = found.loc[("ASA", "Montage")]
    assert asa["core_hours"].to_numpy() == pytest.approx((320 * 600 + 400) / 3600)
    naive = found.loc[("ASA Naive", "Montage")]
    used = naive["core_hours"] - naive["idle_hours"]
    assert used.to_numpy() == pytest.approx((320 * 600 + 400) / 3600)


def test_runs_without_jobs_are_empty():
    none = Jobs([], [], [], [], [])
    assert by_workflow(run_all(site(), none, 4, threads=1)).empty
    assert run_series(site(), none, 4, 2, {"near": 60}, threads=1).empty


def test_series_has_the_configured_number_of_submissions(jobs):
    found = run_series(site(1), jobs, 4, 3, {"near": 60, "far": 600}, threads=1)
    first = found[found["stage"] == "parallel 1"]
    assert first.groupby(["spacing", "workflow", "estimator"]).size().tolist() == [3] * 8


def test_with_falling_rates_configured_both_learners_do_the_same(jobs):
    assert learning_of(LEARNING).power == 0.5
    one = site(1)
    runs = run_all(one, jobs, 4, threads=1)
    series = run_series(one, jobs, 4, 3, {"near": 60}, threads=1)
    for found in (runs, series):
        own, falling = (
            found[found["estimator"] == name].drop(columns="estimator").reset_index(drop=True)
            for name in (ASA, FALLING)
        )
        assert len(own)
        assert own.equals(falling)


def test_a_series_is_so_many_s_apart_and_lasts_as_long_as_the_longest_one():
    assert repeat_workflow("BLAST", 3, 7) == [("BLAST", 0), ("BLAST", 7), ("BLAST", 14)]
    assert lasting(site(), 3, (60, 600)) == 4 * 600 + 2 * 600


def test_series_share_no_days(jobs):
    found = run_series(site(3), jobs, 4, 3, {"near": 60, "far": 2 * DAY}, threads=1)
    spans = found.groupby("replicate")["at"].agg(["min", "max"])
    assert spans["min"].is_monotonic_increasing
    assert len(spans) == 3
    between = spans["min"].to_numpy()[1:] - spans["max"].to_numpy()[:-1]
    # series begin when the jobs before them have started, which may take a day here
    assert (between >= BETWEEN - DAY).all()
    assert spans["min"].iloc[0] >= BURN_IN
    with pytest.raises(ValueError, match=r"4 instants with 6\.0 days each do not fit"):
        run_series(site(4), jobs, 4, 3, {"far": 2 * DAY}, threads=1)


def test_last_replicate_ends_before_the_log(stages, jobs):
    assert stages["at"].max() <= jobs.submit[-1] - STAY


def test_run_beyond_the_known_jobs_is_an_error(jobs):
    session = next(scale_background(jobs, 4, 960, 1.0).at(np.array([15 * DAY])))
    own, entering = site(), [("Montage", 0)]
    with pytest.raises(UnknownError, match="later arrivals are unknown"):
        own.submissions(session.fork(), 320, STRATEGIES["Big Job"], None, entering, 15 * DAY + 999)
    with pytest.raises(UnknownError, match="later arrivals are unknown"):
        own.warmed(session, 320, 15 * DAY + 600)


def test_warm_up_ends_at_the_start_of_its_last_job():
    """The machine is taken until 5000 s after the instant, when all 8 have been submitted."""
    log = Jobs([0, 1, 2], [0, 15 * DAY, 50 * DAY], [1, 5000, 1], [1, 5000, 1], [1, 4, 1])
    session = next(scale_background(log, 4, 960, 1.0).at(np.array([15 * DAY])))
    waits = site().warmed(session, 320, 20 * DAY)
    starts = np.array([wait for _, wait in waits])
    assert len(waits) == 8
    assert starts.max() == 5000
    assert session.now >= 15 * DAY + 5000
    quiet = next(scale_background(log, 4, 960, 1.0).at(np.array([14 * DAY])))
    assert [wait for _, wait in site().warmed(quiet, 320, 20 * DAY)] == [0] * 8
    assert quiet.now == 14 * DAY + 7 * 300


def test_stacks_add_up_to_makespans(stages):
    table = stacks(stages, "Montage")
    total = table.groupby("bar")[["wait", "time"]].sum().sum(axis=1)
    assert total.to_numpy() == pytest.approx(table.groupby("bar")["makespan"].first().to_numpy())


def test_the_run_that_is_shown_is_one_replicate_from_its_submission(stages):
    found = shown_run(stages, [("Per-Stage", "-")])
    assert found["submit"].iloc[0] == 0
    assert len(found) == len(dag(workflow_of(SHAPES.iloc[0].to_dict()))) == 4


@pytest.mark.parametrize("makespan", ["3600", None])
def test_stacks_have_the_published_makespan_of_a_strategy(stages, makespan):
    table = stacks(stages, "Montage")
    scale = table["scale"].iloc[0]
    names = ["Big Job makespan", "Per-Stage makespan", "ASA makespan"]
    printed = pd.DataFrame({name: ["3600"] for name in names}, index=[f"Montage {scale}"])
    shown = add_published(table, "Montage", printed if makespan else printed.iloc[:0])
    by_bar = shown[shown["scale"] == scale].groupby("bar")["published"].first()
    wanted = [1.0] if makespan else []
    assert by_bar.drop("Naive", errors="ignore").dropna().unique().tolist() == wanted
    assert by_bar.reindex(["Naive"]).isna().all()
    figure = draw_stacks(shown, dict.fromkeys(table["scale"], "System"), "Montage", "what ran")
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels.count("published") == len(wanted)
    names = {name for name, *_ in numbers_of(figure)}
    bars = {"Big", "Per", "ASA"} & set(shown.loc[shown["scale"] == scale, "bar"])
    expected = {"Big": "Big Job", "Per": "Per-Stage", "ASA": "ASA"}
    runs = {f"table1 | Montage {scale} | {expected[bar]} makespan" for bar in bars}
    assert names == (runs if makespan else set())
