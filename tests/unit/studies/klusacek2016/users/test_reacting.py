"""Users that submit in reaction to completions, and replayed logs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning, Search
from schedlab.planning.simulation import simulate_plan
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run as QueueRun
from schedlab.queue.simulation import simulate
from schedlab.studies.klusacek2016.users.batches import batches_of
from schedlab.studies.klusacek2016.users.machines import PlannedMachine, QueuedMachine
from schedlab.studies.klusacek2016.users.reacting import (
    AFTERNOON,
    DAY,
    HOUR,
    MARGIN,
    MORNING,
    THINK,
    react,
    replay,
)
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf

MINUTE = 60
PLANNING, SEED = Planning(search=Search(iterations=5)), ("reacting",)


class Instant:
    """A machine on which each job starts at once and has a given run time."""

    def __init__(self, runtime: list[int]) -> None:
        self.runtime, self.now = np.array(runtime), 0
        self.start, self.end = np.full((2, len(runtime)), -1)
        self.open = []

    def submit(self, places, times):
        assert (np.diff(times) >= 0).all()
        assert times[0] >= self.now
        for place, time in zip(places.tolist(), times.tolist(), strict=True):
            self.start[place], self.end[place] = time, time + self.runtime[place]
            self.open.append((self.end[place], place))

    def advance(self, until):
        first = min((end for end, _ in self.open), default=until)
        self.now = int(first if until is None else min(first, until))
        ended = [place for end, place in self.open if end == self.now]
        self.open = [one for one in self.open if one[0] > self.now]
        return ended

    def idle(self):
        return not self.open

    def schedule(self):
        return Schedule(self.start, self.end)


def test_the_hours_of_a_day_are_those_of_the_paper():
    """Half an hour to think, and none of it less than 35 minutes before the end; from 9 to 15."""
    assert (HOUR, DAY, THINK, MARGIN) == (3600, 86_400, 1800, 2100)
    assert (MORNING, AFTERNOON) == (32_400, 54_000)


def arrivals_of(
    jobs: list[tuple[int, int, int]], runtime: list[int], midnight: int = 0
) -> list[int]:
    user, submit, end = np.array(jobs).T
    return (
        react(Instant(runtime), batches_of(user, submit, end), submit, midnight)
        .extras["submit"]
        .tolist()
    )


def test_the_jobs_of_a_batch_keep_their_distances():
    """The second batch, recorded an hour on, comes half an hour after the first, its jobs apart."""
    jobs = [(1, 0, HOUR), (1, HOUR, 2 * HOUR), (1, HOUR + 7, 2 * HOUR), (1, 2 * HOUR - 1, 9000)]
    first = 10 + THINK
    assert arrivals_of(jobs, [10, 5, 5, 5]) == [0, first, first + 7, first + HOUR - 1]


def test_a_user_thinks_for_half_an_hour_after_the_last_batch():
    jobs = [(1, 0, 100), (1, 200, 300), (1, 200 + HOUR, 300 + HOUR)]
    assert arrivals_of(jobs, [100, 100, 100])[1] == 100 + THINK
    assert arrivals_of(jobs, [17, 100, 100])[1] == 17 + THINK


def test_batch_follows_completion_and_arrival_of_the_earlier_jobs():
    """The batch of two ends at 50, before its second job has come at 90."""
    jobs = [(1, 0, 100), (1, 90, 95), (1, 100, 200), (1, HOUR, HOUR), (1, 2 * HOUR, 3 * HOUR)]
    assert arrivals_of(jobs, [50, 40, 5, 5, 5])[2] == 130 + THINK
    assert arrivals_of(jobs, [500, 4, 5, 5, 5])[2] == 500 + THINK


@pytest.mark.parametrize(("to_go", "same"), [(MARGIN, False), (MARGIN + 1, True)])
def test_a_session_takes_a_batch_while_it_has_more_than_35_minutes_to_go(to_go, same):
    """The first batch ends at 100, the session's last job came `to_go` later; then the next day."""
    jobs = [(1, 0, 50), (1, 60, 70), (1, 100 + to_go, 9000), (1, DAY, DAY + 5)]
    assert arrivals_of(jobs, [100, 1, 1, 1])[1] == (100 + THINK if same else DAY)


def test_first_batch_arrives_at_the_session_begin_or_at_once_if_past():
    jobs = [(1, 0, 50), (1, DAY, DAY + 5)]
    assert arrivals_of(jobs, [100, 1]) == [0, DAY]
    assert arrivals_of(jobs, [DAY, 1]) == [0, DAY]
    assert arrivals_of(jobs, [DAY + 1, 1]) == [0, DAY + 1]


def test_a_late_user_opens_a_session_a_batch():
    """Each session is of one job; all have passed when the first ends."""
    jobs = [(1, 0, 50), (1, DAY, DAY + 5), (1, 2 * DAY, 2 * DAY + 5)]
    assert arrivals_of(jobs, [4 * DAY, 60, 60]) == [0, 4 * DAY, 4 * DAY + 60]


def test_batch_does_not_wait_for_a_batch_that_was_still_running():
    """In the record the first job ran over two nights."""
    jobs = [(1, 0, 2 * DAY), (1, DAY, DAY + 50), (1, 2 * DAY, 2 * DAY + 5)]
    assert arrivals_of(jobs, [3 * DAY, 60, 60]) == [0, DAY, 3 * DAY]


def test_further_batches_arrive_like_the_first_until_one_has_completed():
    """Two late batches open two sessions; the last two, which run for days, come on one morning."""
    short = [(1, 0, 50), (1, 60, 70), (1, 120, 130)]
    jobs = [*short, (1, DAY, 9 * DAY), (1, 2 * DAY, 9 * DAY), (1, 3 * DAY, 9 * DAY)]
    nine = 4 * DAY + 9 * HOUR
    long = [9 * DAY] * 3
    assert arrivals_of(jobs, [1, 1, 1, *long]) == [0, DAY, 2 * DAY, 3 * DAY, nine, nine]


@pytest.mark.parametrize(
    ("end", "midnight", "comes"),
    [
        (100, 0, DAY + 9 * HOUR),  # the evening's work is done: the next morning
        (DAY - 1, 0, DAY + 9 * HOUR),
        (DAY, 0, 2 * DAY + 9 * HOUR),  # also at midnight, and before nine
        (100, -HOUR, DAY + 8 * HOUR),  # an hour east
        (100, 3 * HOUR, 3 * HOUR + 9 * HOUR),
    ],
)
def test_users_without_recorded_sessions_arrive_at_nine_the_next_day(end, midnight, comes):
    jobs = [(1, 0, 50), (1, 60, 70)]
    assert arrivals_of(jobs, [end, 1], midnight) == [0, comes]


def test_a_synthetic_session_lasts_until_three():
    """Jobs of three hours: at 9:00, at 12:30; the third would come at 16:00 and comes tomorrow."""
    jobs = [(1, 10 * k, 10 * k + 5) for k in range(4)]
    nine = DAY + 9 * HOUR
    times = arrivals_of(jobs, [1, 3 * HOUR, 3 * HOUR, 3 * HOUR])
    assert times == [0, nine, nine + 3 * HOUR + THINK, nine + DAY]
    just = 6 * HOUR - MARGIN
    assert arrivals_of(jobs, [1, just - 1, 9, 9])[2] == nine + just - 1 + THINK
    assert arrivals_of(jobs, [1, just, 9, 9])[2] == nine + DAY


def test_users_react_independently():
    jobs = [(1, 0, 50), (2, 5, 30), (1, DAY, DAY + 5), (2, DAY + 9, DAY + 10)]
    assert arrivals_of(jobs, [3 * DAY, 1, 1, 1]) == [0, 5, 3 * DAY, DAY + 9]


def machines(jobs: Jobs, user: np.ndarray, processors: int) -> list:
    planned = PlanSession(Machine.of_processors(processors), PLANNING, SEED)
    return [
        QueuedMachine(QueueSession(processors, get("fcfs"), backfill=get("fcfs")), jobs),
        QueuedMachine(QueueSession(processors, get("saf")), jobs),
        PlannedMachine(planned, Requests(jobs, user)),
    ]


@st.composite
def logs(draw):
    """Jobs, their users and recorded ends, on at most four processors."""
    n = draw(st.integers(1, 18))
    gaps = draw(st.lists(st.sampled_from([0, 30, 2000, 5000, DAY]), min_size=n, max_size=n))
    column = {
        name: np.array(draw(st.lists(values, min_size=n, max_size=n)))
        for name, values in (
            ("user", st.integers(0, 2)),
            ("runtime", st.sampled_from([1, 40, 3000, 20_000, 2 * DAY])),
            ("procs", st.integers(1, 4)),
            ("recorded", st.sampled_from([1, 30, 2000, 9000, DAY])),
        )
    }
    submit = np.cumsum(gaps)
    jobs = Jobs(np.arange(n), submit, column["runtime"], column["runtime"] + 5, column["procs"])
    return jobs, column["user"], submit + column["recorded"]


def expected_arrival(jobs: Jobs, batches, batch: int, run: Schedule, state: dict) -> int:
    """Arrival of a batch, computed from the user's earlier ones."""
    waited = [run.end[batches.jobs(k)].max() for k in batches.after_completion(batch)]
    now = max([0, *waited, *(run.extras["submit"][batches.jobs(k)].max() for k in state["before"])])
    if state["session"] is None or now + MARGIN >= state["session"][1]:
        morning = (now // DAY + 1) * DAY + 9 * HOUR
        state["session"] = (
            state["hours"].pop(0) if state["hours"] else (morning, morning + 6 * HOUR)
        )
        state["inside"] = []
    ends = [run.end[batches.jobs(k)].max() for k in state["inside"]]
    ended = [end for end in ends if end <= now]
    state["before"].append(batch)
    state["inside"].append(batch)
    return max(now, max(ended) + THINK if ended else state["session"][0])


@pytest.mark.slow
@given(log=logs(), kind=st.integers(0, 2))
def test_every_job_arrives_once_when_its_user_would_submit_it(log, kind):
    """What each user does is computed again, one after the other, from the ends of jobs."""
    jobs, user, end = log
    batches = batches_of(user, jobs.submit, end)
    run = react(machines(jobs, user, 4)[kind], batches, jobs.submit)
    assert not len(run.extras["left_out"])
    assert (run.extras["submit"] >= 0).all()
    assert (run.start >= run.extras["submit"]).all()
    assert np.array_equal(run.end - run.start, jobs.runtime)
    for one in np.unique(user):
        hours = [
            (int(a), int(b))
            for a, b, whose in zip(batches.opened, batches.closed, batches.user, strict=True)
            if whose == one
        ]
        state = {"hours": hours, "session": None, "before": [], "inside": []}
        for batch in np.flatnonzero(batches.user[batches.session] == one):
            places = batches.jobs(batch)
            comes = expected_arrival(jobs, batches, batch, run, state)
            offsets = jobs.submit[places] - jobs.submit[places[0]]
            assert run.extras["submit"][places].tolist() == (comes + offsets).tolist()


@pytest.mark.slow
@given(log=logs())
def test_a_log_replayed_is_simulated_as_it_was_submitted(log):
    jobs, user, _ = log
    queue, strict, planned = (replay(machine, jobs.submit) for machine in machines(jobs, user, 4))
    easy = simulate(QueueRun(jobs, 4, get("fcfs"), backfill=get("fcfs")))
    assert queue.start.tolist() == easy.start.tolist()
    plan = simulate_plan(Requests(jobs, user), Machine.of_processors(4), PLANNING, SEED)
    assert planned.start.tolist() == plan.start.tolist()
    for run in (queue, strict, planned):
        assert run.extras["submit"].tolist() == jobs.submit.tolist()
        assert np.array_equal(run.end - run.start, jobs.runtime)
        assert not len(run.extras["left_out"])


class Endless(Instant):
    """A machine on which no job ends."""

    def schedule(self):
        return replace(super().schedule(), end=np.full(len(self.end), -1))

    def submit(self, places, times):
        super().submit(places, times)
        self.open = []


def test_jobs_after_one_that_never_ends_are_left_out_with_the_reason():
    user, submit, end = np.array([(1, 0, 5), (2, 3, 9), (1, 10, 20), (1, DAY, DAY)]).T
    run = react(Endless([1, 1, 1, 1]), batches_of(user, submit, end), submit)
    assert run.extras["submit"].tolist() == [0, 3, -1, -1]
    assert run.extras["left_out"]["job"].tolist() == [2, 3]
    assert run.extras["left_out"]["user"].tolist() == [1, 1]
    assert set(run.extras["left_out"]["reason"]) == {"waits for the job at place 0 to end"}


def test_of_several_jobs_that_never_end_the_first_is_named():
    """The second of the batch runs indefinitely as well."""
    user, submit, end = np.array([(1, 0, 5), (1, 2, 6), (1, 10, 20)]).T
    run = react(Endless([1, 1, 1]), batches_of(user, submit, end), submit)
    assert run.extras["submit"].tolist() == [0, 2, -1]
    assert run.extras["left_out"]["reason"].tolist() == ["waits for the job at place 0 to end"]


def test_jobs_that_wait_for_a_cancelled_one_are_left_out():
    class Cancelling(QueuedMachine):
        def advance(self, until):
            if until is None:
                self.session.cancel(0)
            return super().advance(until)

    jobs = Jobs([1, 2, 3], [0, 5, DAY], [50] * 3, [50] * 3, [1] * 3)
    batches = batches_of([1, 2, 1], jobs.submit, jobs.submit + 50)
    run = react(Cancelling(QueueSession(4, get("fcfs")), jobs), batches, jobs.submit)
    assert run.extras["submit"].tolist() == [0, 5, -1]
    assert run.extras["left_out"]["reason"].tolist() == ["waits for the job at place 0 to end"]


@pytest.mark.logs
def test_the_users_of_wagap_react_to_easy(raw_log):
    frame, _ = clean(read_swf(raw_log("wagap-2013")).all_fields, "klusacek2016", "wagap-2013")
    jobs = Jobs.from_frame(frame)
    end = jobs.submit + frame["wait"].to_numpy() + jobs.runtime
    batches = batches_of(frame["user"], jobs.submit, end, "wagap-2013")
    assert (len(np.unique(batches.user)), len(batches.user), len(batches)) == (75, 1851, 3060)
    session = QueueSession(2176, get("fcfs"), backfill=get("fcfs"))
    run = react(QueuedMachine(session, jobs), batches, jobs.submit, midnight=-HOUR)
    assert not len(run.extras["left_out"])
    assert (run.start >= run.extras["submit"]).all()
    assert run.extras["synthetic"] == 246
