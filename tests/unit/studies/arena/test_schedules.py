"""The page of a log's schedules: which schedulers it shows, and that it shows their schedules."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.runs import compare_schedulers
from schedlab.comparison.settings import ContestSettings
from schedlab.core.splitting import DAY
from schedlab.core.windows import WHOLE, begin_of, windows_of
from schedlab.studies.arena.schedules import schedulers_shown, write_schedules
from schedlab.workloads.lublin import generate
from schedlab.workloads.users import with_users

ADVICE = {"longest_wait": 3, "most_loss": 0.1, "late_days": 1, "allow_youth": False}
SHOWN = ("fcfs", "saf", "spf", "w_train", "l1", "conservative")
LEARNED = {"l1": "r * n + log10(s)"}


def results(**waits_and_slowdowns):
    """Results over a whole log, and in one window that must not count."""
    rows = []
    for name, (wait, bsld) in waits_and_slowdowns.items():
        rows += [(name, WHOLE, wait, bsld), (name, 1, -wait, -bsld)]
    return pd.DataFrame(rows, columns=["scheduler", "window", "wait", "bsld"])


def test_best_schedulers_of_the_log_follow_easy_and_the_recommended_one():
    found = schedulers_shown(
        results(saf=(4.0, 9.0), f1=(6.0, 2.0), fcfs=(9.0, 9.0), spf=(5.0, 5.0)), "spf"
    )
    assert found == {
        "fcfs": "",
        "spf": "recommended for all logs",
        "saf": "smallest mean wait of this log",
        "f1": "smallest mean bounded slowdown of this log",
    }


def test_scheduler_that_is_best_twice_is_shown_once():
    found = schedulers_shown(results(fcfs=(9.0, 9.0), saf=(4.0, 2.0)), "saf")
    assert list(found) == ["fcfs", "saf"]
    assert found["saf"].count(" and ") == 2


def test_plan_based_schedulers_and_a_missing_recommendation_are_left_out():
    found = schedulers_shown(results(fcfs=(9.0, 9.0), plan_rs=(1.0, 1.0), saf=(4.0, 2.0)), "")
    assert list(found) == ["fcfs", "saf"]
    assert list(schedulers_shown(results(fcfs=(9.0, 9.0)), "plan_rs")) == ["fcfs"]


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    drawn = generate(900, 32, rng)
    drawn["submit"] = 1000 + np.sort(rng.integers(0, 13 * DAY, len(drawn)))
    drawn["runtime"] = drawn["runtime"].clip(1, 4 * 3600)
    return with_users(drawn.assign(estimate=2 * drawn["runtime"]), 6, rng)


@pytest.mark.slow
def test_page_has_the_metrics_of_the_compared_runs_and_every_window(frame, tmp_path):
    """All kinds of schedulers give the mean wait that the comparison found."""
    row = ContestSettings("toy", "toy", 32, 3, SHOWN, 10.0)
    own = {"mine": "r - w"}
    found, facts, _ = compare_schedulers(row, frame, LEARNED, own, 5, ADVICE)
    for best in ("w_train", "l1", "conservative", "mine"):
        # the best by both metrics, so that the page shows it
        changed = found.copy()
        changed.loc[changed["scheduler"] == best, ["wait", "bsld"]] = 0.0
        write_schedules(
            *(tmp_path / "page.html", row, frame, changed, "saf", LEARNED),
            *(facts["weights"].iloc[0], own, "Toy <log>"),
        )
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        written = json.loads(re.search(r'id="facts"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
        assert [one["name"] for one in written["schedules"]][:2] == ["EASY", "SAF"]
        assert len(written["schedules"]) == 3
        assert 'href="../explore.html#log=Toy%20%3Clog%3E"' in text
        submit = frame["submit"].to_numpy() - frame["submit"].min()
        expected = {
            str(one.number): [one.begin, one.end] for one in windows_of(submit, 3, begin_of(submit))
        }
        assert len(expected) == 3
        assert written["windows"] == expected


def test_log_that_is_not_available_has_a_page_that_says_so(frame, tmp_path):
    row = ContestSettings("toy", "toy", 32, 3, SHOWN, 10.0)
    nothing = results().astype({"wait": float})
    write_schedules(tmp_path / "p.html", row, frame.iloc[:0], nothing, "", {}, "", {}, "Toy")
    assert "Toy: log not available" in (tmp_path / "p.html").read_text(encoding="utf-8")
