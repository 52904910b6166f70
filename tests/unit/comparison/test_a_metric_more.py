"""A new metric needs one entry of the registry: every study and command has it."""

from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import schedlab
from referee_case import JOBS, RUNS
from schedlab.cli import app
from schedlab.comparison.comparing import heading_of
from schedlab.comparison.settings import ContestSettings
from schedlab.core.metrics import METRICS, Metric
from schedlab.report.items import Study
from schedlab.studies.arena import items as arena
from schedlab.studies.referee.metrics import figures_of
from schedlab.studies.site.comparison import compare_on_site, standings
from site_case import site_log

MEDIAN = Metric("p50_wait", "median wait", "s", "", lambda counted: np.median(counted.wait))
ADVICE = {"longest_wait": 3, "most_loss": 0.1, "late_days": 1, "allow_youth": False}


@pytest.fixture(autouse=True)
def median(monkeypatch):
    monkeypatch.setitem(METRICS, MEDIAN.name, MEDIAN)


@pytest.fixture
def log(tmp_path):
    return schedlab.load_log(site_log(tmp_path / "site.swf"))


def test_policies_are_compared_by_it(log):
    found = schedlab.compare(log, ["fcfs", "spt"], days=7, metric="p50_wait")
    result = schedlab.simulate(log, "spt").schedule
    inside = (log.jobs.submit >= 7 * 86_400) & (log.jobs.submit < 14 * 86_400)
    waits = (result.start - log.jobs.submit)[inside]
    assert found.windows.loc[0, "SPT"] == np.median(waits)
    assert heading_of("p50_wait") == "median wait, s"


def test_the_command_takes_it(log):
    words = ["compare", str(log.path), "--days", "7", "--metric", "p50_wait", "--policy", "fcfs"]
    found = CliRunner().invoke(app, [*words, "--policy", "spt"])
    assert found.exit_code == 0, found.output
    assert "median wait, s" in found.output


def test_site_and_arena_have_it_in_results_ranks_and_items(log):
    settings = ContestSettings("site", "SITE", log.processors, 7, ("fcfs", "spf"), 10.0)
    frame = log.frame.assign(number=log.jobs.number)
    results, _, _ = compare_on_site(settings, frame, {}, {}, 3, ADVICE)
    assert results["p50_wait"].notna().any()
    assert standings(results)["p50_wait"].metric == "p50_wait"
    row = SimpleNamespace(experiment="toy", label="Toy", name="Toy", source="toy")
    config = {"source": "models", "advice": ADVICE}
    (group,) = arena.groups(Study("arena", (row,), config, str))
    assert {"p50_wait", "fig_p50_wait"} <= {item.name for item in group.items}


def test_the_referee_has_it_of_every_run():
    figures = figures_of(JOBS, RUNS)
    starts = [start for start, _ in RUNS.values()]
    medians = [np.median(start - JOBS.submit) for start in starts]
    assert figures["p50_wait"].tolist() == medians
