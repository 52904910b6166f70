"""Search stored plans with Random Search and other searches, with budgets of 10 iterations or more.

Section 3.3 does not specify these choices:

- Plans are those of Plan-RS at instants with at least `LEAST` planned jobs. The instants are spread
  evenly over the submissions at which so many jobs were planned: periods with more searches have
  more plans.
- There are two kinds of plans. Plans of a run that is searched throughout are what a search finds
  in operation: most of the gain has been realized before, and only the gain on recent arrivals is
  left. Plans of a run that is never searched are in arrival order.
- Every search of a plan begins with the same random numbers, whatever its rule.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.files.threads import over_threads
from schedlab.planning.search import curve, instants, save_plans
from schedlab.studies.klusacek2016.sheet import PAPER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from schedlab.planning.search import Plan
    from schedlab.studies.klusacek2016.runs import Workload

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
