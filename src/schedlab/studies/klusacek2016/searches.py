"""Searches of stored plans, and how long planning takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter_ns
from typing import NamedTuple

import numpy as np
import pandas as pd

from schedlab.core.machine import Machine
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, curve, instants, save_plans
from schedlab.planning.settings import Planning
from schedlab.studies.klusacek2016.runs import Workload
from schedlab.studies.klusacek2016.sheet import PAPER

#: minimum number of jobs of a plan
LEAST = 20
PLAIN = "Random Search"
#: settings in which each search differs from the paper's
RULES = {
    PLAIN: {},
    "simulated annealing": {"rule": "annealing"},
    "tabu search": {"rule": "tabu"},
    "worst jobs first": {"choose": "worst"},
}
#: the run that a plan is taken from
BEFORE, NEVER = "searched before", "never searched"
COLUMNS = {"plans": "str", "plan": "int64", "time": "int64", "planned": "int64", "rule": "str"}
COLUMNS |= {"seed": "int64", "iterations": "int64"}
COLUMNS |= dict.fromkeys(["wait", "slowdown", "fairness", "gain"], "float64")


def budgets(paper_budget: int, longest: int) -> list[int]:
    """Return the numbers of iterations at which searches are evaluated: 0, 10, 30 and so on."""
    steps = {first * 10**power for power in range(1, len(str(longest))) for first in (1, 3)}
    return sorted({0, paper_budget, longest, *(step for step in steps if step < longest)})


def keep_plans(workload: Workload, count: int) -> dict[str, list[Plan]]:
    """Store plans of a run that is searched throughout, and of one that is never searched."""
    settings, plans = workload.settings.planning("plan-rs"), {}
    key = (PAPER, workload.settings.experiment, 0)
    for kind, iterations in ((BEFORE, settings.search.iterations), (NEVER, 0)):
        planning = replace(settings, search=replace(settings.search, iterations=iterations))
        run = workload.demand.requests, workload.machine, planning, key
        plans[kind] = save_plans(*run, instants(*run, count, LEAST)) if len(workload) else []
    return plans


def search_every_plan(
    plans: Mapping[str, list[Plan]],
    seeds: int,
    looked_at: Sequence[int],
    experiment: str,
    threads: int = 1,
    progress: Callable[[], object] | None = None,
) -> pd.DataFrame:
    """Search every plan with every rule of `RULES`, and return `COLUMNS`."""
    searches = [
        (kind, place, rule, seed)
        for kind, several in plans.items()
        for place in range(len(several))
        for rule in RULES
        for seed in range(seeds)
    ]

    def one(search: tuple[str, int, str, int]) -> pd.DataFrame:
        kind, place, rule, seed = search
        plan, key = plans[kind][place], (PAPER, experiment, "searches", kind, place, seed)
        gains = curve(plan, looked_at, key, replace(plan.settings.search, **RULES[rule]))
        cells = (kind, place, plan.columns["now"], len(plan), rule, seed)
        cells = dict(zip(COLUMNS, cells, strict=False))
        return pd.DataFrame(cells, index=gains.index).join(gains)[list(COLUMNS)]

    none = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    parts = over_threads(one, searches, threads, progress)
    return pd.concat([none, *parts], ignore_index=True)


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
