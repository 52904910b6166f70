"""Results of a small arena, and its page to explore."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from arena_case import FACTORS, LABELS, SCHEDULES, SHOWN
from schedlab.comparison.choice import choose, rule_of, why_not
from schedlab.comparison.standing import compare_by_metric
from schedlab.comparison.tables import survivors
from schedlab.core.metrics import CONTEST, shown_in, window_metrics
from schedlab.core.windows import WHOLE
from schedlab.files.config import read_yaml
from schedlab.report.pages import render
from schedlab.report.scoreboard import COLUMNS
from schedlab.report.tables import write_csv
from schedlab.report.verdicts import ARITHMETIC, REPRODUCED
from schedlab.studies.arena.cells import cells_of, windows_of_cells
from schedlab.studies.arena.explore import context
from words_case import text_of

ROOT = Path(__file__).parents[4]
ADVICE = {"longest_wait": 3, "most_loss": 0.1, "allow_youth": False}


@pytest.fixture(scope="session")
def small_arena():
    """Results of two logs, and the standings and cells computed from them."""
    stream = np.random.default_rng(3)
    rows = []
    for log in LABELS:
        base = stream.lognormal(3, 0.8, 9)
        for name, factor in FACTORS.items():
            if log == "b" and name == "easy_pp":
                continue
            values = base * factor * stream.lognormal(0, 0.1 * (name != "fcfs"), 9)
            # window 0 is the whole log
            for window, value in enumerate(values):
                rows.append(
                    {"experiment": log, "scheduler": name, "window": window, "jobs": 9}
                    | {
                        metric: value * (1 + 0.1 * place)
                        for place, metric in enumerate(shown_in(CONTEST))
                    }
                )
    results = pd.DataFrame(rows)
    assert WHOLE in set(results["window"])
    standings = {name: compare_by_metric(results, name) for name in window_metrics()}
    verdicts = survivors(standings, ADVICE["most_loss"])
    choice = choose(standings, verdicts, results, frozenset(), LABELS, ADVICE)
    return SimpleNamespace(
        results=results,
        choice=choice,
        why_not=why_not(choice, standings, verdicts),
        standings=standings,
        cells=cells_of(results, standings, LABELS, 3),
        windows=windows_of_cells(results, LABELS),
    )


@pytest.fixture(scope="session")
def board():
    """A scoreboard: three computed numbers, two that are not compared, and an arithmetic one."""
    nothing = dict.fromkeys(COLUMNS, "") | {"relative": np.nan, "minutes": np.nan}
    rows = [
        ("Table 1", "FCFS", "200", "100", "differs", "yes"),
        ("Table 1", "SAF", "50.0", "50.04", "match", ""),
        ("Text", "gain", "-3", "-3.2", "match", ""),
        ("Text", "weeks", "9", "8", "log not available", ""),
        ("Text", "form", "r · n", "r · n", "match", ""),
        ("Text", "sum", "7", "7", "match", ""),
    ]
    names = ["label", "cell", "published", "computed", "verdict", "explained"]
    table = pd.DataFrame([nothing | dict(zip(names, row, strict=True)) for row in rows])
    numbers = table[["published", "computed"]].apply(pd.to_numeric, errors="coerce")
    compared = table["verdict"] != "log not available"
    difference = (numbers["computed"] - numbers["published"]).where(compared)
    items = {"Table 1": "table1", "Text": "text"}
    table["kind"] = np.where(table["cell"] == "sum", ARITHMETIC, REPRODUCED)
    return table.assign(paper="one2020", item=table["label"].map(items), difference=difference)


@pytest.fixture
def explore_page(small_arena, board, tmp_path):
    """Write the page to explore, and return its file."""

    def make(name="explore.html", board=board):
        write_csv(small_arena.cells, tmp_path / "cells.csv")
        write_csv(small_arena.windows, tmp_path / "window_cells.csv")
        write_csv(small_arena.why_not, tmp_path / "why_not.csv")
        (tmp_path / "findings.txt").write_text("Recommendation: run SAF.\nMore.")
        rule = text_of("arena", "rule", rule_of(small_arena.choice))
        (tmp_path / "rule.txt").write_text(rule)
        files = ["cells.csv", "window_cells.csv", "why_not.csv", "findings.txt", "rule.txt"]
        render(
            ROOT / "workflow/report",
            ROOT / "workflow/report/arena/explore.html.j2",
            {"key": "arena", "title": "The arena", "authors": "All", "venue": "here"}
            | {"summary": "Runs.", "papers": [{"key": "carastan2017"}]}
            | {"linked": {"arena.html": "Arena", "explore.html": "Explore"}},
            [tmp_path / file for file in files],
            {"why_not": "How to read it."},
            [],
            read_yaml(ROOT / "config/config.yaml") | {"source": "logs"},
            tmp_path / name,
            further=lambda tables: context(
                tables["cells"], tables["window_cells"], SCHEDULES, SHOWN, board
            ),
        )
        return tmp_path / name

    return make


@pytest.fixture
def facts_of():
    """Return what the script of a page to explore reads."""

    def read(path):
        text = path.read_text(encoding="utf-8")
        opening = '<script id="facts" type="application/json">'
        return json.loads(text.partition(opening)[2].partition("</script>")[0])

    return read
