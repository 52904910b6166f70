"""The mixed kernel against the twin, the other kernels and the laws of scheduling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import average_bounded_slowdown, bounded_slowdown
from schedlab.learning.weights.mixed import evaluate, evaluate_pure
from schedlab.policies import get
from schedlab.policies.mixed import FEATURES, mixed_policy
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.mixed import MixedQueue
from schedlab.queue.simulation import Run, general, simulate, stepped
from strategies import workloads
from twins import queue as twin

OCS, BY_EVENTS = DIALECTS["ocs_in_order"], DIALECTS["ocs"]
LIFO = DIALECTS["lifo"]
PROCESSORS = 8
SCALES = np.array([2.0, 17.0, 9.0, 5.0, 1.5, 80.0])
MOST_SCORES = 1 << 16  # of vectors times jobs, that the kernel keeps
PURE = ("fcfs", "lcfs", "lpf", "spf", "lqf", "sqf", "laf", "saf", "lexp", "sexp", "lrf", "srf")

thresholds = st.sampled_from([None, 0, 2, 15, 100])


@st.composite
def vectors(draw, features: int, count: int = 1) -> np.ndarray:
    """Weight vectors, many of them with zeros and small whole ratios, so that scores tie."""
    whole = draw(st.booleans())
    entry = st.integers(-2, 2) if whole else st.floats(-1, 1, allow_subnormal=False)
    row = st.lists(entry, min_size=features, max_size=features).filter(
        lambda row: sum(map(abs, row)) > 1e-3
    )
    rows = np.array(draw(st.lists(row, min_size=count, max_size=count)), dtype=np.float64)
    return rows / np.abs(rows).sum(axis=1, keepdims=True)


features = st.sampled_from([3, 6])
sheets = features.flatmap(
    lambda count: st.tuples(
        vectors(count),
        st.lists(st.sampled_from([1.0, 3.0, 0.7, 1e4]), min_size=count, max_size=count),
    )
)


def run_of(jobs, row, scales, threshold, backfill="spf") -> Run:
    return Run(jobs, PROCESSORS, mixed_policy(row, scales), get(backfill), OCS, threshold=threshold)


@settings(max_examples=600)
@given(workloads(PROCESSORS), sheets, thresholds, st.sampled_from(["spf", "fcfs", "saf"]))
def test_mixed_kernel_equals_twin(jobs, sheet, threshold, backfill):
    rows, scales = sheet
    run = run_of(jobs, rows[0], scales, threshold, backfill)
    expected = twin.simulate(run)
    total, mark, simulated = MixedQueue(run, np.array(scales)).totals(rows)
    assert mark.tolist() == [mark_of(expected)]
    assert total[0] == pytest.approx(bounded_slowdown(jobs, schedule_of(jobs, expected)).sum())
    assert simulated == len(jobs)


@settings(max_examples=600)
@given(
    workloads(PROCESSORS),
    sheets,
    thresholds,
    st.sampled_from([None, "spf", "same"]),
    st.sampled_from([LIFO, DIALECTS["full"]]),
    st.sampled_from([0, 0, 3]),
)
def test_single_runs_equal_twin(jobs, sheet, threshold, backfill, dialect, head):
    policy = mixed_policy(sheet[0][0], sheet[1])
    second = policy if backfill == "same" else get(backfill) if backfill else None
    run = Run(jobs, PROCESSORS, policy, second, dialect, head, threshold)
    expected = twin.simulate(run)
    assert simulate(run).start.tolist() == expected
    assert stepped(run).tolist() == expected
    assert general(run).tolist() == expected


def mark_of(starts: list[int]) -> int:
    """The hash of a schedule, as the kernel describes it."""
    mark = 0
    for job, start in enumerate(starts):
        z = ((start << 24 | job) + 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        mark += z ^ (z >> 31)
    return mark % 2**64


def schedule_of(jobs: Jobs, starts: list[int]) -> Schedule:
    start = np.array(starts)
    return Schedule(start, start + jobs.runtime)


@settings(max_examples=600)
@given(
    *(workloads(PROCESSORS), vectors(3, 30) | vectors(6, 20), thresholds),
    st.sampled_from([1, 2, 5, 1000]),
)
def test_vectors_can_share_and_merge_simulations(jobs, rows, threshold, step):
    scales = SCALES[: rows.shape[1]]
    run = run_of(jobs, rows[0], scales, threshold)
    total, mark, simulated = MixedQueue(run, scales).totals(rows, step)
    starts = [simulate(run_of(jobs, row, scales, threshold)) for row in rows]
    alone = [average_bounded_slowdown(jobs, schedule) for schedule in starts]
    assert total / len(jobs) == pytest.approx(alone, rel=1e-12)
    schedules = {tuple(schedule.start) for schedule in starts}
    assert len(np.unique(mark)) == len(schedules)
    assert len(jobs) <= simulated <= len(jobs) * len(rows)


@settings(max_examples=200)
@given(workloads(PROCESSORS), thresholds, st.integers(0, 11))
def test_vertices_are_the_pure_policies(jobs, threshold, vertex):
    """A weight of 1 or -1 on one feature is a pure policy of the paper, except in float ties."""
    names = ("sqf", "spf", "fcfs", "srf", "sexp", "saf", "lqf", "lpf", "lcfs", "lrf", "lexp", "laf")
    row = np.zeros(6)
    row[vertex % 6] = 1 if vertex < 6 else -1
    pure = Run(jobs, PROCESSORS, get(names[vertex]), get("spf"), OCS, threshold=threshold)
    schedule = simulate(run_of(jobs, row, np.ones(6), threshold))
    assert schedule.start.tolist() == simulate(pure).start.tolist()


def five(procs, runtime, submit) -> Jobs:
    return Jobs(range(1, 6), submit, runtime, runtime, procs)


@pytest.mark.parametrize(
    ("policy", "threshold", "expected"),
    [
        # every job takes the whole machine: one after the other, shortest first
        ("spf", None, [0, 22, 10, 13, 17]),
        # at 10, job 2 has waited 9 s, which is not longer than 9; at 13 it leads, at 33 job 4 does
        ("spf", 9, [0, 13, 10, 33, 37]),
        # at 10 job 2 leads; at 30 all others have waited too long and run as submitted
        ("spf", 8, [0, 10, 30, 33, 37]),
        # at 10 the last to come runs; at 15 all others have waited too long
        ("lcfs", 9, [0, 15, 35, 38, 10]),
    ],
)
def test_five_jobs_under_a_threshold_solved_by_hand(policy, threshold, expected):
    """Starvation is seen when something happens, and strictly."""
    jobs = five((4, 4, 4, 4, 4), (10, 20, 3, 4, 5), (0, 1, 2, 3, 4))
    run = Run(jobs, 4, get(policy), get("spf"), OCS, threshold=threshold)
    assert simulate(run).start.tolist() == expected
    assert twin.simulate(run) == expected
    row = {"spf": [0, 1, 0], "lcfs": [0, 0, -1]}[policy]
    _, mark, _ = MixedQueue(run, np.ones(3)).totals(np.array([row], dtype=float))
    assert mark.tolist() == [mark_of(expected)]


def five_hundred(rng) -> Jobs:
    runtime = rng.integers(1, 400, 500)
    estimate = runtime + rng.integers(0, 400, 500)
    submit = np.sort(rng.integers(0, 25_000, 500))
    return Jobs(range(1, 501), submit, runtime, estimate, rng.integers(1, 9, 500))


@pytest.mark.parametrize("features", [3, 6])
def test_cached_and_recomputed_scores_are_identical(features):
    """Many vectors at once do not keep their scores; the same ones, twenty at a time, do."""
    rng = np.random.default_rng(11)
    jobs = five_hundred(rng)
    rows = rng.normal(size=(160, features))
    rows /= np.abs(rows).sum(axis=1)[:, None]
    queue = MixedQueue(run_of(jobs, rows[0], SCALES[:features], None), SCALES[:features])
    together, marks, _ = queue.totals(rows)
    few = [queue.totals(rows[first : first + 20]) for first in range(0, len(rows), 20)]
    assert len(rows) * len(jobs) > MOST_SCORES > 20 * len(jobs)
    assert np.concatenate([total for total, _, _ in few]).tolist() == together.tolist()
    assert np.concatenate([mark for _, mark, _ in few]).tolist() == marks.tolist()
    assert len(np.unique(marks)) > 100


@pytest.mark.parametrize(("threshold", "start"), [(None, 20), (100, 20), (18, 59)])
def test_starving_head_has_its_own_reservation(threshold, start):
    """That the oldest job starves is seen at an arrival, and who may be backfilled changes."""
    # Job 1 holds three of four processors until 50; 2 needs four for 9 s, 3 needs three for 90 s
    # and leads by its area, which leaves a processor over at 50: job 4, 100 s long, may have it at
    # 20. With a threshold of 18 s job 2 leads then and leaves nothing; 4 starts next to 3 at 59.
    jobs = Jobs([1, 2, 3, 4], [0, 1, 2, 20], [50, 9, 90, 100], [50, 9, 90, 100], [3, 4, 3, 1])
    for policy in (mixed_policy([0, 0, 0, 0, 0, -1]), get("laf")):
        run = Run(jobs, 4, policy, get("spf"), OCS, threshold=threshold)
        assert simulate(run).start[3] == start == twin.simulate(run)[3]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (get("sqf"), [20, 15, 0, 10, 5]),
        (mixed_policy([1, 0, 0]), [20, 15, 0, 10, 5]),
        (get("fcfs"), [10, 5, 0, 20, 15]),
        # at 5, jobs 1 and 2 have waited longest
        (get("lexp"), [10, 5, 0, 20, 15]),
        (get("sexp"), [20, 15, 0, 10, 5]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_of_equal_jobs_the_last_one_runs_first(policy, expected):
    jobs = five((4, 4, 4, 4, 4), (5, 5, 5, 5, 5), (0, 0, 0, 2, 2))
    assert simulate(Run(jobs, 4, policy, get("spf"), OCS)).start.tolist() == expected


def test_of_equal_jobs_the_last_one_is_backfilled_first():
    """Three alike next to job 1, two at a time, in front of a wide one."""
    jobs = five((2, 4, 1, 1, 1), (9, 9, 4, 4, 4), (0, 1, 1, 1, 1))
    for policy in (get("lqf"), mixed_policy([-1, 0, 0])):
        run = Run(jobs, 4, policy, get("spf"), OCS)
        assert simulate(run).start.tolist() == [0, 9, 5, 1, 1]


def piece(count: int, seed: int) -> Jobs:
    """A loaded week on 64 processors."""
    rng = np.random.default_rng(seed)
    runtime = rng.integers(1, 2000, count)
    estimate = (runtime * rng.integers(1, 5, count) + 299) // 300 * 300
    submit = np.sort(rng.integers(0, 180 * count, count))
    return Jobs(np.arange(count), submit, runtime, estimate, 2 ** rng.integers(0, 7, count))


@pytest.mark.parametrize("features", [3, 6])
@pytest.mark.parametrize("threshold", [None, 5000, 50_000])
def test_evaluation_equals_the_mean_of_each_run(features, threshold):
    jobs = piece(400, 3)
    rng = np.random.default_rng(features)
    rows = rng.normal(size=(60, features))
    rows /= np.abs(rows).sum(axis=1, keepdims=True)
    scales = np.array([20, 1000, 9000, 300, 8, 20_000])[:features]
    result = evaluate(jobs, 64, rows, scales, threshold)
    runs = [
        Run(jobs, 64, mixed_policy(row, scales), get("spf"), OCS, threshold=threshold)
        for row in rows
    ]
    means = [average_bounded_slowdown(jobs, simulate(run)) for run in runs]
    assert result.mean == pytest.approx(means, rel=1e-12)
    assert len(jobs) <= result.simulated <= len(jobs) * len(rows)
    assert result.distinct == len({tuple(simulate(run).start) for run in runs})


@pytest.mark.parametrize("features", [3, 6])
def test_results_do_not_depend_on_threads_or_other_vectors(monkeypatch, features):
    monkeypatch.setattr("schedlab.learning.weights.mixed.BLOCK", 64)
    jobs = piece(300, 5)
    rows = np.random.default_rng(1).normal(size=(300, features))
    rows /= np.abs(rows).sum(axis=1, keepdims=True)
    scales = np.array([20, 1000, 9000, 300, 8, 20_000])[:features]
    one = evaluate(jobs, 64, rows, scales, 50_000)
    two = evaluate(jobs, 64, rows, scales, 50_000, threads=2)
    assert (one.mean == two.mean).all()
    assert (one.distinct, one.simulated) == (two.distinct, two.simulated)
    assert (evaluate(jobs, 64, rows[200:210], scales, 50_000).mean == one.mean[200:210]).all()


def test_pure_policies_are_evaluated_as_they_are_simulated():
    jobs = piece(300, 6)
    means = evaluate_pure(jobs, 64, PURE, 50_000)
    for name, mean in zip(PURE, means, strict=True):
        run = Run(jobs, 64, get(name), get("spf"), BY_EVENTS, threshold=50_000)
        assert mean == average_bounded_slowdown(jobs, simulate(run))
    row, scales = np.eye(6)[[FEATURES.index("area")]], np.ones(6)
    in_order = evaluate_pure(jobs, 64, ["saf"], 50_000, dialect="ocs_in_order")
    assert evaluate(jobs, 64, row, scales, 50_000).mean == pytest.approx(in_order, rel=1e-12)


def test_jobs_without_waits_have_one_schedule():
    jobs = Jobs(range(50), range(0, 5000, 100), [60] * 50, [60] * 50, [4] * 50)
    rows = np.random.default_rng(1).normal(size=(200, 3))
    rows /= np.abs(rows).sum(axis=1, keepdims=True)
    result = evaluate(jobs, 8, rows, np.ones(3), None)
    assert (result.mean == 1).all()
    assert (result.distinct, result.simulated) == (1, 50)
