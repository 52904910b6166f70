"""The page of one window of Table 4: its choice of window and policies."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.sequences import run_policies
from schedlab.policies import get
from schedlab.studies.carastan2017.figures.windows import choose_window, explore_window
from table4_case import LOG_ON_MODEL

SETTINGS = {
    "processors": 8,
    "decisions": "estimate",
    "backfill": "easy",
    "dialect": "full",
    "tau": 10,
    "head": 2,
    "pieces": (0, 1, 2),
}


@pytest.mark.parametrize(
    ("fcfs", "others", "expected"),
    [
        ([5, 1, 9], {"spt": [4, 4, 4], "f1": [9, 3, 3]}, ("f1", 0)),
        ([5, 1, 9], {"spt": [4, 4, 4], "f1": [9, 4, 3]}, ("spt", 0)),  # equal: the first
        ([4, 8, 2, 6], {"f1": [1, 1, 1, 1]}, ("f1", 0)),  # 4 and 6 in the middle: the lower
        ([7, 7, 7], {"f1": [9, 9, 9]}, ("f1", 1)),  # worse than FCFS, and equal windows
    ],
)
def test_the_window_is_fcfss_median_and_the_policy_the_best_of_the_others(fcfs, others, expected):
    rows = [("fcfs", piece, value) for piece, value in enumerate(fcfs)]
    rows += [
        (name, piece, each) for name, values in others.items() for piece, each in enumerate(values)
    ]
    metrics = pd.DataFrame(rows, columns=["policy", "piece", "avebsld"])
    assert choose_window(metrics) == expected


def pieces():
    rng = np.random.default_rng(2)
    runtime = rng.integers(1, 500, 90)
    return pd.DataFrame(
        {
            "piece": np.repeat([0, 1, 2], 30),
            "number": np.arange(90),
            "submit": np.sort(rng.integers(0, 4000, 90)),
            "runtime": runtime,
            "estimate": runtime * 2,
            "procs": rng.integers(1, 8, 90),
        }
    )


def test_the_page_shows_the_window_as_it_was_simulated(tmp_path):
    frame = pieces()
    policies = {name: get(name) for name in ("fcfs", "spt", "f1")}
    metrics = run_policies(frame, "mine", SETTINGS, policies)
    best, window = choose_window(metrics)
    path = tmp_path / "page.html"
    explore_window(frame, metrics, SETTINGS, "A row", path)
    page = path.read_text()
    facts = json.loads(re.search(r'<script id="facts"[^>]*>(.*?)</script>', page)[1])
    assert [each["name"] for each in facts["schedules"]] == ["FCFS", get(best).label]
    assert f"Window {window} (from 0)" in page
    assert "30 jobs on 8 processors" in page
    assert '<a href="../carastan2017.html">' in page
    assert "demonstration" not in page
    explore_window(frame, metrics, SETTINGS, LOG_ON_MODEL, path)
    assert "; a demonstration on a model workload, whose jobs are drawn" in path.read_text()


def test_unavailable_log_is_named_on_the_page(tmp_path):
    empty = run_policies(pieces().iloc[:0], "mine", SETTINGS, {"fcfs": get("fcfs")})
    explore_window(pieces().iloc[:0], empty, SETTINGS, "A row", tmp_path / "page.html")
    assert "A row: log not available" in (tmp_path / "page.html").read_text()
