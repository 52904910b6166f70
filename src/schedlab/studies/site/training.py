"""Train policies for a site, one learned and one tuned, and test them on later weeks.

Training uses the first half of the log, testing the weeks of the second half.
"""

from dataclasses import dataclass, replace

import pandas as pd

from schedlab.comparison.comparing import LONGEST_WAIT, Comparison
from schedlab.comparison.learned_policy import LEARNED, learn
from schedlab.comparison.tuned_policy import DAYS, TUNED, compare_later, tune
from schedlab.core.splitting import DAY
from schedlab.learning.weights.guarded import too_long
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.workbench.log import Log
from schedlab.workbench.results import RECORDED
from schedlab.workbench.site_results import simulate_site

#: metrics that the two policies are tested by
SCORED_BY = ("slowdown", "wait")
#: policies that the two are compared with; the first one is chosen in advance
PURE = ("fcfs", "spt", "saf", "wfp3", "f1")
COLUMNS = [
    "metric", "weeks", "policy", "mean", "median", "ratio", "low", "high", "longest wait, d",
    "against EASY", "against best",
]  # fmt: skip
POLICIES = ["policy", "expression", "from", "note"]


@dataclass(frozen=True, eq=False)
class Trained:
    """The learned and the tuned policy, and their results on the test weeks.

    `policies` has `POLICIES`: expression ("" if there is none), the data it was made from, and a
    remark, or why there is none. `held_out` has `COLUMNS`, a row per metric and policy: weeks of
    the second half; mean and median over them of the metric's means over jobs; ratio of the mean to
    EASY's (FCFS), 95 % interval over weeks; longest wait in days; verdicts. "against best" compares
    the site's policies with the best of the others in hindsight (`best_of_others`); it is "" for
    the others. No rows if the second half has no whole week. There is a warning if a longest wait
    exceeds the bound, if the backlog grows, or if the order of equal jobs changes the result.
    """

    policies: pd.DataFrame
    held_out: pd.DataFrame
    warnings: tuple[str, ...]


def train(
    log: Log, points: int, tuples: int, trials: int, threads: int = 1, dialect: str = "full"
) -> Trained:
    """Learn and tune policies on the first half of a log, and compare them on the second half.

    `threads` simulations run at a time; the result does not depend on it. `dialect` applies to the
    comparison and to the search of weights, as for `schedlab.simulate`; the trials of the learned
    policy do not depend on it. In a site's Slurm, jobs that never start are left out.
    """
    rules = dialect_of(dialect)
    if rules.site:
        log = simulate_site(log, rules.site).log
    rows, orders, backfills = [], [], {}
    methods = ((LEARNED, _learned, (tuples, trials)), (TUNED, _tuned, (points, dialect)))
    for label, make, arguments in methods:
        try:
            policy, backfill, source, note = make(log, *arguments, threads)
        except ValueError as error:
            why = str(error).removeprefix(f"{log.path}: ")
            rows.append((label, "", "", f"none: {why}"))
            continue
        rows.append((label, policy.expression, source, note))
        orders.append(replace(policy, label=label))
        if backfill:
            backfills[label] = backfill
    policies = pd.DataFrame(rows, columns=POLICIES)
    options = {"threads": threads, "backfills": backfills}
    comparisons = [
        compare_later(log, PURE, orders, DAYS, dialect, metric=metric, **options)
        for metric in SCORED_BY
    ]
    if comparisons[0] is None:  # the second half has no whole week
        return Trained(policies, pd.DataFrame(columns=COLUMNS), ())
    table = pd.concat([_rows(one) for one in comparisons], ignore_index=True)
    warnings = tuple(dict.fromkeys(word for one in comparisons for word in one.warnings))
    return Trained(policies, table, warnings)


def best_of_others(means: pd.Series, longest: pd.Series) -> str:
    """Return the label of the policy with the smallest mean of those that are fixed in advance.

    `means` are by policy; the first is EASY's. `longest` is the longest wait by policy, in days; a
    policy whose longest wait is too long is excluded.
    """
    fixed = means.drop([LEARNED, TUNED, RECORDED], errors="ignore")
    easy = longest[fixed.index[0]] * DAY
    bounded = [
        name for name in fixed.index if not too_long(longest[name] * DAY, easy, LONGEST_WAIT)
    ]
    return str(fixed[bounded].idxmin())


def _learned(log: Log, tuples: int, trials: int, threads: int) -> tuple:
    result = learn(log, tuples, trials, threads)
    draws = result.draws
    source = f"{len(draws.tuples):,} tuples of 48 jobs of the first half"
    note = (
        f"{len(draws.tuples):,} of {draws.drawn:,} tuples have a job that waits; the effective "
        f"number of tasks in the fit is {result.effective:,.0f} of {result.tasks:,}"
    )
    if len(draws.tuples) < tuples:
        note += f"; {tuples:,} tuples were requested: treat the policy with caution"
    return get(result.policy), None, source, note


def _tuned(log: Log, points: int, dialect: str, threads: int) -> tuple:
    tuned = tune(log, DAYS, points, threads=threads, dialect=dialect)
    fcfs, best = tuned.training["FCFS"], tuned.training[TUNED]
    source = f"{tuned.jobs:,} jobs of the first half, best of {tuned.tried:,} vectors"
    note = f"mean bounded slowdown there {best:,.2f}, first come, first served {fcfs:,.2f}"
    if best >= fcfs:
        note += ": no vector is better, so the policy is first come, first served"
    return tuned.policy, tuned.backfill, source, note


def _rows(comparison: Comparison) -> pd.DataFrame:
    """Return a comparison's table as `COLUMNS`."""
    table = comparison.table.reset_index()
    table = table.rename(columns={"verdict": "against EASY"})
    longest = comparison.tails["max_wait"] / DAY
    best = comparison.against(best_of_others(comparison.table["mean"], longest))["verdict"]
    is_trained = table["policy"].isin([LEARNED, TUNED])
    table = table.assign(metric=comparison.metric, weeks=len(comparison.windows))
    table["longest wait, d"] = table["policy"].map(longest)
    table["against best"] = table["policy"].map(best).where(is_trained, "")
    return table[COLUMNS]
