"""The three queue kernels against their Python twin, the oracles and the laws of scheduling."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import artefact_dialect, easy
from schedlab.core.jobs import Jobs
from schedlab.kernels.queue.whole import run_static
from schedlab.policies import ScoreError, get
from schedlab.queue import simulation
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, general, simulate, simulate_many, static, stepped
from strategies import GENERAL, LINEAR, STATIC, workloads
from twins import queue as twin

FULL, LIFO = DIALECTS["full"], DIALECTS["lifo"]
PROCESSORS = 8


plain = st.sampled_from([FULL, LIFO])
thresholds = st.sampled_from([None, 0, 2, 15, 100])


def runs(policies, backfills=None, dialects=plain, least_estimate=1):
    """Strategy of runs under the given policies; strict, or backfilled in either order."""
    names = st.sampled_from(policies)
    second = names if backfills is None else st.sampled_from(backfills)
    return st.builds(
        lambda jobs, first, other, mode, dialect, head, threshold: Run(
            jobs,
            PROCESSORS,
            get(first),
            {"strict": None, "same": get(first), "other": get(other)}[mode],
            dialect,
            head,
            threshold if dialect.plain else None,
        ),
        workloads(PROCESSORS, least_estimate),
        names,
        second,
        st.sampled_from(["strict", "same", "other"]),
        dialects,
        st.sampled_from([0, 0, 3, 16]),
        thresholds,
    )


switches = st.builds(
    Dialect,
    name=st.just("any"),
    window=st.sampled_from([None, 1, 4, 32]),
    latency=st.sampled_from([0.0, 0.25, 0.002610247]),
    ties=st.sampled_from(["submit", "lifo", "current", "exchange"]),
    shadow=st.sampled_from(["merged", "first"]),
    extra=st.booleans(),
    first_alone=st.booleans(),
).filter(lambda dialect: not dialect.plain)


#: 8 jobs or one job are compared at a time
FORMS = [{}, {"lanes": 1}]


def test_a_job_that_fits_by_the_extra_processors_is_found_behind_a_wider_one():
    """By hand: the third job is too wide by one for the extra 19; both are of one class of need."""
    jobs = Jobs(range(1, 5), [0, 1, 2, 3], [1000] * 4, [1000, 1000, 5000, 5000], [60, 81, 20, 18])
    run = Run(jobs, 100, get("wfp3"), get("fcfs"), dialect=FULL)
    assert stepped(run).tolist() == twin.simulate(run)
    assert stepped(run)[3] == 3


def static_as(run, form):
    """Start times from the kernel for static orders, with the queue in one of its forms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "run_static", partial(run_static, **form))
        return static(run)


@settings(max_examples=400)
@given(runs(STATIC, least_estimate=0), st.sampled_from(FORMS))
def test_static_kernel_equals_twin(run, form):
    assert static_as(run, form).tolist() == twin.simulate(run)


@settings(max_examples=400)
@given(runs(STATIC + LINEAR + GENERAL, STATIC + GENERAL))
def test_stepped_kernel_equals_twin(run):
    assert stepped(run).tolist() == twin.simulate(run)


@settings(max_examples=200)
@given(runs(STATIC + LINEAR + GENERAL, STATIC + GENERAL), st.integers(1, 40))
def test_simulation_in_parts_gives_the_same_schedule(run, most_scores):
    session = QueueSession(
        run.processors, run.policy, run.backfill, run.dialect, run.head, run.threshold
    )
    session.submit_jobs(run.jobs)
    while session.advance_part(most_scores):
        pass
    assert session.schedule().start.tolist() == stepped(run).tolist()


@settings(max_examples=400)
@given(runs(STATIC + GENERAL, least_estimate=1))
def test_general_kernel_equals_twin(run):
    assert general(run).tolist() == twin.simulate(run)


@settings(max_examples=400)
@given(runs(STATIC + LINEAR + GENERAL, dialects=switches))
def test_every_switch_equals_twin(run):
    assert general(run).tolist() == twin.simulate(run)


@settings(max_examples=400)
@given(
    workloads(PROCESSORS),
    st.sampled_from(["fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf"]),
    st.sampled_from(["fcfs", "spf", "saf"]),
    st.booleans(),
    plain,
)
def test_plain_dialects_equal_the_easy_oracle(jobs, primary, backfill, strict, dialect):
    rows = list(zip(*(column.tolist() for column in _columns(jobs)), strict=True))
    lifo = dialect is LIFO
    expected = easy.simulate(rows, PROCESSORS, primary, backfill, lifo=lifo, strict=strict)
    run = Run(jobs, PROCESSORS, get(primary), None if strict else get(backfill), dialect)
    assert simulate(run).start.tolist() == [expected[job] for job in range(len(jobs))]


def _columns(jobs: Jobs):
    return jobs.submit, jobs.runtime, jobs.procs, jobs.estimate


@settings(max_examples=400)
@given(
    workloads(PROCESSORS, most=60),
    st.sampled_from(["fcfs", "wfp3", "unicef", "spt", "f1", "f2", "f3", "f4"]),
    st.booleans(),
)
def test_artefact_dialect_equals_its_oracle(jobs, policy, backfilling):
    jobs = replace(jobs, runtime=np.maximum(jobs.runtime, 1))
    if len(jobs) <= 16:
        return
    tasks = list(zip(jobs.runtime.tolist(), jobs.procs.tolist(), jobs.submit.tolist(),
                     jobs.estimate.tolist(), strict=True))  # fmt: skip
    expected = artefact_dialect.simulate(
        tasks, PROCESSORS, policy, backfilling, artefact_dialect.LAT
    )
    order = get(policy)
    run = Run(jobs, PROCESSORS, order, order if backfilling else None, DIALECTS["artefact"], 16)
    schedule = simulate(run)
    slowdown = np.maximum(1, (schedule.end - jobs.submit) / np.maximum(jobs.runtime, 10))
    assert slowdown[16:].mean() == pytest.approx(expected, rel=1e-12)


def five(procs, runtime, submit=(0, 0, 0, 0, 0), estimate=None) -> Jobs:
    return Jobs(range(1, 6), submit, runtime, estimate or runtime, procs)


@pytest.mark.parametrize(
    ("jobs", "policy", "backfill", "expected"),
    [
        # strict: job 2 blocks 3, 4 and 5 although 3 would fit next to job 1
        (five((3, 4, 1, 2, 2), (10, 5, 10, 4, 4)), "fcfs", None, [0, 10, 15, 15, 19]),
        # EASY: job 3 fits next to job 1 and ends at the shadow time 10 exactly
        (five((3, 4, 1, 2, 2), (10, 5, 10, 4, 4)), "fcfs", "fcfs", [0, 10, 0, 15, 15]),
        # shortest first: 4 and 5 start, the rest waits for its turn in order of run time
        (five((3, 4, 1, 2, 2), (10, 5, 10, 4, 4)), "spt", None, [9, 4, 9, 0, 0]),
        # an early end: job 1 was expected until 20 and ends at 10, so the head moves up; job 4,
        # 12 s as far as anybody knows, would not have ended by 20 when processors came free at 9
        (
            five((3, 4, 1, 1, 4), (10, 5, 9, 3, 1), estimate=(20, 5, 9, 12, 1)),
            "fcfs",
            "fcfs",
            [0, 10, 0, 15, 18],
        ),
        # the backfill order is its own: the shortest overtakes first
        (five((3, 4, 1, 1, 1), (10, 5, 9, 3, 5)), "fcfs", "spt", [0, 10, 15, 0, 3]),
    ],
)
def test_five_jobs_solved_by_hand(jobs, policy, backfill, expected):
    run = Run(jobs, 4, get(policy), get(backfill) if backfill else None)
    assert simulate(run).start.tolist() == expected


@pytest.mark.parametrize("kernel", [static, stepped, general])
def test_processors_that_end_at_the_shadow_time_count_as_free(kernel):
    """65 of 70 are back at 100, more than a block holds; the head leaves 32 of them over."""
    procs, runtime = [1] * 65 + [38, 5], [100] * 65 + [10, 200]
    jobs = Jobs(range(67), [0] * 67, runtime, runtime, procs)
    start = kernel(Run(jobs, 70, get("fcfs"), get("fcfs")))
    assert start.tolist() == [0] * 65 + [100, 0]


def crowd(count: int, processors: int, seed: int) -> Jobs:
    """Far more work than the machine can do: the queue grows to thousands of jobs."""
    rng = np.random.default_rng(seed)
    runtime = rng.integers(1, 2000, count)
    return Jobs(
        np.arange(count),
        np.sort(rng.integers(0, 20 * count, count)),
        runtime,
        runtime * rng.integers(1, 5, count),
        np.minimum(2 ** rng.integers(0, 7, count) + rng.integers(0, 3, count), processors),
    )


@pytest.mark.parametrize("policy", STATIC)
@pytest.mark.parametrize("backfill", [None, "same", "spt"])
def test_kernels_agree_on_deep_queues(policy, backfill):
    second = {"same": policy}.get(backfill, backfill)
    run = Run(crowd(1500, 100, 7), 100, get(policy), get(second) if second else None)
    starts = static(run)
    assert (starts == stepped(run)).all()
    assert (starts == general(run)).all()


@pytest.mark.parametrize("policy", STATIC)
@pytest.mark.parametrize("same", [True, False])
def test_forms_of_a_queue_of_hundreds_agree(policy, same):
    """Entries of started jobs are removed from the line many times; its schedule is the tree's."""
    run = Run(crowd(1000, 100, 7), 100, get(policy), get(policy if same else "spt"), head=16)
    expected = stepped(run)
    for form in FORMS:
        assert (static_as(run, form) == expected).all()


@pytest.mark.parametrize("backfill", [None, "same", "spt"])
def test_scores_at_every_event_give_one_schedule_on_deep_queues(backfill):
    policy = get("w * r / n + sqrt(w)")
    second = {"same": policy, "spt": get("spt")}.get(backfill)
    run = Run(crowd(1500, 100, 7), 100, policy, second)
    assert (stepped(run) == general(run)).all()
    assert (simulate(run).start == general(run)).all()


@pytest.mark.parametrize("policy", STATIC)
def test_trees_agree_on_a_queue_of_tens_of_thousands(policy):
    run = Run(crowd(30000, 100, 7), 100, get(policy), get("spt"), head=16)
    assert (static(run) == stepped(run)).all()


@pytest.mark.parametrize("policy", LINEAR)
def test_linear_policies_equal_twin_on_deep_queues(policy):
    """Hundreds of waiting jobs overtake each other as the twin, exact and slow, has them."""
    run = Run(crowd(400, 64, 3), 64, get(policy), get(policy), head=16)
    assert stepped(run).tolist() == twin.simulate(run)


@pytest.mark.parametrize("policy", LINEAR)
def test_jobs_that_wait_for_centuries_equal_the_twin(policy):
    """Times above 2**31 s: when 200 jobs have waited for longer than 68 years, others come."""
    few, later = crowd(200, 64, 3), crowd(200, 64, 4)
    late = 2**16 * later.submit + int(2**16 * few.submit[-1]) + 2**31
    jobs = Jobs(
        np.arange(400),
        np.concatenate([2**16 * few.submit, late]),
        np.concatenate([2**16 * few.runtime, 2**16 * later.runtime]),
        np.concatenate([2**16 * few.estimate, 2**16 * later.estimate]),
        np.concatenate([few.procs, later.procs]),
    )
    run = Run(jobs, 64, get(policy), get(policy), head=16)
    start = stepped(run)
    assert start.tolist() == twin.simulate(run)
    assert (start - jobs.submit).max() > 2**31


def test_results_do_not_depend_on_threads():
    rng = np.random.default_rng(1)
    many = []
    for policy in ("fcfs", "wfp3", "f1", "r - w") * 5:
        count = 300
        runtime = rng.integers(1, 500, count)
        jobs = Jobs(range(count), np.sort(rng.integers(0, 9000, count)), runtime, runtime * 2,
                    rng.integers(1, 33, count))  # fmt: skip
        many.append(Run(jobs, 32, get(policy), get(policy)))
    one, four = simulate_many(many), simulate_many(many, threads=4)
    assert all((a.start == b.start).all() for a, b in zip(one, four, strict=True))


def test_a_job_wider_than_the_machine_is_an_error():
    with pytest.raises(ValueError, match="job 7 needs 9 processors, the machine has 8"):
        Run(Jobs([7], [0], [1], [1], [9]), 8, get("fcfs"))


@pytest.mark.parametrize("kernel", [static, stepped, general])
@pytest.mark.parametrize("backfilling", [False, True])
def test_scores_that_are_no_numbers_are_errors(kernel, backfilling):
    policy = get("log(s - 400)")
    with pytest.raises(ScoreError, match="is nan"):
        kernel(Run(crowd(200, 64, 9), 64, policy, policy if backfilling else None))


def test_no_jobs_no_starts():
    empty = Jobs([], [], [], [], [])
    for policy in ("fcfs", "wfp3", "r - w"):
        assert len(simulate(Run(empty, 4, get(policy), get(policy)))) == 0


def ratios_that_floats_confuse(divisor):
    """Waits and estimates of pairs: w1 / r1 is larger, and floats have it the other way round."""
    rng = np.random.default_rng(1)
    pairs = []
    while len(pairs) < 20:
        r1, r2 = (int(each) for each in rng.integers(2**29, 2**30, 2))
        if math.gcd(r1, r2) > 1:
            continue
        w1 = pow(r2, -1, r1)  # w1 * r2 - w2 * r1 = 1
        w2 = (w1 * r2 - 1) // r1
        if w1 * (float(divisor) * r2) < w2 * (float(divisor) * r1):
            pairs.append((w1, r1, w2, r2))
    return pairs


def test_lines_that_floats_confuse_are_compared_exactly():
    policy, procs, now = get("wfp3"), 3, 2**30
    (divisor,) = policy.divisors(np.array([procs]))
    for w1, r1, w2, r2 in ratios_that_floats_confuse(divisor):
        # the first job runs until the others are compared
        waiting = sorted([(now - w1, r1), (now - w2, r2)])
        submit, estimate = zip((0, now), *waiting, strict=True)
        runtime = [now, 1, 1]
        jobs = Jobs([1, 2, 3], submit, runtime, estimate, [procs] * 3)
        start = simulate(Run(jobs, procs, policy)).start
        assert start[1 + waiting.index((now - w1, r1))] == now
