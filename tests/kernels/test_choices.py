"""Queues in which one job is chosen at a time: against the twin, and against other kernels."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.kernels.queue.choices import MACHINE, Episodes, run_choices
from schedlab.policies import get
from schedlab.policies.expression import ScoreError
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from strategies import GENERAL, LINEAR, STATIC, workloads
from twins import choices as twin

PROCESSORS = 8
COMMITS = DIALECTS["rlscheduler"]
SIZES = (3, 8, 5, 1)

seeds = st.integers(0, 2**32 - 1)
names = st.sampled_from([*STATIC, *LINEAR, *GENERAL])


def by_estimate(jobs):
    estimate = jobs.estimate.tolist()
    return lambda job: (estimate[job], job)


def network(seed):
    """Layers of random weights, and the places of moving inputs."""
    rng = np.random.default_rng(seed)
    pairs = itertools.pairwise(SIZES)
    layers = [
        (
            rng.normal(size=(a, b)).astype(np.float32),
            rng.normal(size=b).astype(np.float32),
        )
        for a, b in pairs
    ]
    return layers, rng.permutation([0, 1, 2]).tolist()


def episodes(jobs, rule, scores, lifo=False, seen=4, count=1, moving=(0, 1, 2), costs=None):
    """A batch and its arrays."""
    arrays = {
        "rows": np.zeros((count, seen, 3), np.float32),
        "allowed": np.zeros((count, seen + 1), np.uint8),
        "machine": np.zeros((count, len(MACHINE)), np.float32),
        "reward": np.zeros(count),
        "over": np.zeros(count, np.uint8),
    }
    batch = Episodes(
        *(jobs.submit, jobs.runtime, jobs.estimate, jobs.procs, PROCESSORS, rule, lifo),
        np.array([scores, np.zeros(len(jobs))], dtype=float),
        np.zeros((3, len(jobs))) if costs is None else costs,
        np.zeros((len(jobs), 3), np.float32),
        list(moving),
        *arrays.values(),
    )
    return batch, arrays


@settings(max_examples=300, deadline=None)
@given(workloads(PROCESSORS), names, st.booleans())
def test_commitment_is_the_twins(jobs, policy, overtaking):
    policy, reservations = get(policy), "head" if overtaking else "none"
    queue = twin.Queue(jobs, PROCESSORS, twin.COMMIT, lambda job: job, overtaking=overtaking)
    run = Run(jobs, PROCESSORS, policy, dialect=COMMITS, reservations=reservations)
    expected = twin.starts_of(queue, twin.by_policy(policy, jobs, lifo=False))
    assert simulate(run).start.tolist() == expected


@settings(max_examples=300, deadline=None)
@given(workloads(PROCESSORS), seeds, st.sampled_from([1, 3, 40]), st.integers(0, 2), st.booleans())
def test_networks_choose_as_the_twin(jobs, seed, seen, rule, lifo):
    layers, moving = network(seed)
    table = np.random.default_rng(seed).random((len(jobs), 3)).astype(np.float32)
    scores = np.array([jobs.estimate, np.zeros(len(jobs))], dtype=float)
    start, faulty, _ = run_choices(
        *(jobs.submit, jobs.runtime, jobs.estimate, jobs.procs, PROCESSORS, rule, True, lifo),
        *(scores, None, layers, table, moving, seen, None),
    )
    sign = -1 if lifo else 1
    estimate = jobs.estimate.tolist()
    queue = twin.Queue(jobs, PROCESSORS, rule, lambda job: (estimate[job], sign * job), seen)
    assert start.tolist() == twin.starts_of(queue, twin.by_network(layers, table, moving))
    assert faulty == -1


@settings(max_examples=300, deadline=None)
@given(workloads(PROCESSORS), seeds, st.sampled_from([1, 2, 5, 64]), st.integers(0, 2))
def test_episodes_observe_as_the_twin(jobs, seed, seen, rule):
    """Random choices, also of none: rows, masks, machine, rewards and starts."""
    rng = np.random.default_rng(seed)
    costs = np.array([rng.random(len(jobs)), rng.random(len(jobs)), np.full(len(jobs), 2.0)])
    batch, arrays = episodes(jobs, rule, jobs.estimate, seen=seen, costs=costs)
    queue = twin.Queue(jobs, PROCESSORS, rule, by_estimate(jobs), seen)
    table, total = np.zeros((len(jobs), 3), np.float32), 0.0
    batch.begin(0, 0, len(jobs))
    while queue.go_on():
        assert not arrays["over"][0]
        shown, allowed = queue.seen(), queue.allowed()
        assert batch.waiting(0).tolist() == shown
        assert batch.now(0) == queue.now
        expected = [job in allowed for job in shown] + [False] * (seen - len(shown))
        assert arrays["allowed"][0].tolist() == [*expected, queue.can_decline()]
        rows = np.zeros((seen, 3), np.float32)
        rows[: len(shown)] = twin.rows_of(queue, table, [0, 1, 2])
        assert np.array_equal(arrays["rows"][0], rows)
        assert arrays["machine"][0] == pytest.approx(twin.machine_of(queue), abs=1e-6)
        action = int(rng.choice(np.flatnonzero(arrays["allowed"][0])))
        assert batch.find_faulty(np.array([action])) == -1
        queue.choose(shown[action] if action < seen else None)
        batch.step(np.array([action]), 0, 1)
        total += arrays["reward"][0]
    assert arrays["over"][0]
    assert batch.starts(0).tolist() == queue.start
    wait = np.array(queue.start) - jobs.submit
    assert total == pytest.approx(-np.maximum(costs[0] * wait + costs[1], costs[2]).sum())


@settings(max_examples=300, deadline=None)
@given(workloads(PROCESSORS), names, st.booleans(), st.booleans())
def test_the_best_job_gives_the_schedule_of_its_policy(jobs, name, easy, lifo):
    policy = get(name)
    best = twin.by_policy(policy, jobs, lifo)
    batch, arrays = episodes(jobs, int(easy), jobs.submit, seen=64)
    queue = twin.Queue(jobs, PROCESSORS, int(easy), lambda job: job)
    batch.begin(0, 0, len(jobs))
    while not arrays["over"][0]:
        shown, queue.now = batch.waiting(0).tolist(), batch.now(0)
        allowed = [job for job, able in zip(shown, arrays["allowed"][0], strict=False) if able]
        batch.step(np.array([shown.index(best(queue, allowed))]), 0, 1)
    dialect = DIALECTS["lifo" if lifo else "full"]
    run = Run(jobs, PROCESSORS, policy, dialect=dialect, reservations="head" if easy else "none")
    assert batch.starts(0).tolist() == simulate(run).start.tolist()


def test_commitment_solved_by_hand():
    # job 1 is chosen at 0 and does not fit until 10: job 2 would end then, not before; job 3 does
    jobs = Jobs([1, 2, 3, 4], [0, 0, 1, 2], [10, 5, 9, 3], [10, 5, 9, 3], [4, 8, 2, 2])
    for policy, reservations, expected in (
        ("fcfs", "head", [0, 10, 15, 2]),
        ("fcfs", "none", [0, 10, 15, 15]),
        # job 1 is taken before job 2 of the same instant arrives, and job 2 before job 3
        ("spt", "head", [0, 10, 15, 2]),
    ):
        run = Run(jobs, 8, get(policy), dialect=COMMITS, reservations=reservations)
        assert simulate(run).start.tolist() == expected


def test_samples_follow_the_softmax():
    """One logit is log(10), seven are 0: the first job is drawn in 10 of 17 cases."""
    jobs = Jobs(range(8), [0] * 8, [1] * 8, [1] * 8, [8] * 8)
    layers = [(np.array([[np.log(10)]], np.float32), np.zeros(1, np.float32))]
    table = np.eye(8, 1, dtype=np.float32)
    first = 0
    for seed in range(2000):
        start, _, _ = run_choices(
            *(jobs.submit, jobs.runtime, jobs.estimate, jobs.procs, 8, 0, True, False),
            *(np.zeros((2, 8)), None, layers, table, [-1, -1, -1], 8, seed),
        )
        first += start[0] == 0
    assert 0.55 < first / 2000 < 0.63


def test_refused_actions_and_runs():
    jobs = Jobs([1, 2], [0, 0], [5, 5], [5, 5], [8, 8])
    batch, arrays = episodes(jobs, 0, [0, 1], count=2)
    batch.begin(0, 0, 2)
    batch.begin(1, 0, 1)
    assert arrays["allowed"].tolist() == [[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    for actions, faulty in (([0, 0], -1), ([1, 1], 1), ([4, 0], 0), ([5, 0], 0), ([-1, 0], 0)):
        assert batch.find_faulty(np.array(actions)) == faulty
    for settings_, word in (
        ({"threshold": 5}, "threshold"),
        ({"head": 1}, "head"),
        ({"reservations": "every"}, "none or head"),
        ({"backfill": get("spt")}, "order of backfilling"),
    ):
        with pytest.raises(ValueError, match=word):
            Run(jobs, 8, get("fcfs"), dialect=COMMITS, **settings_)
    for switch in ({"window": 16}, {"shadow": "first"}, {"extra": False}):
        dialect = dataclasses.replace(COMMITS, **switch)
        with pytest.raises(ValueError, match="no switch but ties"):
            Run(jobs, 8, get("fcfs"), dialect=dialect)
    with pytest.raises(ScoreError, match="job 1"):
        simulate(Run(jobs, 8, get("log(w - 1)"), dialect=COMMITS))
