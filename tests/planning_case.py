"""Random small planning runs for the kernel's tests."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Cluster, Machine, NodeKind
from schedlab.core.streams import generator
from schedlab.planning.fitting import fitting
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Choice, Limits, Planning, Reservations, Rule, Scope, Search
from strategies import workloads
from twins.planning import Twin

#: processors of the widest cluster of any machine drawn
WIDEST = 8
SCHEDULERS = ("plan-rs", "plan-rs", "orig-bf")
SEED = ("tests", "planning")


def machine_of_clusters(*rows: tuple[str, int, *tuple[int | None, ...]]) -> Machine:
    """Return a machine from the name, nodes, processors and memory (KB) of each cluster."""
    clusters = (Cluster(name, nodes, NodeKind(*kind)) for name, nodes, *kind in rows)
    return Machine.of_clusters(*clusters)


def crowd(rng: np.random.Generator, most: int) -> Jobs:
    """Many jobs at almost the same time, most of which wait."""
    count = rng.integers(most // 2, most + 1)
    runtime = rng.integers(0, 40, count)
    return Jobs(
        np.arange(1, count + 1),
        np.cumsum(rng.integers(0, rng.integers(1, 4), count)),
        runtime,
        runtime * rng.integers(1, 4, count) + rng.integers(0, 2, count),
        rng.integers(1, WIDEST + 1, count)
        if rng.random() < 0.5
        else 2 ** rng.integers(0, 4, count),
    )


@st.composite
def cases(draw, most: int = 25) -> tuple[Requests, Machine, Planning]:
    """Jobs with users, a machine that is wide enough, and settings of every kind."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    jobs = draw(st.one_of(workloads(WIDEST, most=most), st.just(crowd(rng, most))))
    jobs = replace(jobs, estimate=np.maximum(jobs.estimate, np.maximum(jobs.runtime, 1)))
    sizes = draw(st.sampled_from([(8,), (8, 4), (3, 8, 5)]))
    has_memory = draw(st.booleans())
    by_node = draw(st.booleans())
    cpus = draw(st.sampled_from([1, 2, 4])) if by_node else 1
    clusters = [
        (f"c{place}", -(-size // cpus), cpus, 100 if has_memory else None)
        for place, size in enumerate(sizes)
    ]
    limits = draw(st.sampled_from([Limits(), Limits(user=8), Limits(long=15, share=1.0)]))
    if draw(st.booleans()):
        jobs = replace(jobs, procs=np.minimum(jobs.procs, 5))
        limits = draw(st.sampled_from([Limits(user=5), Limits(None, 10), Limits(6, 20, 0.75)]))
    scope = draw(st.sampled_from(get_args(Scope)))
    rules = get_args(Rule) if scope == "machine" else ("first",)
    choices = get_args(Choice) if scope == "machine" else ("uniform",)
    search = draw(
        st.builds(
            Search,
            iterations=st.sampled_from([0, 1, 20]),
            every=st.sampled_from([1, 7, 60]),
            timed=st.booleans(),
            fairness=st.sampled_from([0.0, 10.0]),
            response=st.sampled_from([0.0, 1.0]),
            rule=st.sampled_from(rules),
            choose=st.sampled_from(choices),
            scope=st.just(scope),
        )
    )
    requests = Requests(
        jobs,
        rng.integers(0, 4, len(jobs)),
        memory=rng.integers(0, 200, len(jobs)) if has_memory else None,
        nodes=rng.integers(0, 2, len(jobs)),
        exclusive=rng.random(len(jobs)) < 0.2,
        queue=rng.integers(0, 3, len(jobs)),
    )
    planning = Planning(
        draw(st.sampled_from(SCHEDULERS)),
        "nodes" if by_node else "aggregate",
        search=search,
        limits=limits,
        half_life=50,
        reservations=draw(st.sampled_from(get_args(Reservations))),
        cycle=draw(st.sampled_from([None, None, (5, 0), (7, 2)])),
    )
    machine = machine_of_clusters(*clusters)
    fits = fitting(requests, machine, planning)[0] > 0
    assume(fits.any())
    return requests.take(fits), machine, planning


def twin_of(requests: Requests, machine: Machine, settings: Planning) -> Twin:
    """The twin with the random numbers of `SEED`."""
    key = int(generator(*SEED).integers(2**64, dtype=np.uint64))
    return Twin(requests, machine, settings, key)


def session_of(requests: Requests, machine: Machine, settings: Planning) -> PlanSession:
    """The kernel, submitted to but not begun."""
    session = PlanSession(machine, settings, SEED)
    session.submit(requests)
    return session


def plan_of_one(estimates, submits=None, users=None, cpus=1) -> Plan:
    """Jobs of one processor each, one after the other, by default each of a different user."""
    n = len(estimates)
    submits = submits or [0] * n
    jobs = Jobs(range(n), submits, estimates, estimates, [1] * n)
    return Plan.in_order(
        Requests(jobs, users or range(n)), Machine.of_processors(cpus), Planning(), [0] * n
    )
