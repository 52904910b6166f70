"""Why a job waited: cases of five jobs solved by hand, and invariants of any case."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.queue.simulation import Run
from schedlab.workbench.events import HOLDS, delay_seconds
from schedlab.workbench.explanation import RIGHTS
from schedlab.workbench.results import Result, as_recorded, simulate
from site_case import jobs_of, log_of
from strategies import session_runs, with_exact_estimates

# Four processors. Job 1 has three until 10, job 2 needs all four: first come, first served it is
# the head from 1 on and is to start at 10. Jobs 3 (5 s) and 5 (2 s) end by then, job 4 (20 s) not.
#: runs that are explained; first fit and numbers of reservations are refused
EXPLAINED = ("none", "head", "every")
FIVE = jobs_of((0, 10, 3), (1, 10, 4), (2, 5, 1), (3, 20, 1), (8, 2, 1))


def explain_job(job, jobs=FIVE, **options):
    return simulate(log_of(jobs, 4), **options).explain(job)


def decisions_of(found):
    """Each decision as time, free and left processors, reason, and started jobs with rights."""
    return [
        (each.after, each.free, each.left, each.hold, [(s.number, s.right) for s in each.started])
        for each in found.decisions
    ]


def test_job_that_would_delay_the_head_is_overtaken():
    """EASY: at 7 a processor is free, and job 4 would end at 27; job 5 ends at 10."""
    found = explain_job(4)
    assert (found.submit, found.wait, found.right) == (3, 17, "at the head of the queue")
    assert decisions_of(found) == [
        (0, 0, 0, "too few free", []),
        (5, 1, 0, "too few free", [(5, "backfill in time")]),
        (7, 4, 0, "too few free", [(2, "order")]),
    ]
    assert found.decisions[1].head == 2
    assert (found.decisions[1].reservation, found.decisions[1].extra) == (2, 0)
    assert found.delays == {"too few free": 16, "reservation": 1, "plan": 0, "order": 0}
    assert found.passed() == {"backfill in time": 1, "order": 1}


def test_head_is_passed_over_by_jobs_that_do_not_delay_it():
    found = explain_job(2)
    assert decisions_of(found) == [
        (0, 1, 1, "too few free", []),
        (1, 1, 0, "too few free", [(3, "backfill")]),
        (7, 1, 0, "too few free", [(5, "backfill")]),
    ]
    assert [each.reservation for each in found.decisions] == [9, 8, 2]
    assert "it is first of all, reserved in 0:00:09" in found.text()


def test_strict_order_makes_a_fitting_job_wait():
    """Job 2 starts at 10, and at 20 job 3 is first."""
    found = explain_job(3, reservations="none")
    assert decisions_of(found) == [
        (0, 1, 1, "order", []),
        (8, 4, 0, "too few free", [(2, "order")]),
    ]
    assert found.delays == {"too few free": 10, "reservation": 0, "plan": 0, "order": 8}
    assert "it needs 1, but job 2 is first and does not fit" in found.text()
    assert "4 free: it needs 1, 0 are left; it is first of all\n" in found.text()
    assert found.right == "at the head of the queue"


def test_with_reservations_of_all_a_later_job_may_fit_a_gap():
    """Job 4 has no room before job 2's reservation, job 5 has."""
    found = explain_job(4, reservations="every")
    assert decisions_of(found) == [
        (0, 0, 0, "too few free", []),
        (5, 1, 0, "too few free", [(5, "gap")]),
        (7, 4, 0, "too few free", [(2, "plan")]),
    ]
    assert [each.reservation for each in found.decisions] == [17, 12, 10]
    assert "after 0:00:00, 0 free: it needs 1; its reservation begins in 0:00:17" in found.text()
    assert found.delays == {"too few free": 16, "reservation": 0, "plan": 1, "order": 0}
    assert found.right == "as reserved"


def test_backfilling_order_decides_between_two_candidates():
    """At 2 jobs 3 and 4 come and both would end by 10: the shorter goes, then the other is late."""
    jobs = jobs_of((0, 10, 3), (1, 5, 4), (2, 6, 1), (2, 3, 1), (30, 1, 1))
    found = explain_job(3, jobs, backfill="spt")
    assert decisions_of(found) == [
        (0, 1, 0, "too few free", [(4, "backfill order")]),
        (8, 4, 0, "too few free", [(2, "order")]),
    ]
    assert found.delays == {"too few free": 8, "reservation": 5, "plan": 0, "order": 0}
    assert found.wait == 13


# Ten processors. Job 1 has five until 10, when job 2, the head, takes eight and leaves two over.
# At 2 jobs 3 and 6 (3 s) would end by then, job 4 (50 s) takes one of the two, so that job 5 (50 s)
# has only one left where it needs two.
LATE = jobs_of((0, 10, 5), (1, 10, 8), (2, 3, 1), (2, 50, 1), (2, 50, 2), (2, 3, 1))


def test_spare_processors_of_the_head_go_to_jobs_in_front():
    """Job 5 may be backfilled until job 4 has been, and not afterwards."""
    found = simulate(log_of(LATE, 10)).explain(5)
    first, last = found.decisions
    assert [(one.number, one.right) for one in first.started] == [
        (3, "backfill order"), (4, "backfill order"), (6, "backfill in time"),
    ]  # fmt: skip
    assert (first.hold, first.reservation, first.extra) == ("reservation", 8, 1)
    assert (
        "5 free: it needs 2 for 0:00:50, but job 2 is to start in 0:00:08 and leaves 1 over"
        in found.text()
    )
    assert [one.number for one in last.started] == [2]
    told = "after 0:00:08, 9 free: it needs 2, 1 are left; it is first of all, reserved in 0:00:10"
    assert told in found.text()
    assert found.to_dict()["passed"] == {"backfill order": 2, "backfill in time": 1, "order": 1}


def test_plan_with_too_few_free_processors_is_explained():
    """With reservations of all job 5 has room when job 2 ends, and two are free until 10."""
    found = simulate(log_of(LATE, 10), reservations="every").explain(5)
    assert "5 free: it needs 2, and its reservation begins in 0:00:18" in found.text()
    assert found.delays["plan"] == 8


def test_job_that_waited_beyond_the_threshold_is_starving():
    """Shortest first without backfilling; at 10 job 2 has waited 9 s and job 4 but one."""
    jobs = jobs_of((0, 10, 4), (1, 9, 4), (2, 2, 4), (9, 1, 4), (30, 1, 1))
    found = explain_job(4, jobs, policy="spt", reservations="none", threshold=5)
    assert found.passed() == {"starving": 2}
    assert found.wait == 12
    without = explain_job(4, jobs, policy="spt", reservations="none")
    assert (without.wait, without.passed()) == (1, {})


def test_job_first_by_order_is_not_starving_below_the_threshold():
    jobs = jobs_of((0, 10, 4), (1, 9, 4), (2, 2, 4), (9, 1, 4), (30, 1, 1))
    found = explain_job(2, jobs, policy="spt", reservations="none", threshold=100)
    assert found.passed() == {"order": 2}


def test_job_without_a_wait_starts_at_once():
    found = explain_job(1)
    assert (found.wait, found.right, found.decisions) == (0, "at once", ())
    assert found.text() == (
        "job 1 (3 processors, estimate 0:00:10) under FCFS waited 0:00:00 and started at once"
    )


def test_time_dependent_order_is_explained_too():
    """At 10 job 3 has 20 - 8 = 12 and job 2 has 10 - 9 = 1."""
    found = explain_job(3, jobs_of((0, 10, 4), (1, 10, 4), (2, 20, 4)), policy="r - 1.0 * w")
    assert found.passed() == {"order": 1}


def test_long_explanations_are_cut_in_the_middle():
    found = explain_job(2)
    assert "… 1 decisions more …" in found.text(2)
    assert found.text(2).splitlines()[-1] == found.text().splitlines()[-1]
    for most in (1, 2, 3):
        assert found.text(most).count("\nafter ") == most
        assert "after 0:00:00, 1 free" in found.text(most)
    assert found.text(3) == found.text() == str(found)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: explain_job(9), "there is no job 9; numbers go from 1 to 5"),
        (lambda: explain_job(2, dialect="artefact"), "dialect artefact can be simulated, but not"),
        (
            lambda: Result(log_of(FIVE, 4), "site", None).explain(2),
            "the site's own decisions are not in the log",
        ),
        (lambda: as_recorded(log_of(FIVE, 4)), "does not say how long its jobs waited"),
    ],
)
def test_job_that_cannot_be_explained_names_the_reason(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def with_positive_run_times(run: Run) -> Run:
    """The same run, of jobs that run for a second at least, from the log's first on."""
    jobs = with_exact_estimates(
        replace(run.jobs, runtime=np.maximum(run.jobs.runtime, 1))
    ).rebased()
    return replace(run, jobs=jobs, head=0)


@pytest.mark.slow
@given(session_runs(most=25, kinds=EXPLAINED).map(with_positive_run_times), st.data())
def test_explanation_follows_from_the_schedule(run, data):
    log, jobs = log_of(run.jobs, run.processors), run.jobs
    result = simulate(
        log,
        run.policy,
        run.backfill,
        run.reservations,
        run.compression,
        run.threshold,
        run.dialect.name,
    )
    start, end = result.schedule.start, result.schedule.end
    job = data.draw(st.integers(0, len(jobs) - 1))
    found = result.explain(int(jobs.number[job]))
    assert found.wait == start[job] - jobs.submit[job] == sum(found.delays.values())
    meanwhile = (start >= jobs.submit[job]) & (start < start[job])
    assert sum(found.passed().values()) == meanwhile.sum()
    for each in found.decisions:
        now = jobs.submit[job] + each.after
        runs = (start < now) & (end > now)
        assert each.free == run.processors - jobs.procs[runs].sum()
        assert each.left == each.free - sum(one.procs for one in each.started)
        assert (each.hold == "too few free") == (found.procs > each.left)
        free = each.free
        for one in each.started:
            assert one.procs <= free
            assert one.right in RIGHTS
            if one.right == "backfill":
                assert found.procs > free
            elif one.right.startswith("backfill"):
                assert found.procs <= free
            if one.right.startswith("backfill") and one.estimate > each.reservation:
                # who ends later takes what the head leaves over
                head = jobs.procs[jobs.number == each.head][0]
                assert one.procs <= run.processors - head
            free -= one.procs


@pytest.mark.slow
@given(session_runs(most=25, kinds=EXPLAINED).map(with_positive_run_times))
def test_delays_of_all_jobs_equal_those_of_each_explanation(run):
    seconds = delay_seconds(run)
    result = simulate(
        log_of(run.jobs, run.processors),
        run.policy,
        run.backfill,
        run.reservations,
        run.compression,
        run.threshold,
        run.dialect.name,
    )
    for job, number in enumerate(run.jobs.number.tolist()):
        assert dict(zip(HOLDS, seconds[job].tolist(), strict=True)) == result.explain(number).delays
