"""The instructions of the documentation run as written, and the targets they name exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pandas as pd
import pytest
from typer.testing import CliRunner

from docs_case import PAGES, ROOT, calls_of, spans
from howto_case import follow
from schedlab.cli import app
from site_case import site_log

HOWTO = ROOT / "docs/howto"
FILE = re.compile(r"results/[\w./-]+\.\w+")
# Prints which of the words given as JSON are neither a rule's name nor made by one.
UNMADE = """
import json, sys
from pathlib import Path
from snakemake.api import ConfigSettings, OutputSettings, ResourceSettings, SnakemakeApi
with SnakemakeApi(OutputSettings()) as api:
    rules = api.workflow(
        resource_settings=ResourceSettings(cores=1),
        config_settings=ConfigSettings(configfiles=[Path(one) for one in sys.argv[2:]]),
        snakefile=Path("Snakefile"),
    )._workflow.rules
    names = {rule.name for rule in rules}
    made = lambda word: word in names or any(rule.is_producer(word) for rule in rules)
    print(json.dumps([word for word in json.loads(sys.argv[1]) if not made(word)]))
"""
# what is there only with your own policy, log, rows or paper, and what `make bench` writes
OTHERWISE = re.compile(r"results/(site|bench)/|.*\bown\.|.*_own\.|.*toy2026")


def targets(page):
    """Files that a page names in backquotes, and targets of its calls of Snakemake."""
    named = [span for span in spans(page) if FILE.fullmatch(span)]
    if page.parent.name == "papers":
        folder = f"results/figures/{page.stem}"
        named += [f"{folder}/{span}" for span in spans(page) if re.fullmatch(r"\w+\.\w+", span)]
    for arguments in calls_of(page, "snakemake"):
        positional = " ".join(arguments).split(" --configfile")[0].split()
        takes = {"--cores", "--profile", "-s", "--directory", "-c"}
        before = ["", *positional]
        named += [
            word
            for word, option in zip(positional, before, strict=False)
            if not word.startswith("-") and "=" not in word and option not in takes
        ]
    return {word for word in named if not OTHERWISE.match(word)}


@pytest.fixture(scope="module")
def unmade(project):
    """Return which targets nothing makes, at the scale that their paths are of."""

    def ask(words, *files):
        done = subprocess.run(
            [sys.executable, "-c", UNMADE, json.dumps(sorted(words)), *files],
            cwd=project,
            env=os.environ | {"PYTHONPATH": str(project / "src")},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])

    return ask


def test_every_target_named_in_the_documentation_has_a_rule(unmade):
    found = set().union(*map(targets, PAGES))
    quick = {word for word in found if word.startswith("results/quick/")}
    assert len(quick) > 3
    assert len(found - quick) > 20
    assert not unmade(found - quick)
    assert not unmade(quick, "config/quick.yaml")


@pytest.fixture
def project_with_log(new_project, tmp_path):
    """Copy of the project, with a site's log in it."""
    folder = new_project(tmp_path)
    (folder / "logs").mkdir()
    site_log(folder / "logs/site.swf.gz", waits=True, processors=128)
    (folder / "site.swf.gz").symlink_to("logs/site.swf.gz")
    return folder


def run_all(calls, folder, snakemake):
    """Run the calls that a page leaves, all of this project's programs."""
    for program, *arguments in calls:
        if program.endswith("snakemake"):
            run = snakemake(folder, *arguments[2:], timeout=1800)
            assert arguments[0] == "--cores"
            assert run.returncode == 0, run.stdout
        else:
            result = CliRunner().invoke(app, arguments)
            assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("page", "made"),
    [
        ("policy", "results/quick/figures/legrand2018/table3_own.csv"),
        ("log", "results/site/figures/carastan2017/table4.csv"),
        ("scheduler", "results/quick/figures/arena/bsld.csv"),
    ],
)
def test_following_a_howto_page_gives_its_table(
    project_with_log, snakemake, monkeypatch, page, made
):
    monkeypatch.chdir(project_with_log)
    run_all(follow(HOWTO / f"{page}.md", project_with_log), project_with_log, snakemake)
    told = pd.read_csv(project_with_log / made).to_csv()
    assert {"policy": "smallest_area", "log": "our site", "scheduler": "SAF-SJBF"}[page] in told
    if page == "scheduler":
        assert "guarded_area" in told
        assert "four_each" in told
