"""A row of the arena on a small workload: everybody runs, or it is said why not."""

import numpy as np
import pandas as pd
import pytest

from schedlab.arena.measures import measure
from schedlab.arena.runs import COLUMNS, FACTS, cases_of, learn_weights, run_contest, runner
from schedlab.arena.schedulers import SCHEDULERS
from schedlab.arena.sheet import ContestSettings
from schedlab.arena.windows import Window, windows_of
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.predictions import simulate_predicted
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.splitting import DAY
from schedlab.workloads.lublin import generate
from schedlab.workloads.users import with_users

LEARNED = {f"l{rank}": f"r * n + {rank} * log10(s)" for rank in range(1, 5)}


@pytest.fixture(scope="module")
def jobs():
    """A workload of thirteen days, with users; estimates are twice the run times."""
    rng = np.random.default_rng(5)
    drawn = generate(1500, 32, rng)
    drawn["submit"] = np.sort(rng.integers(0, 13 * DAY, len(drawn)))
    drawn["runtime"] = drawn["runtime"].clip(1, 4 * 3600)
    return with_users(drawn.assign(estimate=2 * drawn["runtime"]), 6, rng)


@pytest.fixture(scope="module")
def row():
    return ContestSettings("toy", "toy", 32, 2, 3, 1, tuple(SCHEDULERS), 10.0)


def test_everybody_runs_on_every_window(row, jobs):
    results, facts = run_contest(row, jobs, LEARNED, {"mine": "r - w"}, points=5)
    assert list(results.columns) == list(COLUMNS)
    assert list(facts.columns) == list(FACTS)
    assert set(results["scheduler"]) == {*SCHEDULERS, "mine"}
    assert results.groupby("scheduler")["window"].agg(list).map(lambda one: one == [1, 2]).all()
    assert not results.isna().any(axis=None)
    assert facts.loc[0, ["windows", "learning", "users"]].tolist() == [2, 1, 6]
    assert facts.loc[0, "absent"] == ""


def test_threads_change_nothing(row, jobs):
    one, many = (run_contest(row, jobs, LEARNED, {}, 5, threads)[0] for threads in (1, 3))
    pd.testing.assert_frame_equal(one, many)


def test_counted_jobs_are_those_of_the_window(row, jobs):
    results, _ = run_contest(row, jobs, LEARNED, {}, 5)
    for window in windows_of(jobs["submit"].to_numpy(), 2, 3, 1):
        inside = jobs["submit"].between(window.begin, window.end - 1).sum()
        assert set(results.loc[results["window"] == window.number, "jobs"]) == {inside}


def test_who_must_know_users_is_left_out_without(row, jobs):
    results, facts = run_contest(row, jobs.assign(user=-1), {}, {}, 5)
    absent = {name for name, one in SCHEDULERS.items() if one.users or one.kind == "learned"}
    assert set(results["scheduler"]) == {*SCHEDULERS} - absent
    assert "EASY++: the log has no users" in facts.loc[0, "absent"]
    assert "L4: no such function was fitted" in facts.loc[0, "absent"]


def test_a_log_that_is_not_at_hand_has_no_results(row, jobs):
    results, facts = run_contest(row, jobs.head(0), LEARNED, {}, 5)
    assert results.empty
    assert facts.loc[0, ["jobs", "windows"]].tolist() == [0, 0]


def test_learned_weights_are_the_best_of_their_lessons(jobs):
    """Their policy is no worse than first come first served on what they were learned from."""
    lessons = cases_of(jobs, [Window(1, 0, 0, 4 * DAY)])
    weighed = learn_weights(lessons, 32, 9, 10.0, 1)
    own, base = (
        simulate(Run(lessons[0].jobs, 32, policy, backfill=get("spf")))
        for policy in (weighed, get("fcfs"))
    )
    better = average_bounded_slowdown(lessons[0].jobs, own)
    assert better <= average_bounded_slowdown(lessons[0].jobs, base) * 1.001


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("saf", lambda jobs, users: simulate(Run(jobs, 32, get("saf"), get("saf")))),
        ("easy_sjbf", lambda jobs, users: simulate(Run(jobs, 32, get("fcfs"), get("spf")))),
        ("easy_pp", lambda jobs, users: simulate_predicted(jobs, users, 32)),
        (
            "conservative",
            lambda jobs, users: simulate(Run(jobs, 32, get("fcfs"), reservations="every")),
        ),
    ],
)
def test_schedulers_are_what_they_are_called(row, jobs, name, expected):
    case = cases_of(jobs, windows_of(jobs["submit"].to_numpy(), 1, 3, 1))[0]
    found = runner(row, name, LEARNED, None)(case)
    assert found.start.tolist() == expected(case.jobs, case.users).start.tolist()


def test_what_slurm_cannot_run_is_absent_with_words(row, jobs):
    cell = dialect_of("slurm+interval=300")
    own = {"young": "-s", "moves": "r - w"}
    results, facts = run_contest(row, jobs, LEARNED, own, 5, dialect=cell)
    moving = {"wfp3", "unicef", "lexp", "sexp"}
    alone = {"w_train", "easy_sjbf", "easy_pp", "conservative", "orig_bf", "plan_rs"}
    assert set(results["scheduler"]) == {*SCHEDULERS, "young"} - moving - alone
    said = facts.loc[0, "absent"]
    for words in (
        "WFP3: dialect slurm+interval=300 has orders that stand still, 'wfp3' moves while jobs",
        "EASY-SJBF: dialect slurm+interval=300 backfills in the order of the queue, 'spt' is",
        "w_train: dialect slurm+interval=300 backfills in the order of the queue",
        "EASY++: has a simulator of its own, without dialects",
        "Plan-RS: has a simulator of its own, without dialects",
        "Conservative: dialect slurm+interval=300 reserves for every job under EASY already",
        "moves: dialect slurm+interval=300 has orders that stand still",
    ):
        assert words in said
    case = cases_of(jobs, windows_of(jobs["submit"].to_numpy(), 2, 3, 1))[0]
    run = Run(case.jobs, 32, get("spf"), dialect=cell, reservations="every")
    found = measure(case.jobs, case.users, simulate(run), 32, case.begin, case.end, 10.0)
    rows = results.set_index(["scheduler", "window"])
    assert rows.loc[("spf", case.number), "wait"] == found["wait"]
    usual, _ = run_contest(row, jobs, LEARNED, {}, 5)
    assert (
        rows.loc[("spf", 1), "wait"]
        != usual.set_index(["scheduler", "window"]).loc[("spf", 1), "wait"]
    )


def test_a_textbook_dialect_keeps_other_orders_of_backfilling(row, jobs):
    results, facts = run_contest(row, jobs, LEARNED, {}, 5, dialect=dialect_of("lifo"))
    assert {"easy_sjbf", "w_train", "conservative", "wfp3"} < set(results["scheduler"])
    assert "EASY++: has a simulator of its own" in facts.loc[0, "absent"]
    _, facts = run_contest(row, jobs, LEARNED, {}, 5, dialect=dialect_of("ocs"))
    assert "Conservative: dialect ocs knows no reservations of every job" in facts.loc[0, "absent"]
