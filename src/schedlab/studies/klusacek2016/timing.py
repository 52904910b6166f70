"""Measure how long it takes to plan a job, to update a plan, and to try one move."""

from collections.abc import Callable, Iterator
from time import perf_counter_ns
from typing import NamedTuple

import numpy as np

from schedlab.core.streams import generator
from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, save_plans
from schedlab.planning.settings import Planning

#: measurements of each routine; the shortest counts, because the others were disturbed
REPEATS = 5


class Timing(NamedTuple):
    """Microseconds that planning takes with a plan of `jobs` jobs.

    `jobs` are planned when the next job arrives. `backfill` puts that job into the earliest gap,
    with all other work due at its arrival. `update` moves every planned job to its earliest start.
    `iteration` tries one move, averaged over a search.
    """

    jobs: int
    backfill: float
    update: float
    iteration: float


def timings(
    requests: Requests,
    machine: Machine,
    settings: Planning,
    seed: tuple[str | int, ...],
    count: int,
) -> Iterator[Timing]:
    """Measure planning times at up to `count` arrivals, spread evenly over a run; figure 5."""
    submit = requests.jobs.submit
    places = np.unique(np.linspace(0, len(submit) - 1, count).astype(np.int64))
    places = places[submit[places] > submit[0]]
    plans = save_plans(requests, machine, settings, seed, (submit[places] - 1).tolist())
    for plan, place in zip(plans, places.tolist(), strict=True):
        if len(plan):
            yield measure_times(plan, requests.take(slice(place, place + 1)), seed)


def measure_times(plan: Plan, newcomer: Requests, seed: tuple[str | int, ...]) -> Timing:
    """Measure planning times on one plan with at least one planned job."""

    def backfilled() -> float:
        session = plan.session(seed)
        session.submit(newcomer)
        session.kernel.may_search = False
        return _microseconds(lambda: session.advance(until=int(newcomer.jobs.submit[0])))

    def updated() -> float:
        return _microseconds(plan.session(seed).kernel.refresh)

    def searched() -> float:
        planner, budget = plan.session(seed).kernel, plan.settings.search.iterations
        planner.search_begin(budget, int(generator(*seed).integers(2**63)))
        return _microseconds(lambda: planner.search_on(budget)) / budget

    shortest = (min(one() for _ in range(REPEATS)) for one in (backfilled, updated, searched))
    return Timing(len(plan), *shortest)


def _microseconds(what: Callable[[], object]) -> float:
    begun = perf_counter_ns()
    what()
    return (perf_counter_ns() - begun) / 1000
