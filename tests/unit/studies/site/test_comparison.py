"""Schedulers on a site's log, compared with the recorded schedule."""

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE, results_of
from schedlab.comparison.settings import ContestSettings
from schedlab.studies.site.comparison import (
    TODAY,
    against_record,
    compare_on_site,
    metric_with_record,
    metrics_of_record,
    standings,
)
from schedlab.workbench.log import load_log
from schedlab.workbench.results import RECORDED
from site_case import site_log

DAY = 86_400
SETTINGS = ContestSettings("site", "SITE", 4, 10, ("fcfs", "spf"), 10.0)


def jobs(wait):
    """Forty days, a job of an hour on all four processors each; all waited as long."""
    columns = {"number": np.arange(40), "submit": np.arange(40) * DAY, "runtime": 3600}
    return pd.DataFrame(columns | {"estimate": 7200, "procs": 4, "user": 1, "wait": wait})


def test_the_record_is_measured_on_the_same_windows():
    results, facts, _ = compare_on_site(SETTINGS, jobs(1800), {}, {}, 3, ADVICE)
    assert results["scheduler"].unique().tolist() == ["fcfs", "spf", RECORDED]
    own = results[results["scheduler"] == RECORDED]
    fcfs = results[results["scheduler"] == "fcfs"]
    assert own["window"].tolist() == fcfs["window"].tolist() == [0, 1, 2]
    assert own["jobs"].tolist() == fcfs["jobs"].tolist()
    assert set(own["wait"]) == set(own["p95_wait"]) == {1800.0}
    assert set(own["bsld"]) == {1.5}
    assert set(own["response"]) == {5400.0}
    assert set(fcfs["wait"]) == {0.0}
    assert facts["windows"].tolist() == [2]


def test_unknown_wait_in_a_window_gives_no_record():
    frame = jobs(1800)
    frame.loc[20, "wait"] = -1
    assert metrics_of_record(SETTINGS, frame).empty
    # one before all windows, or behind them, is not asked for
    frame = jobs(1800)
    frame.loc[[0, 39], "wait"] = -1
    assert len(metrics_of_record(SETTINGS, frame)) == 3


def test_wait_of_zero_is_a_known_wait():
    assert metrics_of_record(SETTINGS, jobs(0))["wait"].tolist() == [0.0, 0.0, 0.0]


def test_a_log_without_a_window_has_no_rows():
    results, facts, _ = compare_on_site(SETTINGS, jobs(1800)[:5], {}, {}, 3, ADVICE)
    assert results.empty
    assert facts["windows"].tolist() == [0]


def results_with(**ratios):
    """Results where each scheduler has a fixed ratio to EASY by every metric."""
    ratios = {name: {"all": ratio} for name, ratio in ratios.items()}
    return results_of([2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0], first=1, **ratios)


@pytest.mark.slow
def test_the_record_is_the_last_row_of_a_table_without_a_ratio():
    results = results_with(spf=0.5, **{RECORDED: 4.0})
    simulated = standings(results)
    assert RECORDED not in simulated["wait"].ratios.index
    assert list(simulated["wait"].ranks.index) == ["fcfs", "spf"]
    table = metric_with_record(simulated["wait"], results, "SITE").set_index("scheduler")
    assert table.loc["SPF", "ratio"] == pytest.approx(0.5)
    own = table.loc[RECORDED]
    assert own["SITE"] == pytest.approx(20)
    assert own[["ratio", "low", "high", "rank"]].isna().all()
    alone = results_with(spf=0.5)
    table = metric_with_record(standings(alone)["wait"], alone, "SITE")
    assert RECORDED not in table["scheduler"].tolist()


@pytest.mark.parametrize(("record", "ratio"), [(1.3, 0.5 / 1.3), (1.34, None), (0.79, None)])
def test_ratio_to_recorded_waits_needs_a_close_simulation(record, ratio):
    """1 / 1.33 is 0.75, 1 / 0.8 is 1.25."""
    found = against_record(results_with(spf=0.5, **{RECORDED: record}), "spf")
    assert found == (None if ratio is None else pytest.approx(ratio))


def test_todays_scheduler_is_the_one_compared_with_the_record():
    results = results_with(spf=0.5, **{RECORDED: 4.0, TODAY: 4.1})
    assert against_record(results, "spf") == pytest.approx(0.125)
    assert against_record(results_with(spf=0.5), "spf") is None


def test_real_log_is_scheduled_with_learned_and_user_policies(tmp_path):
    log = load_log(site_log(tmp_path / "a.swf", jobs=400, waits=True))
    settings = ContestSettings("site", "a", 16, 7, ("fcfs", "l1", "w_train"), 10.0)
    results, facts, _ = compare_on_site(
        settings, log.frame, {"l1": "r * n"}, {"mine": "n"}, 3, ADVICE
    )
    names = results["scheduler"].unique().tolist()
    assert names == ["fcfs", "l1", "w_train", "mine", RECORDED]
    assert facts["weights"].iloc[0]


def test_comparison_runs_in_the_sites_dialect():
    """Four jobs of an hour at once: each holds Slurm's processors a second more."""
    frame = jobs(1800).assign(submit=np.repeat(np.arange(10) * 4 * DAY, 4))
    usual, slurm = (
        compare_on_site(SETTINGS, frame, {}, {}, 3, ADVICE, dialect=cell).results
        for cell in ("full", "slurm")
    )
    waits = [
        one[(one["scheduler"] == "fcfs") & (one["window"] > 0)]["wait"].tolist()
        for one in (usual, slurm)
    ]
    # waits of 0, 1, 2 and 3 hours; with 1, 2 and 3 seconds more
    assert waits == [[5400.0, 5400.0], [5401.5, 5401.5]]
