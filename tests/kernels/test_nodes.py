"""The nodes kernel against its Python twin, saved schedules and the laws of sharing nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.cosched.machine import Cluster
from schedlab.cosched.schedulers import (
    ALLOCATIONS,
    BACKFILLS,
    KEY_TIMES,
    ORDERS,
    SCHEDULERS,
    CoScheduler,
    register_order,
)
from schedlab.cosched.simulation import CoJobs, CoRun, simulate, simulate_many
from schedlab.cosched.speeds import NODE_ORDERS, alone, beside
from schedlab.reference import nodes as twin

register_order("test-oldest-widest", lambda waiting: waiting.procs - waiting.submit)


@st.composite
def pools(draw) -> np.ndarray:
    """Speedups of few applications, with ties and pairs that nobody measured."""
    apps = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    speedup = rng.uniform(0.6, 1.8, (apps, apps))
    if draw(st.booleans()):
        speedup = speedup.round(1)
    unknown = rng.random((apps, apps)) < draw(st.sampled_from([0.0, 0.2, 0.6]))
    speedup[unknown | unknown.T] = np.nan
    return speedup


@st.composite
def works(draw, most: int = 30) -> tuple[CoJobs, Cluster, np.ndarray]:
    """Few jobs on few nodes; many ties of time, some jobs longer than their wall time."""
    speedup = draw(pools())
    cluster = Cluster(draw(st.integers(2, 12)), draw(st.integers(1, 2)), draw(st.integers(2, 5)))
    count = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    app = rng.integers(0, len(speedup), count)
    widest = cluster.nodes * cluster.share
    if draw(st.booleans()):  # processes and times belong to the applications, as in a pool
        procs = rng.integers(1, widest + 1, len(speedup))[app]
        time = rng.integers(1, 40, len(speedup))[app] * draw(st.sampled_from([1.0, 0.37]))
    else:
        procs = rng.integers(1, widest + 1, count)
        time = rng.uniform(0.5, 40, count)
    submit = np.cumsum(rng.integers(0, draw(st.sampled_from([0, 2, 15])) + 1, count))
    wall = time * draw(st.sampled_from([1.0, 1.4])) * rng.choice([1.0, 0.6, 2.0], count)
    jobs = CoJobs(np.arange(count) + 5, submit, app, procs, time, wall, rng.permutation(wall))
    return jobs, cluster, speedup


@st.composite
def own_schedulers(draw) -> CoScheduler:
    """Any combination of the switches that has a meaning."""
    backfill = draw(st.sampled_from(BACKFILLS))
    plan, packed = backfill == "textbook", backfill in ("textbook", "conservative")
    orders = [*ORDERS, "test-oldest-widest"]
    return CoScheduler(
        "any",
        "Any",
        order="fcfs" if plan else draw(st.sampled_from(orders)),
        nodes=draw(st.sampled_from(list(NODE_ORDERS))),
        allocation="compact" if packed else draw(st.sampled_from(ALLOCATIONS)),
        backfill=backfill,
        repeat=draw(st.booleans()),
        depth=draw(st.sampled_from([None, 0, 1, 4, 100])),
        queue_depth=draw(st.sampled_from([None, None, 1, 3])),
        key_time=draw(st.sampled_from(KEY_TIMES)),
        threshold=draw(st.sampled_from([1.0, 1.2])),
        compact_below=draw(st.integers(0, 5)),
    )


def same(ours, theirs) -> None:
    """See that two schedules are one, to the last bit."""
    for field in ("start", "end", "nodes", "compact", "cores"):
        assert getattr(ours, field).tolist() == getattr(theirs, field).tolist(), field
    for field in ("first", "node", "job", "time", "speed"):
        mine, other = getattr(ours.allocation, field), getattr(theirs.allocation, field)
        assert mine.tolist() == other.tolist(), field


@settings(max_examples=500)
@given(works(), st.sampled_from(list(SCHEDULERS.values())), st.booleans())
def test_named_schedulers_equal_the_twins(work, scheduler, repeat):
    """Every start, end, node and speed of the thesis's schedulers is the twin's."""
    scheduler = replace(scheduler, repeat=repeat)
    same(simulate(*work, scheduler, True), twin.simulate(*work, scheduler, True))


@settings(max_examples=1000)
@given(works(), own_schedulers())
def test_any_scheduler_equals_the_twins(work, scheduler):
    """The same for every combination of switches."""
    same(simulate(*work, scheduler, True), twin.simulate(*work, scheduler, True))
