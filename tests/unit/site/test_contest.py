"""Schedulers on a site's windows beside what the site did."""

import numpy as np
import pandas as pd
import pytest

from schedlab.arena.measures import METRICS
from schedlab.arena.sheet import ContestSettings
from schedlab.site.contest import fight, metric_beside, recorded, standings
from schedlab.workbench.log import load_log
from schedlab.workbench.results import RECORDED
from site_case import site_log

DAY = 86_400
SETTINGS = ContestSettings("site", "SITE", 4, 2, 10, 0, ("fcfs", "spf"), 10.0)


def jobs(wait):
    """Forty days, a job of an hour on all four processors each; all waited as long."""
    columns = {"number": np.arange(40), "submit": np.arange(40) * DAY, "runtime": 3600}
    return pd.DataFrame(columns | {"estimate": 7200, "procs": 4, "user": 1, "wait": wait})


def test_the_record_is_measured_on_the_same_windows():
    results, facts = fight(SETTINGS, jobs(1800), {}, {}, 3)
    assert results["scheduler"].unique().tolist() == ["fcfs", "spf", RECORDED]
    own = results[results["scheduler"] == RECORDED]
    beside = results[results["scheduler"] == "fcfs"]
    assert own["window"].tolist() == beside["window"].tolist() == [1, 2]
    assert own["jobs"].tolist() == beside["jobs"].tolist()
    assert set(own["wait"]) == set(own["p95_wait"]) == {1800.0}
    assert set(own["bsld"]) == {1.5}
    assert set(own["response"]) == {5400.0}
    assert set(beside["wait"]) == {0.0}
    assert facts["windows"].tolist() == [2]


def test_a_job_of_a_window_whose_wait_is_not_known_leaves_no_record():
    frame = jobs(1800)
    frame.loc[frame.index[-1], "wait"] = -1
    assert recorded(SETTINGS, frame).empty
    # one before all windows is not asked for
    frame = jobs(1800)
    frame.loc[0, "wait"] = -1
    assert len(recorded(SETTINGS, frame)) == 2


def test_a_job_that_did_not_wait_is_one_whose_wait_is_known():
    assert recorded(SETTINGS, jobs(0))["wait"].tolist() == [0.0, 0.0]


def test_a_log_without_a_window_has_no_rows():
    results, facts = fight(SETTINGS, jobs(1800)[:5], {}, {}, 3)
    assert results.empty
    assert facts["windows"].tolist() == [0]


def made(**ratios):
    """Results where each scheduler has a fixed ratio to EASY by every metric."""
    base = [2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0]
    return pd.DataFrame([
        {"experiment": "site", "scheduler": name, "window": window, "jobs": 10}
        | {metric: value * ratio for metric in METRICS}
        for name, ratio in {"fcfs": 1.0, **ratios}.items()
        for window, value in enumerate(base)
    ])  # fmt: skip


def test_who_is_held_to_the_record_is_beside_easy():
    results = made(spf=0.5, **{RECORDED: 4.0})
    simulated, beside = standings(results)
    assert RECORDED not in simulated["wait"].ratios.index
    assert list(simulated["wait"].ranks.index) == ["fcfs", "spf"]
    table = metric_beside(simulated["wait"], beside["wait"], "SITE").set_index("scheduler")
    assert table.loc["SPF", ["ratio", "to record", "against record"]].tolist() == [
        pytest.approx(0.5), pytest.approx(0.125), "better",
    ]  # fmt: skip
    assert table.loc["EASY", "to record"] == pytest.approx(0.25)
    own = table.loc[RECORDED]
    assert own[["ratio", "low", "high"]].tolist() == pytest.approx([4, 4, 4])
    assert own["SITE"] == pytest.approx(20)
    assert np.isnan(own["to record"])


def test_the_interval_of_the_record_lies_around_its_ratio():
    results = made(**{RECORDED: 4.0})
    results.loc[(results["scheduler"] == RECORDED) & (results["window"] == 0), "wait"] *= 9
    simulated, beside = standings(results)
    own = metric_beside(simulated["wait"], beside["wait"], "SITE").iloc[-1]
    assert own["low"] < own["ratio"] < own["high"]


def test_without_a_record_only_easy_is_held_to():
    simulated, beside = standings(made(spf=0.5))
    assert beside is None
    assert "to record" not in metric_beside(simulated["wait"], None, "SITE")


def test_a_real_log_is_fought_over_with_its_own_policy(tmp_path):
    log = load_log(site_log(tmp_path / "a.swf", jobs=400, waits=True))
    settings = ContestSettings("site", "a", 16, 3, 7, 1, ("fcfs", "l1", "w_train"), 10.0)
    results, facts = fight(settings, log.frame, {"l1": "r * n"}, {"mine": "n"}, 3)
    names = results["scheduler"].unique().tolist()
    assert names == ["fcfs", "l1", "w_train", "mine", RECORDED]
    assert facts["weights"].iloc[0]


def test_the_contest_runs_in_the_sites_dialect():
    """Four jobs of an hour at once: each holds Slurm's processors a second more."""
    frame = jobs(1800).assign(submit=np.repeat(np.arange(10) * 4 * DAY, 4))
    usual, _ = fight(SETTINGS, frame, {}, {}, 3)
    slurm, _ = fight(SETTINGS, frame, {}, {}, 3, dialect="slurm")
    waits = [one[one["scheduler"] == "fcfs"]["wait"].tolist() for one in (usual, slurm)]
    # waits of 0, 1, 2 and 3 hours; with 1, 2 and 3 seconds more
    assert waits == [[5400.0, 5400.0], [5401.5, 5401.5]]
