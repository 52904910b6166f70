"""Plans and Random Search: the kernel and its twin, invariants, cases solved by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planning_case import SEED, cases, machine_of_clusters, session_of, twin_of
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan
from schedlab.planning.settings import Limits, Planning, Search
from schedlab.planning.simulation import simulate_plan

MOVE = ("time", "iteration", "job", "origin", "target", "place")


@settings(max_examples=300)
@given(cases())
def test_kernel_equals_twin(case):
    found, twin = simulate_plan(*case, SEED), twin_of(*case)
    twin.run()
    jobs = range(len(case[0]))
    assert found.start.tolist() == [twin.plan.start[job] for job in jobs]
    assert found.extras["cluster"].tolist() == [twin.cluster[job] for job in jobs]
    assert [tuple(row) for row in found.extras["moves"][list(MOVE)].to_numpy()] == [
        move[: len(MOVE)] for move in twin.moves
    ]
    changes = found.extras["moves"][["wait", "slowdown", "fairness", "response", "gain"]].to_numpy()
    expected = np.array([move[len(MOVE) :] for move in twin.moves], dtype=float)
    assert changes == pytest.approx(expected.reshape(-1, 5), rel=1e-9, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "limited", "nodes"])
@pytest.mark.parametrize("seed", range(24, 30))
def test_moves_in_long_plans_equal_the_twins(seed, kind):
    rng = np.random.default_rng(seed)
    estimate = rng.integers(1, [3, 5, 15, 5, 15, 3][seed % 6], 100)
    submit, procs = np.sort(rng.integers(0, 9, 100)), rng.integers(1, 5, 100)
    jobs = Jobs(np.arange(1, 101), submit, estimate, estimate, procs)
    machine = machine_of_clusters(("wide", 2, 3), ("narrow", 2, 2))
    search = [Search(), Search(rule="annealing"), Search(scope="cluster")][seed % 3]
    planning = Planning(
        mode="nodes" if kind == "nodes" else "aggregate",
        limits=Limits(user=5) if kind == "limited" else Limits(),
        search=replace(search, iterations=40, every=9, fairness=float(seed % 2)),
    )
    case = Requests(jobs, rng.integers(0, 5, 100)), machine, planning
    found, twin = simulate_plan(*case, SEED), twin_of(*case)
    twin.run()
    assert len(twin.moves) > 2
    assert found.start.tolist() == [twin.plan.start[job] for job in range(100)]
    assert [tuple(row) for row in found.extras["moves"][list(MOVE)].to_numpy()] == [
        move[: len(MOVE)] for move in twin.moves
    ]


def test_a_moved_job_that_ran_late_in_the_old_plan_is_not_forgotten():
    """Job 5 moves to the front; all jobs shift alike, until its old place has room for job 9."""
    need, estimate = [7, 8, 8, 8, 8, 1, 6, 2, 7, 8], [97, 50, 50, 50, 100, 100, 10, 3, 50, 10]
    jobs = Jobs(np.arange(1, 11), [0] * 10, estimate, estimate, need)
    requests = Requests(jobs, np.arange(10))
    plan = Plan.in_order(requests, Machine.of_processors(8), Planning(), np.zeros(10, int))
    planner = plan.session(("example",)).kernel
    planner.search_begin(1, 27)
    planner.search_on(1)
    (move,) = planner.moves()
    assert (move["job"], move["place"]) == (5, 0)
    assert planner.start(9) == 410


@pytest.mark.parametrize("kind", ["plain", "limited", "nodes"])
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32 - 1))
def test_starts_after_a_move_are_those_of_an_update(kind, seed):
    """In long plans of short jobs, many of them as wide as the machine."""
    rng = np.random.default_rng(seed)
    n, longest = int(rng.integers(8, 120)), int(rng.choice([2, 3, 5, 8, 12]))
    machine = machine_of_clusters(("wide", 2, 3), ("narrow", 2, 2))
    if kind != "nodes" and rng.random() < 0.5:
        machine = Machine.of_processors(int(rng.integers(2, 9)))
    widest = min(cluster.processors for cluster in machine.clusters)
    if kind == "plain" and rng.random() < 0.3:  # some dozens run at a time
        machine, widest = Machine.of_processors(60), 3
    estimate, need = rng.integers(1, longest + 1, n), rng.integers(1, widest + 1, n)
    if rng.random() < 0.5:
        need[rng.random(n) < 0.6] = widest
    estimate *= rng.choice([1, 2**36])  # with times that words of 64 bits have, or do not have
    planning = Planning(
        mode="nodes" if kind == "nodes" else "aggregate",
        limits=Limits(user=widest) if kind == "limited" else Limits(),
        search=Search(rule=["first", "annealing"][int(rng.integers(2))]),
    )
    requests = Requests(Jobs(np.arange(1, n + 1), [0] * n, estimate, estimate, need),
                        rng.integers(0, 5, n))  # fmt: skip
    clusters = rng.integers(0, len(machine.clusters), n)
    planner = Plan.in_order(requests, machine, planning, clusters).session(("example",)).kernel
    planner.search_begin(25, int(rng.integers(2**40)))
    made = 0
    for done in range(1, 26):
        planner.search_on(done)
        if len(planner.moves()) > made:
            made = len(planner.moves())
            found = [planner.start(job) for job in range(n)]
            if planning.search.rule == "first":
                assert list(planner.found()) == pytest.approx(list(planner.measure()))
            planner.refresh()
            assert found == [planner.start(job) for job in range(n)]


@settings(max_examples=100)
@given(cases(most=20))
def test_plans_equal_the_twins_instant_by_instant(case):
    session, twin = session_of(*case), twin_of(*case)
    while not twin.is_done():
        now = twin.next_time()
        assert session.next_event() == now
        while not twin.is_done() and twin.next_time() == now:
            twin.cycle()
        session.advance(now)
        planned = [order.tolist() for order in session.planned_jobs()]
        assert planned == twin.plan.order
        for job in twin.plan.waiting():
            assert session.planned(job) == twin.plan.start[job]
        if any(planned):
            expected = [float(value) for value in twin.criteria(twin.plan)]
            assert list(session.criteria().values()) == pytest.approx(expected)
