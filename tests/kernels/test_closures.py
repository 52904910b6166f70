"""Closed processors (drains, reservations, nodes that come later): kernels and twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Change, Machine
from schedlab.policies import get
from schedlab.queue.closures import FOREVER, closures_of
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from strategies import session_runs
from twins import backfilling, conservative

PROCESSORS = 8
TIMES = st.integers(0, 120)
NODES = st.lists(st.integers(0, PROCESSORS - 1), min_size=1, max_size=6, unique=True).map(tuple)


def machine_with(*changes: Change, processors: int = PROCESSORS) -> Machine:
    return replace(Machine.of_processors(processors), changes=changes)


@st.composite
def changes(draw) -> Change:
    """A drain with or without an expected end, its end, or a reservation known before or not."""
    kind = draw(st.sampled_from(["drain", "drain", "resume", "reservation"]))
    time, nodes = draw(TIMES), draw(NODES)
    lasts = draw(st.integers(1, 60))
    if kind == "resume":
        return Change(time, "resume", nodes)
    if kind == "drain":
        return Change(time, "drain", nodes, end=draw(st.sampled_from([None, time + lasts])))
    known = draw(st.sampled_from([None, 0, max(time - 20, 0)]))
    return Change(time, "reservation", nodes, end=time + lasts, known=known)


@st.composite
def runs(draw) -> Run:
    """Runs of every kind on a machine that changes; no job is wider than what stays open."""
    run = draw(session_runs(PROCESSORS))
    machine = machine_with(*draw(st.lists(changes(), min_size=1, max_size=4)))
    closures = closures_of(machine)
    left = PROCESSORS - closures[closures[:, 2] >= FOREVER, 4].sum()
    procs = np.minimum(run.jobs.procs, max(left, 1))
    if left < 1:
        machine = Machine.of_processors(PROCESSORS)
    return replace(run, machine=machine, jobs=replace(run.jobs, procs=procs))


@settings(max_examples=1000)
@given(runs())
def test_kernels_equal_their_twins_while_the_machine_changes(run):
    twin = conservative if run.reservations == "every" else backfilling
    assert simulate(run).start.tolist() == twin.simulate(run)


#: 4 processors: two jobs of one processor for 10 s (estimate 20), then one of four, then of one
JOBS = Jobs([1, 2, 3, 4], [0, 0, 1, 2], [10, 10, 5, 9], [20, 20, 5, 9], [1, 1, 4, 1])
ALL = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("change", "reservations", "starts"),
    [
        # all nodes are reserved from 12 to 30, known from the beginning: only job 3 fits before
        (Change(12, "reservation", ALL, 30, known=0), "head", [30, 30, 1, 30]),
        (Change(12, "reservation", ALL, 30, known=0), "every", [30, 30, 1, 30]),
        # strict order: nothing overtakes job 1
        (Change(12, "reservation", ALL, 30, known=0), "none", [30, 30, 40, 45]),
        # from 20 on: jobs 1 and 2 end in time by their estimates; job 3 fits from 10 to 15
        (Change(20, "reservation", ALL, 30, known=0), "head", [0, 0, 11, 2]),
        # a drain of all nodes at 5: jobs that run go on, none starts before its end
        (Change(5, "drain", ALL, 40), "head", [0, 0, 40, 2]),
        (Change(5, "drain", ALL, 40), "every", [0, 0, 40, 2]),
        # two nodes drained at 5: job 3 waits for them
        (Change(5, "drain", (0, 1), 40), "head", [0, 0, 40, 2]),
        # nodes that come at 7: until then jobs 1 and 2 run one after the other on the others
        (Change(7, "resume", ALL[1:]), "head", [0, 7, 17, 7]),
    ],
)
def test_changes_solved_by_hand(change, reservations, starts):
    run = Run(JOBS, machine_with(change, processors=4), get("fcfs"), reservations=reservations)
    assert simulate(run).start.tolist() == starts


def test_slurms_dialect_knows_the_nodes_of_changes():
    """Limits are whole minutes, passes each 30 s; job 3 waits for two drained nodes until 400."""
    changes = Change(5, "drain", (0, 1)), Change(400, "resume", (0, 1))
    machine = machine_with(*changes, processors=4)
    run = Run(JOBS, machine, get("fcfs"), dialect=DIALECTS["slurm"], reservations="every")
    assert simulate(run).start.tolist() == [0, 0, 420, 30]


def test_a_copy_of_an_observer_knows_what_is_announced():
    """The reservation from 12 on is known at 6; at 5 the job of 20 s is expected at 10."""
    machine = machine_with(Change(12, "reservation", ALL, 30, known=6), processors=4)
    for reservations in ("head", "every"):
        session = QueueSession(4, "fcfs", reservations=reservations)
        session.close(closures_of(machine))
        session.submit(runtime=10, procs=4)
        job = session.submit(runtime=20, procs=4)
        expected = []
        for now in (5, 6):
            session.advance(now)
            copy = session.fork(observed=True)
            copy.advance()
            expected.append(copy.start(job))
        session.advance()
        assert [*expected, session.start(job)] == [10, 30, 30]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"machine": machine_with(Change(1, "down", (0,)))}, "change at 1 s: 'down' needs a"),
        (
            {"machine": machine_with(Change(1, "drain", ALL), processors=4)},
            "job 1: procs is 1, but only 0 of 4 processors stay open",
        ),
        ({"dialect": DIALECTS["artefact"]}, "dialect artefact has a machine that does not change"),
        ({"dialect": DIALECTS["ocs"]}, "dialect ocs has a machine that does not change"),
    ],
)
def test_what_cannot_be_simulated_is_an_error(given, message):
    machine = machine_with(Change(1, "drain", (0,), 2))
    with pytest.raises(ValueError, match=message):
        Run(**{"jobs": JOBS, "machine": machine, "policy": get("fcfs")} | given)


def test_processors_are_closed_before_jobs_are_submitted():
    session = QueueSession(4, "fcfs")
    session.submit(runtime=1, procs=1)
    with pytest.raises(ValueError, match="closed before the first job"):
        session.close(closures_of(machine_with(Change(1, "drain", (0,)))))


def test_a_node_is_closed_once_where_changes_overlap():
    """A drain from 5 to 25, a reservation from 10 to 40 of the same node and another."""
    machine = machine_with(
        Change(5, "drain", (0,)), Change(25, "resume", (0,)), Change(10, "reservation", (0, 1), 40)
    )
    assert closures_of(machine).tolist() == [
        [5, 5, 25, FOREVER, 1],
        [10, 10, 40, 40, 1],
        [10, 25, 40, 40, 1],
    ]
