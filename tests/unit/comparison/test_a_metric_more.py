"""A new metric needs one entry of the registry: every study, page and command has it."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from jinja2 import ChainableUndefined
from typer.testing import CliRunner

import schedlab
from contest_case import ADVICE
from docs_case import ROOT
from page_case import TEMPLATES
from referee_case import JOBS, RUNS, compare_windows
from schedlab.cli import app
from schedlab.comparison.comparing import heading_of
from schedlab.comparison.settings import ContestSettings
from schedlab.core.metrics import METRICS, Metric
from schedlab.files.config import read_yaml
from schedlab.report.items import Study
from schedlab.report.pages import _environment
from schedlab.studies.arena import items as arena
from schedlab.studies.referee.findings import findings, referee_table
from schedlab.studies.referee.metrics import figures_of
from schedlab.studies.site.comparison import compare_on_site, standings
from schedlab.studies.site.figures import draw_ratios
from site_case import site_log

MIDDLE = Metric("p40_wait", "middle wait", "s", "of most", lambda one: np.percentile(one.wait, 40))
FIRST = Metric("first", "first wait", "s", "of one", lambda one: one.wait[0], tail=True)


@pytest.fixture(autouse=True)
def more(monkeypatch):
    for metric in (MIDDLE, FIRST):
        monkeypatch.setitem(METRICS, metric.name, metric)
    _environment.cache_clear()
    yield
    _environment.cache_clear()


@pytest.fixture
def log(tmp_path):
    return schedlab.load_log(site_log(tmp_path / "site.swf"))


def call(*words):
    found = CliRunner().invoke(app, list(map(str, words)))
    assert found.exit_code == 0, found.output
    return found.stdout


def test_policies_are_compared_by_it(log):
    found = schedlab.compare(log, ["fcfs", "spt"], days=7, metric="p40_wait")
    result = schedlab.simulate(log, "spt").schedule
    inside = (log.jobs.submit >= 7 * 86_400) & (log.jobs.submit < 14 * 86_400)
    waits = (result.start - log.jobs.submit)[inside]
    assert found.windows.loc[0, "SPT"] == np.percentile(waits, 40)
    assert heading_of("p40_wait") == "middle wait, s"


def test_commands_print_it(log):
    policies = ("--policy", "fcfs", "--policy", "spt")
    said = call("compare", log.path, "--days", "7", "--metric", "p40_wait", *policies)
    assert "middle wait, s" in said
    worst = said.split("Worst cases")[1].splitlines()[1].split("  ")
    assert "first wait" in [word.strip() for word in worst]
    said = call("simulate", log.path, *policies, "--by", "size")
    assert said.count("middle wait, s") == said.count("first wait, s") == 3
    waits = schedlab.simulate(log, "fcfs").waits
    said = json.loads(call("simulate", log.path, "--policy", "fcfs", "--json"))
    assert said["results"][0]["p40_wait"] == np.percentile(waits, 40)


def test_site_and_arena_have_it_in_results_ranks_items_and_figures(log):
    settings = ContestSettings("site", "SITE", log.processors, 7, ("fcfs", "spf"), 10.0)
    frame = log.frame.assign(number=log.jobs.number)
    results, _, _ = compare_on_site(settings, frame, {}, {}, 3, ADVICE)
    assert results["p40_wait"].notna().any()
    ranked = standings(results)
    assert ranked["p40_wait"].metric == "p40_wait"
    titles = [axes.get_title(loc="left") for axes in draw_ratios(ranked).axes]
    assert "middle wait" in titles
    row = SimpleNamespace(experiment="toy", label="Toy", name="Toy", source="toy")
    config = {"source": "models", "advice": ADVICE}
    (group,) = arena.groups(Study("arena", (row,), config, str))
    assert {"p40_wait", "fig_p40_wait", "first"} <= {item.name for item in group.items}


@pytest.mark.parametrize(
    ("study", "section", "titles"),
    [
        ("arena", "metrics", {"Middle wait"}),
        ("arena", "longest", {"First wait, s"}),
        ("site", "metrics", {"Middle wait", "First wait, s", "Of most, in s."}),
    ],
)
def test_pages_show_it(study, section, titles):
    pages = _environment(TEMPLATES).overlay(undefined=ChainableUndefined)
    parts = read_yaml(ROOT / "resources" / study / "words.yaml")["parts"]
    (part,) = (each["text"] for each in parts if f'<section id="{section}">' in each["text"])
    nothing = "{% if varargs or kwargs %}{% endif %}{% endmacro %}"
    names = ("show", "drawn", "figure", "table", "noted")
    macros = [f"{{% macro {name}() %}}{nothing}" for name in names]
    said = pages.from_string("".join([*macros, part])).render(tables=METRICS)
    assert all(f">{title}<" in said for title in titles), said


def test_the_referee_has_it_of_every_run_and_compares_it():
    figures = figures_of(JOBS, RUNS)
    starts = [start for start, _ in RUNS.values()]
    assert figures["p40_wait"].tolist() == [np.percentile(one - JOBS.submit, 40) for one in starts]
    _, summaries, rankings = compare_windows()
    assert "middle wait (s)" in referee_table(summaries)
    assert "middle wait" in [one["label"] for one in findings(summaries, rankings)["metrics"]]
