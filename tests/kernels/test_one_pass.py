"""The dialects of one pass: against the twin, and schedules solved by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.policies.expression import ScoreError
from schedlab.queue.arrivals import hashes
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from strategies import GENERAL, workloads
from twins import one_pass
from twins import queue as twin

PROCESSORS = 8
IN_ORDER, BY_EVENTS = DIALECTS["ocs_in_order"], DIALECTS["ocs"]
PURE = ("fcfs", "lcfs", "lpf", "spf", "lqf", "sqf", "laf", "saf", "lexp", "sexp", "lrf", "srf")

thresholds = st.sampled_from([None, 0, 2, 15, 100])


@st.composite
def numbered(draw) -> Jobs:
    """Workloads whose jobs have numbers with gaps, many of one estimate."""
    jobs = draw(workloads(PROCESSORS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    number = np.sort(rng.choice(20_000, len(jobs), replace=False))
    step = draw(st.sampled_from([1, 10]))
    estimate = -(-jobs.estimate // step) * step
    return Jobs(number, jobs.submit, jobs.runtime, estimate, jobs.procs)


@settings(max_examples=600)
@given(
    numbered(),
    st.sampled_from([*PURE, *GENERAL, "wfp3"]),
    st.sampled_from([None, "spf", "sqf", "fcfs"]),
    st.sampled_from([IN_ORDER, BY_EVENTS]),
    thresholds,
)
def test_starts_are_the_twins(jobs, policy, backfill, dialect, threshold):
    second = get(backfill) if backfill else None
    run = Run(jobs, PROCESSORS, get(policy), second, dialect, threshold=threshold)
    assert simulate(run).start.tolist() == twin.simulate(run)


def starts(rows, policy, processors, threshold=None, dialect=IN_ORDER) -> list[int]:
    """Start times of rows (submit, runtime, estimate, procs); kernel and twin agree on them."""
    submit, runtime, estimate, procs = zip(*rows, strict=True)
    jobs = Jobs(range(2, len(rows) + 2), submit, runtime, estimate, procs)
    run = Run(jobs, processors, get(policy), get("spf"), dialect, threshold=threshold)
    found = simulate(run).start.tolist()
    assert found == twin.simulate(run)
    return found


def test_reservation_counts_running_jobs_one_at_a_time():
    """Two jobs end at 10; the head fits with one of them, so that the other leaves nothing over."""
    # 4 processors. Job 0 (two) is over at 5 instead of 10, jobs 1 and 2 (one each) run to 10. At 5
    # two are free; job 3 needs three and has them with the first end at 10: nothing is left over
    # for the long job 4. With both ends one processor would be.
    rows = [(0, 5, 10, 2), (0, 10, 10, 1), (0, 10, 10, 1), (1, 9, 9, 3), (2, 20, 20, 1)]
    assert starts(rows, "fcfs", 4) == [0, 0, 0, 10, 10]
    jobs = Jobs(range(5), *zip(*rows, strict=True))
    merged = Run(jobs, 4, get("fcfs"), get("spf"), DIALECTS["lifo"])
    assert simulate(merged).start.tolist() == [0, 0, 0, 10, 5]


def test_of_equal_ends_the_last_one_started_is_counted_on_first():
    """And jobs that start in this very instant last."""
    # 6 processors. Job 0 (three) starts at 0, job 1 (one) at 1, both end at 10 by their estimates;
    # 2 (four) heads from 2 on with two free. Job 1 comes first: 2 + 1 = 3 do not do, with job 0
    # there are 6, two left over: the narrow long job 3 may start. Had job 0 come first, there would
    # be 5, one left over.
    rows = [(0, 10, 10, 3), (1, 9, 9, 1), (2, 5, 5, 4), (3, 50, 50, 2)]
    assert starts(rows, "fcfs", 6) == [0, 1, 10, 3]
    # the same with job 1 wide and job 0 narrow: 2 + 3 do, one left over, and job 3 must wait
    rows = [(0, 10, 10, 1), (1, 9, 9, 3), (2, 5, 5, 4), (3, 50, 50, 2)]
    assert starts(rows, "fcfs", 6) == [0, 1, 10, 10]


@pytest.mark.parametrize(("came", "start"), [(1, 1), (2, 10)])
def test_a_head_of_this_instant_is_counted_on_last_and_first_afterwards(came, start):
    # 6 processors. Job 0 (one) runs to 10. At 1 job 1 (three) starts and would end at 10 too; job 2
    # (four) heads with two free. In that pass job 0 comes before job 1: 2 + 1 do not do, 2 + 1 + 3
    # leave two over, and job 3 (two, long) starts if it is there. In the next pass job 1 comes
    # first: 2 + 3 leave one over, and it must wait.
    rows = [(0, 10, 10, 1), (1, 9, 9, 3), (1, 5, 5, 4), (came, 50, 50, 2)]
    assert starts(rows, "abs(r - 9)", 6) == [0, 1, 10, start]


@pytest.mark.parametrize(
    ("policy", "expected"), [("fcfs", [4, 8]), ("lqf", [8, 4]), ("s - 100 * n", [4, 8])]
)
def test_equal_estimates_are_backfilled_in_the_primary_order(policy, expected):
    """What that order sees no difference between, the last to come first."""
    # 4 processors, three of them taken to 12 and one to 4; job 2 needs all four
    rows = [(0, 4, 4, 1), (0, 12, 12, 3), (1, 9, 9, 4), (2, 4, 4, 1), (3, 4, 4, 1)]
    assert starts(rows, policy, 4) == [0, 0, 12, *expected]


@pytest.mark.parametrize(("threshold", "first"), [(None, 4), (8, 4), (7, 3)])
def test_starving_job_is_backfilled_first_among_equals(threshold, first):
    # 3 processors, one of them taken to 99; job 2 needs all three. At 10 two are free: jobs 3 and 4
    # have waited 8 s and 7 s, and one of them fits.
    rows = [(0, 10, 10, 2), (0, 99, 99, 1), (1, 7, 7, 3), (2, 5, 5, 2), (3, 5, 5, 2)]
    assert starts(rows, "lqf", 3, threshold)[first] == 10


@pytest.mark.parametrize(("threshold", "first"), [(8, 3), (7, 2)])
def test_policy_orders_starving_jobs_of_one_arrival(threshold, first):
    """Both or none of an instant have waited too long; who came later may not have."""
    # job 0 holds the machine to 10; jobs 2 and 3 came at 2 and have waited 8 s, job 1 came at 3
    rows = [(0, 10, 10, 4), (2, 5, 5, 3), (2, 5, 5, 4), (3, 4, 4, 4)]
    assert starts(rows, "lqf", 4, threshold)[first] == 10


def test_events_order_the_arrivals_of_one_instant():
    """The heap gives them back in an order of its own, and the first counts as the last."""
    rows = [(0, 5, 5, 4)] * 6
    in_order = starts(rows, "lcfs", 4)
    by_events = starts(rows, "lcfs", 4, dialect=BY_EVENTS)
    assert in_order == [25, 20, 15, 10, 5, 0]
    heap = one_pass.Heap()
    for number in one_pass.table_order(list(range(2, 8))):
        heap.push((0, number))
    popped = [heap.pop()[1] for _ in range(6)]
    assert [by_events[number - 2] for number in popped] == [0, 5, 10, 15, 20, 25]
    assert by_events != in_order


def test_numbers_are_hashed_as_ocaml_does():
    """Hashtbl.hash of 0, 1, 2 and 3."""
    assert hashes([0, 1, 2, 3]).tolist() == [129913994, 883721435, 648017920, 152507349]


def test_unsupported_options_of_the_dialect_are_rejected():
    jobs = Jobs([1], [0], [5], [5], [1])
    with pytest.raises(ValueError, match="does not support head"):
        Run(jobs, 4, get("fcfs"), get("spf"), BY_EVENTS, head=1)
    with pytest.raises(ValueError, match="backfills in a static order, 'lexp' moves"):
        Run(jobs, 4, get("fcfs"), get("lexp"), BY_EVENTS)
    with pytest.raises(ValueError, match="not stepped"):
        QueueSession(4, get("fcfs"), get("spf"), BY_EVENTS)


def test_nan_score_is_an_error():
    jobs = Jobs([4, 9, 11], [0, 0, 0], [5, 5, 5], [5, 5, 5], [3, 3, 3])
    with pytest.raises(ScoreError, match="job"):
        simulate(Run(jobs, 4, get("log(w - 1)"), get("spf"), IN_ORDER))


def test_no_jobs_have_no_starts():
    jobs = Jobs([], [], [], [], [])
    for dialect in (IN_ORDER, BY_EVENTS):
        assert len(simulate(Run(jobs, 4, get("saf"), get("spf"), dialect))) == 0
