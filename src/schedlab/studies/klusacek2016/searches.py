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

from schedlab.files.threads import over_threads
from schedlab.planning.search import curve, instants, keep
from schedlab.studies.klusacek2016.sheet import PAPER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from schedlab.planning.search import Plan
    from schedlab.studies.klusacek2016.runs import Workload

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
COLUMNS = {"plans": "str", "plan": "int64", "time": "int64", "planned": "int64", "rule": "str"}
COLUMNS |= {"seed": "int64", "iterations": "int64"}
COLUMNS |= dict.fromkeys(["wait", "slowdown", "fairness", "gain"], "float64")


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


def kept(workload: Workload, count: int) -> dict[str, list[Plan]]:
    """Keep plans of a run that is searched all along, and of one that is never searched.

    Parameters
    ----------
    workload : Workload
        An experiment; its jobs are submitted as recorded. The runs are those of its seed 0.
    count : int
        Plans of each run, as long as it has so many.

    Returns
    -------
    dict
        Plans of `BEFORE` and of `NEVER`; none where the log is not at hand, or never are so many
        jobs planned.
    """
    settings, found = workload.settings.planning("plan-rs"), {}
    key = (PAPER, workload.settings.experiment, 0)
    for kind, iterations in ((BEFORE, settings.search.iterations), (NEVER, 0)):
        own = replace(settings, search=replace(settings.search, iterations=iterations))
        run = workload.asked.requests, workload.machine, own, key
        found[kind] = keep(*run, instants(*run, count, LEAST)) if len(workload) else []
    return found


def searched(
    plans: Mapping[str, list[Plan]],
    seeds: int,
    looked_at: Sequence[int],
    experiment: str,
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
    experiment : str
        Its name, of the key of the random numbers.
    threads : int
        Searches at a time; the numbers do not depend on it.
    progress : callable, optional
        Called after each search.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`, a row for each number of iterations: of which run the plan is, its place there,
        its time in s and how many jobs it has planned; and of the plan that a search with so many
        iterations comes to, mean wait in s and slowdown, and fairness and gain as of
        `schedlab.planning.search`.
    """
    wanted = [
        (kind, place, rule, seed)
        for kind, several in plans.items()
        for place in range(len(several))
        for rule in RULES
        for seed in range(seeds)
    ]

    def one(search: tuple[str, int, str, int]) -> pd.DataFrame:
        kind, place, rule, seed = search
        plan, key = plans[kind][place], (PAPER, experiment, "searches", kind, place, seed)
        found = curve(plan, looked_at, key, replace(plan.settings.search, **RULES[rule]))
        known = (kind, place, plan.columns["now"], len(plan), rule, seed)
        known = dict(zip(COLUMNS, known, strict=False))
        return pd.DataFrame(known, index=found.index).join(found)[list(COLUMNS)]

    none = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    parts = over_threads(one, wanted, threads, progress)
    return pd.concat([none, *parts], ignore_index=True)
