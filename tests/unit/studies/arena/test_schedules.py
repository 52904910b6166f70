"""The page of a log's schedules: which schedulers it shows, and that it shows their schedules."""

import base64
import json
import re
import runpy
import zlib
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE
from schedlab.comparison.runs import compare_schedulers, jobs_and_windows
from schedlab.comparison.settings import ContestSettings
from schedlab.core.splitting import DAY
from schedlab.core.windows import WHOLE, begin_of, windows_of
from schedlab.files.io import read_parquet, write_parquet
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from schedlab.studies.arena.schedules import schedulers_shown, write_schedules
from schedlab.workloads.lublin import generate
from schedlab.workloads.users import with_users
from slurm_site_case import CONF

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
    """Plan-RS has a smaller mean wait than SAF, and an equal mean bounded slowdown."""
    found = schedulers_shown(results(fcfs=(9.0, 9.0), plan_rs=(1.0, 2.0), saf=(4.0, 2.0)), "")
    assert found == {
        "fcfs": "",
        "saf": "smallest mean wait of this log except Plan-RS and "
        "smallest mean bounded slowdown of this log",
    }
    assert list(schedulers_shown(results(fcfs=(9.0, 9.0)), "plan_rs")) == ["fcfs"]


def content_of(text):
    """Facts and columns of a page."""
    facts = json.loads(re.search(r'id="facts"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    packed = re.search(r'id="columns"[^>]*>(.*?)</script>', text, re.DOTALL)[1]
    content, at, columns = zlib.decompress(base64.b64decode(packed)), 0, {}
    for name, kind, length in facts["columns"]:
        columns[name] = np.frombuffer(content, f"<{kind}", length, at).astype(float)
        at += columns[name].size * np.dtype(kind).itemsize
    return facts, columns


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    drawn = generate(900, 32, rng)
    drawn["submit"] = 1000 + np.sort(rng.integers(0, 13 * DAY, len(drawn)))
    drawn["runtime"] = drawn["runtime"].clip(1, 4 * 3600)
    return with_users(drawn.assign(estimate=2 * drawn["runtime"]), 6, rng)


@pytest.mark.slow
def test_page_has_the_schedules_that_were_compared_and_every_window(frame, tmp_path):
    row = ContestSettings("toy", "toy", 32, 3, SHOWN, 10.0)
    own = {"mine": "r - w"}
    compared, facts, _ = compare_schedulers(row, frame, LEARNED, own, 5, ADVICE)
    submit = frame["submit"].to_numpy() - frame["submit"].min()
    windows = windows_of(submit, 3, begin_of(submit))
    assert len(windows) == 3
    for best in ("w_train", "l1", "conservative", "mine"):
        # the best by both metrics, so that the page shows it
        changed = compared.copy()
        changed.loc[changed["scheduler"] == best, ["wait", "bsld"]] = 0.0
        write_schedules(
            *(tmp_path / "page.html", row, frame, changed),
            recommended="saf",
            learned=LEARNED,
            weights=facts["weights"].iloc[0],
            own=own,
            label="Toy <log>",
        )
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        written, columns = content_of(text)
        assert [one["name"] for one in written["schedules"]][:2] == ["EASY", "SAF"]
        assert len(written["schedules"]) == 3
        assert 'href="../explore.html#log=Toy%20%3Clog%3E"' in text
        expected = {str(one.number): [one.begin, one.end] for one in windows}
        assert written["windows"] == expected
        assert set(columns["user"]) == set(frame["user"])
        for place, name in enumerate(("fcfs", "saf", best)):
            own_rows = compared[compared["scheduler"] == name].set_index("window")
            wait = columns[f"start{place}"] - columns["submit"]
            for window in windows:
                inside = (columns["submit"] >= window.begin) & (columns["submit"] < window.end)
                assert wait[inside].mean() == pytest.approx(own_rows.loc[window.number, "wait"])


def test_w_train_has_the_order_of_its_weights(frame, tmp_path):
    row = ContestSettings("toy", "toy", 32, 3, ("fcfs", "w_train"), 10.0)
    starts = []
    for weights in ("1.0 * (r / 100)", "-1.0 * (r / 100)"):
        write_schedules(
            *(tmp_path / "p.html", row, frame, results(fcfs=(9.0, 9.0), w_train=(1.0, 1.0))),
            **{"recommended": "", "learned": {}, "weights": weights, "own": {}, "label": "Toy"},
        )
        _, columns = content_of((tmp_path / "p.html").read_text(encoding="utf-8"))
        starts.append(columns["start1"])
    assert (starts[0] != starts[1]).any()


@pytest.mark.parametrize(
    ("jobs", "words"),
    [(0, "log not available"), (100, "no window of 15 days after the first quarter")],
)
def test_log_without_a_window_has_a_page_that_says_why(frame, tmp_path, jobs, words):
    row = ContestSettings("toy", "toy", 32, 15, SHOWN, 10.0)
    options = {"recommended": "", "learned": {}, "weights": "", "own": {}, "label": "R&D"}
    write_schedules(tmp_path / "p.html", row, frame.iloc[:jobs], results(), **options)
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert f"<h1>R&amp;D: {words}</h1>" in text
    assert '<a href="../explore.html#log=R%26D">← Explore</a>' in text


def test_schedules_of_a_model_recommend_nothing():
    found = schedulers_shown(results(fcfs=(9.0, 9.0), saf=(4.0, 2.0)), "saf", is_model=True)
    assert found["saf"] == (
        "first in the arena's demonstration and smallest mean wait of this model and "
        "smallest mean bounded slowdown of this model"
    )


@pytest.mark.parametrize(
    ("label", "is_model"),
    [("KTH-SP2", False), ("model, 32 processors (stands in for KTH-SP2)", True)],
)
def test_page_of_a_model_begins_with_a_note(frame, tmp_path, label, is_model):
    row = ContestSettings("toy", "toy", 32, 3, ("fcfs", "saf"), 10.0)
    options = {"recommended": "saf", "learned": {}, "weights": "", "own": {}, "label": label}
    best = results(fcfs=(9.0, 9.0), saf=(1.0, 1.0))
    write_schedules(tmp_path / "p.html", row, frame, best, **options)
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert ("a demonstration on a model workload" in text) == is_model
    assert ("recommended for all logs" in text) != is_model
    assert f"{label}: EASY" in text


def test_a_row_in_a_sites_slurm_runs_by_the_script_and_on_the_page(root, tmp_path, frame):
    text = CONF.replace("AccountingStorageEnforce=associations,limits,qos\n", "")
    (tmp_path / "slurm.conf").write_text(text)
    cell = f"site+slurm_conf={tmp_path}/slurm.conf"
    few = frame[frame["procs"] <= 4].assign(estimate=3600, runtime=1800, user=-1)
    row = ContestSettings("toy", "toy", 16, 3, ("fcfs", "spf", "spf_2d"), 10.0, dialect=cell)
    write_parquet(few, tmp_path / "jobs.parquet")
    outputs = {name: str(tmp_path / name) for name in ("metrics", "facts", "losers", "guards")}
    script = runpy.run_path(str(root / "workflow/scripts/arena/compare_schedulers.py"))
    script["compare"](
        str(tmp_path / "jobs.parquet"), asdict(row), {}, 3, ADVICE, 1, outputs=outputs
    )
    results = read_parquet(outputs["metrics"])
    assert set(results["scheduler"]) == {"fcfs", "spf"}
    assert "threshold is 172800" in read_parquet(outputs["facts"])["absent"].iloc[0]
    assert read_parquet(outputs["guards"]).empty
    write_schedules(
        *(tmp_path / "page.html", row, few, results),
        recommended="spf", learned={}, weights="", own={}, label="Toy",
    )  # fmt: skip
    _, columns = content_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    jobs, _, windows = jobs_and_windows(row, few)
    start = simulate(
        Run(jobs, 16, get("fcfs"), dialect=dialect_of(cell), reservations="every")
    ).start
    inside = (jobs.submit >= windows[0].begin) & (jobs.submit < windows[-1].end)
    over_all = results[(results["scheduler"] == "fcfs") & (results["window"] == WHOLE)]
    assert over_all["wait"].iloc[0] == pytest.approx((start - jobs.submit)[inside].mean())
    assert columns["start0"] == pytest.approx(start)
