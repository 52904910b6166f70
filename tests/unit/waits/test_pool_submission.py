"""A workflow with a pool, in a batch system with given waits, and in a queue with other jobs."""

import numpy as np
import pytest

from asa_case import Scripted, estimator_by_stage
from schedlab.core.jobs import Jobs
from schedlab.queue.sessions import QueueSession
from schedlab.waits.pool import StageTasks, Tasks, divide, keep_whole
from schedlab.waits.pool_submission import PoolSubmission
from schedlab.waits.requests import request_run_time
from schedlab.waits.simulated_queue import SimulatedQueue
from schedlab.waits.strategies import STRATEGIES, drive
from schedlab.waits.submissions import Submission
from schedlab.waits.workflows import Stage, Workflow

CHAIN = Workflow(
    "chain", (Stage("a", 4, 100), Stage("b", 1, 50, ("a",)), Stage("c", 5, 30, ("b",)))
)


def tasks_of(workflow, parts):
    return [
        keep_whole(stage) if stage.cores == 1 else divide(stage, parts) for stage in workflow.stages
    ]


def run_pool(waits, estimates, parts=2, lasts=1000, tasks=None, workflow=CHAIN):
    """Rows, environment and estimator; all allocations request `lasts` s."""
    environment, told = Scripted(waits), estimator_by_stage(workflow, estimates)
    one = PoolSubmission(
        workflow, tasks or tasks_of(workflow, parts), lambda cores, seconds: lasts, environment, 0,
        "sys", told,
    )  # fmt: skip
    drive(environment, [one])
    return one.rows(), environment, told


def columns_of(rows, *columns):
    return rows[list(columns)].to_numpy().tolist()


def test_pool_with_exact_estimates_waits_as_other_strategies():
    """As in `test_asa_submits_earlier_by_its_predicted_wait`; b goes on with c for no time."""
    rows, environment, told = run_pool([70, 30, 40], [70, 30, 40])
    assert environment.submissions == [(0, 4), (140, 1), (180, 5)]
    assert columns_of(rows, "start", "end", "perceived") == [
        [70, 170, 70],
        [170, 220, 0],
        [220, 250, 0],
    ]
    assert told.observed == [("sys/4", 70, 70), ("sys/1", 30, 30), ("sys/5", 40, 40)]
    assert rows["core_seconds"].tolist() == [400, 50, 150]
    assert rows["idle_core_seconds"].tolist() == [0, 0, 0]
    assert rows["hit"].tolist() == [True, True, True]


def test_early_allocation_works_instead_of_idling():
    """Stage c's five cores come at 80; a, of two tasks of 50 s on each of four cores, ends at 130.

    Its second halves begin at 80 on four of the five cores. Its own allocation is released at 120.
    """
    rows, environment, told = run_pool([70, 10, 10], [70, 10, 150])
    assert environment.submissions == [(0, 4), (70, 5), (120, 1)]
    assert columns_of(rows, "start", "end", "perceived") == [
        [70, 130, 70 - 40],
        # b runs at once in c's allocation, and its own is not needed when it comes
        [130, 180, 0],
        [180, 210, 0],
    ]
    assert environment.log == ["120: 0 cancelled", "130: 2 cancelled", "210: 1 cancelled"]
    # c's fifth core idles for 50 s, and four of them while b runs
    assert rows["idle_core_seconds"].tolist() == [0, 0, 50 + 4 * 50]
    assert rows["resubmitted"].tolist() == [0, 0, 0]
    assert told.observed == [("sys/4", 70, 70), ("sys/5", 10, 150), ("sys/1", 10, 10)]


def test_allocation_that_is_not_needed_is_cancelled_in_the_queue():
    rows, environment, _ = run_pool([70, 10, 5000], [70, 10, 150])
    assert environment.log[1:] == ["180: 2 cancelled", "210: 1 cancelled"]
    assert columns_of(rows, "stage", "submit", "estimate", "wait", "hit")[1] == [
        "b", -1, -1, -1, False,
    ]  # fmt: skip
    assert rows["end"].max() == 210


@pytest.mark.parametrize(("lasts", "again"), [(170, []), (169, [(220, 5)])])
def test_allocation_with_too_little_time_is_submitted_again(lasts, again):
    """Whole stages: c's allocation comes at 80, and runs b from 170 to 220. Then it needs 30 s."""
    whole = [keep_whole(stage) for stage in CHAIN.stages]
    rows, environment, _ = run_pool([70, 10, 30, 11], [70, 10, 150], lasts=lasts, tasks=whole)
    assert environment.submissions == [(0, 4), (70, 5), *environment.submissions[2:3], *again]
    assert columns_of(rows, "start", "end", "perceived")[:2] == [[70, 170, 70], [170, 220, 0]]
    late = 11 * len(again)
    assert columns_of(rows, "start", "end", "resubmitted")[2] == [
        220 + late, 250 + late, len(again),
    ]  # fmt: skip


def test_cut_tasks_are_rerun_in_another_allocation():
    """Tasks of 100 s with a limit of 1 s: the first allocation is gone after 90 s of them."""
    unlimited = [StageTasks(1, (Tasks(4, 100, 1),)), *tasks_of(CHAIN, 1)[1:]]
    two = Workflow("two", CHAIN.stages[:2])
    waits = [70, 1000, 5, 5, 5]

    class Short(Scripted):
        """The first allocation is cut by its end, as if it was preempted."""

        def submit(self, stage):
            job = super().submit(stage)
            self._seconds[job] = 90 if job == 0 else self._seconds[job]
            return job

    environment, told = Short(waits), estimator_by_stage(two, [0, 0])
    one = PoolSubmission(
        two, unlimited[:2], lambda cores, seconds: 500, environment, 0, "sys", told
    )
    drive(environment, [one])
    rows = one.rows()
    assert environment.submissions[:1] == [(0, 4)]
    again = [submit for submit, cores in environment.submissions if cores == 4]
    assert again == [0, 160]
    assert columns_of(rows, "reruns", "cut_core_seconds", "resubmitted")[0] == [4, 360, 1]
    assert rows["idle_core_seconds"].tolist()[0] == 360
    # submitted at 160, it waits 1000 or 5 s, by the order of submissions
    assert rows["end"].tolist()[0] == 160 + waits[environment.submissions.index((160, 4))] + 100


def test_task_that_never_fits_is_an_error():
    for wide, seconds in ((6, 10), (1, 31)):
        tasks = [*tasks_of(CHAIN, 1)[:2], StageTasks(wide, (Tasks(1, seconds, 1),))]
        with pytest.raises(ValueError, match=f"'c': a task of {wide} cores and {seconds} s does"):
            PoolSubmission(CHAIN, tasks, request_run_time, Scripted([]), 0, "s", object())
    late = [*tasks_of(CHAIN, 1)[:2], StageTasks(1, (Tasks(1, 1, 31),))]
    with pytest.raises(ValueError, match="'c': a task of 1 cores and 31 s does"):
        PoolSubmission(CHAIN, late, request_run_time, Scripted([]), 0, "s", object())


def queue(others, processors=4):
    session = QueueSession(processors, "fcfs", backfill="fcfs")
    submit, runtime = np.array(others, dtype=np.int64).reshape(-1, 2).T
    count = len(submit)
    session.submit_jobs(
        Jobs(np.arange(count), submit, runtime, runtime, np.full(count, processors))
    )
    return session


class Metered(SimulatedQueue):
    """A queue that counts the core-seconds of its tracked jobs."""

    def __init__(self, session):
        super().__init__(session)
        self.cores, self.begins, self.core_seconds = {}, {}, 0

    def submit(self, stage):
        job = super().submit(stage)
        self.cores[job] = stage.cores
        return job

    def cancel(self, job):
        self.meter([job])
        return super().cancel(job)

    def read(self):
        started, ended = super().read()
        self.begins |= dict.fromkeys(started, self.now)
        self.meter(ended)
        return started, ended

    def meter(self, jobs):
        for job in jobs:
            if job in self.begins:
                self.core_seconds += self.cores[job] * (self.now - self.begins.pop(job))


@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize("lasts", [0, 400])
def test_pools_share_a_queue_with_other_jobs(parts, lasts):
    """Tasks and idle time add up to what the allocations had, and no stage begins too early."""
    four = Workflow("four", (*CHAIN.stages[:2], Stage("c", 4, 30, ("b",))))
    environment = Metered(queue([(50 * k, 30) for k in range(100)]))
    told = estimator_by_stage(four, [200, 200])
    many = [
        PoolSubmission(
            four, tasks_of(four, parts), lambda cores, seconds: max(lasts, seconds),
            environment, at, "sys", told,
        )
        for at in (0, 10, 500, 1000)
    ]  # fmt: skip
    drive(environment, many)
    rows = [row for one in many for row in one.records()]
    used = sum(row["core_seconds"] + row["idle_core_seconds"] for row in rows)
    assert used == environment.core_seconds
    assert not environment.begins
    for one in many:
        table = one.rows()
        assert (table["start"].to_numpy()[1:] >= table["end"].to_numpy()[:-1]).all()
        assert table["end"].max() - one.at == table["perceived"].sum() + four.seconds
        assert table["reruns"].sum() == 0


def test_pool_without_early_allocations_is_per_stage():
    """If no wait is expected, and no allocation outlives its stage, nothing is shared."""
    found = {}
    for name in ("Pool", "Per-Stage"):
        environment = SimulatedQueue(queue(((0, 100), (150, 500), (230, 7)), 5))
        told = estimator_by_stage(CHAIN, [0, 0, 0])
        common = (environment, 0, "sys", told)
        one = (
            PoolSubmission(CHAIN, tasks_of(CHAIN, 1), request_run_time, *common)
            if name == "Pool"
            else Submission(CHAIN, STRATEGIES[name], *common)
        )
        drive(environment, [one])
        found[name] = columns_of(one.rows(), "start", "end", "perceived", "core_seconds")
    assert found["Pool"] == found["Per-Stage"]


def test_successor_is_due_by_the_early_allocation_of_a_stage():
    """Stage b is expected at 300, and its core comes at 10: it will run from 170 to 220."""
    _, environment, _ = run_pool([70, 10, 40], [70, 300, 40], parts=1)
    assert environment.submissions == [(0, 4), (0, 1), (180, 5)]


def test_successor_is_due_later_if_an_allocation_has_expired():
    """Stage b's core is gone at 70, and its next wait, of 10 s as well, is expected after 170."""
    environment, told = Scripted([70, 10, 300, 5]), estimator_by_stage(CHAIN, [70, 300, 100])
    one = PoolSubmission(
        CHAIN, tasks_of(CHAIN, 1), lambda cores, seconds: seconds + 10, environment, 0, "sys", told
    )
    drive(environment, [one])
    assert environment.submissions == [(0, 4), (0, 1), (130, 5), (170, 1)]
    assert one.rows()["idle_core_seconds"].tolist()[1] == 60
