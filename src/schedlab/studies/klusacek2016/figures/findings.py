"""Summarize each figure of klusacek2016 in one sentence, from the data that it draws."""

import pandas as pd

from schedlab.report.verdicts import is_compared
from schedlab.studies.klusacek2016.metrics import NAMES, ORIG, PLAN

OLD, NEW = NAMES[ORIG], NAMES[PLAN]
WORDS = {"utilisation": "utilization", "wait": "mean wait", "slowdown": "slowdown", "nuwt": "NUWT"}


def changed(bars: pd.DataFrame) -> str:
    """Return by how many percent Plan-RS changes each metric, for each kind of users."""
    by_users = []
    for users, user_bars in bars.groupby("users", sort=False):
        wide = user_bars.pivot(index="measure", columns="scheduler", values="value")
        wide = wide.reindex(dict.fromkeys(user_bars["measure"]))
        wide = wide[wide[OLD] > 0].dropna()
        parts = [
            f"{WORDS[measure]} {_percent(100 * (row[NEW] / row[OLD] - 1))} %"
            for measure, row in wide.iterrows()
        ]
        by_users.append(f"{', '.join(parts)} ({users} users)")
    return f"{NEW} against {OLD}: {'; '.join(by_users)}"


def _percent(change: float) -> str:
    """Write a change in whole per cent; only a change to 0 is −100."""
    return f"{max(change, -99.9):+.1f}" if -100 < change < -99.5 else f"{round(change):+,d}"


def waits_less(classes: pd.DataFrame) -> str:
    """Return how many classes of jobs wait less; columns by, class, scheduler, hours."""
    wide = classes.pivot(index=["by", "class"], columns="scheduler", values="hours")
    less = int((wide[NEW] < wide[OLD]).sum())
    return f"{NEW} waits less than {OLD} in {less} of {len(wide)} classes of jobs"


def complaints(users: pd.DataFrame) -> str:
    """Return the number of complaints; one column per scheduler, one row per user."""
    return f"{users[OLD].sum():,.0f} complaints under {OLD}, {users[NEW].sum():,.0f} under {NEW}"


def improved(moves: pd.DataFrame) -> str:
    """Return how many accepted moves shorten waits and how many are fairer: wait, fairness > 0."""
    wait, fairness = (100 * (moves[name] > 0).mean() for name in ("wait", "fairness"))
    return f"{wait:.0f} % of the accepted moves shorten waits, {fairness:.0f} % are fairer"


def takes(costs: pd.DataFrame) -> str:
    """Return how long planning takes: medians of backfill, update and iteration (µs)."""
    job, plan, step = (costs[name].median() for name in ("backfill", "update", "iteration"))
    return (
        f"Median times: {job:,.3g} µs to plan a job, {plan:,.3g} µs to update the plan, "
        f"{step:,.2g} µs for an iteration of the search"
    )


def within_intervals(compared: pd.DataFrame) -> str:
    """Return how many published changes lie within the range of many busy intervals.

    Sets that did not run on the paper's log are left out, and logs with too few intervals.
    """
    comparable = compared[is_compared(compared) & compared["low"].notna()]
    if comparable.empty:
        waits = compared.loc[compared["column"] == "WT", "computed"]
        return (
            f"The mean wait falls in {(waits < 0).sum()} of {len(waits)} sets, none of which has "
            "the paper’s log and a range of busy intervals"
        )
    inside = comparable["published"].astype(float).between(comparable["low"], comparable["high"])
    return (
        f"{inside.sum()} of {len(comparable)} published changes lie within the range of 95 % of "
        "the busy intervals of their log"
    )


def reached(budget: pd.DataFrame, paper_budget: int) -> str:
    """Return the share of the longest search's gain that the paper's budget reaches.

    Expects the columns plans, iterations, share (%; nan if the longest search gains nothing). The
    result is empty if no row has the budget and a share.
    """
    at_budget = budget[budget["iterations"] == paper_budget].dropna(subset="share")
    if at_budget.empty:
        return ""
    parts = [f"{row.share:.0f} % (plans {row.plans})" for row in at_budget.itertuples()]
    longest = budget["iterations"].max()
    return (
        f"{paper_budget:,} iterations of Random Search reach {' and '.join(parts)} of the "
        f"estimated gain with {longest:,}"
    )
