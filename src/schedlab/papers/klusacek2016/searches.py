"""Kept plans, searched by Random Search and by others, with budgets of 10 iterations and more.

What is decided here, for section 3.3 leaves it open:

- Plans are those of Plan-RS at instants with at least `LEAST` jobs planned, spread evenly over the
  submissions at which there were so many: where most is searched, most plans are kept.
- They are of two kinds. Those of a run that is searched all along are what a search finds in
  operation: most of what can be gained has been gained before, and what has come since is left.
  Those of a run that is never searched are in the order in which jobs came.
- Every search of a plan begins with the same random numbers, whatever its rule.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.planning.search import curve, instants, keep
from schedlab.threads import over_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from schedlab.planning.machine import Machine
    from schedlab.planning.requests import Requests
    from schedlab.planning.search import Plan
    from schedlab.planning.settings import Planning

PAPER = "klusacek2016"
#: jobs that a plan has, at least
LEAST = 20
PLAIN = "Random Search"
#: what each search changes of the paper's
RULES = {
    PLAIN: {},
    "simulated annealing": {"rule": "annealing"},
    "tabu search": {"rule": "tabu"},
    "worst jobs first": {"choose": "worst"},
}
#: of which run a plan is
BEFORE, NEVER = "searched before", "never searched"


def budgets(asked: int, longest: int) -> list[int]:
    """Return the iterations after which searches are looked at: 0, 10, 30, 100 and so on.

    Parameters
    ----------
    asked, longest : int
        The paper's budget, and the largest; both are among them.

    Examples
    --------
    >>> budgets(300, 2000)
    [0, 10, 30, 100, 300, 1000, 2000]
    """
    steps = {first * 10**power for power in range(1, len(str(longest))) for first in (1, 3)}
    return sorted({0, asked, longest, *(step for step in steps if step < longest)})


def kept(
    requests: Requests,
    machine: Machine,
    settings: Planning,
    key: tuple[str | int, ...],
    count: int,
) -> dict[str, list[Plan]]:
    """Keep plans of a run that is searched all along, and of one that is never searched.

    Parameters
    ----------
    requests : Requests
        The jobs, submitted as recorded.
    machine : Machine
        Its clusters.
    settings : Planning
        Plan-RS with the budget of the run that is searched.
    key : tuple of str and int
        Of the run's random numbers.
    count : int
        Plans of each run, as long as it has so many.

    Returns
    -------
    dict
        Plans of `BEFORE` and of `NEVER`.

    Raises
    ------
    ValueError
        In one of the runs there never are `LEAST` jobs planned.
    """
    found = {}
    for kind, iterations in ((BEFORE, settings.search.iterations), (NEVER, 0)):
        own = replace(settings, search=replace(settings.search, iterations=iterations))
        times = instants(requests, machine, own, key, count, LEAST)
        if not times:
            raise ValueError(f"{key}: there never are {LEAST} jobs planned, so no plan is kept")
        found[kind] = keep(requests, machine, own, key, times)
    return found


def searched(
    plans: Mapping[str, list[Plan]],
    seeds: int,
    looked_at: Sequence[int],
    key: tuple[str | int, ...],
    threads: int = 1,
    progress: Callable[[], object] | None = None,
) -> pd.DataFrame:
    """Search every plan by every rule of `RULES`.

    Parameters
    ----------
    plans : mapping
        From `kept`.
    seeds : int
        Searches of a plan by each rule.
    looked_at : sequence of int
        From `budgets`.
    key : tuple of str and int
        Of the random numbers; kind, plan and seed follow it.
    threads : int
        Searches at a time; the numbers do not depend on it.
    progress : callable, optional
        Called after each search.

    Returns
    -------
    pandas.DataFrame
        A row for each number of iterations: ``plans`` (of which run), ``plan`` (its place), ``time`` (s),
        ``planned`` (jobs), ``rule``, ``seed``, ``iterations``, and of the plan that the search has
        come to by then ``wait`` (s), ``slowdown``, ``fairness`` and ``gain``, as of
        `schedlab.planning.search.curve`.
    """
    wanted = [
        (kind, place, plan, rule, seed)
        for kind, several in plans.items()
        for place, plan in enumerate(several)
        for rule in RULES
        for seed in range(seeds)
    ]

    def one(search: tuple) -> pd.DataFrame:
        kind, place, plan, rule, seed = search
        settings = replace(plan.settings.search, **RULES[rule])
        found = curve(plan, looked_at, (*key, kind, place, seed), settings)
        known = {"plans": kind, "plan": place, "time": plan.columns["now"], "planned": len(plan)}
        known |= {"rule": rule, "seed": seed}
        found = found[["iterations", "wait", "slowdown", "fairness", "gain"]]
        return pd.DataFrame(known, index=found.index).join(found)

    return pd.concat(over_threads(one, wanted, threads, progress), ignore_index=True)
