"""What figures of klusacek2016 show, in a sentence from the data that they draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.studies.klusacek2016.measures import NAMES, ORIG, PLAN

if TYPE_CHECKING:
    import pandas as pd

OLD, NEW = NAMES[ORIG], NAMES[PLAN]
WORDS = {"utilisation": "utilisation", "wait": "mean wait", "slowdown": "slowdown", "nuwt": "NUWT"}


def changed(bars: pd.DataFrame) -> str:
    """Say by how many per cent plans change each measure, users by users.

    Parameters
    ----------
    bars : DataFrame
        users, scheduler, measure and value; a measure that is 0 without plans is left out.
    """
    said = []
    for users, own in bars.groupby("users", sort=False):
        wide = own.pivot(index="measure", columns="scheduler", values="value")
        wide = wide.reindex(dict.fromkeys(own["measure"]))
        wide = wide[wide[OLD] > 0].dropna()
        parts = [
            f"{WORDS[measure]} {round(100 * (row[NEW] / row[OLD] - 1)):+d} %"
            for measure, row in wide.iterrows()
        ]
        said.append(f"{', '.join(parts)} ({users} users)")
    return f"{NEW} against {OLD}: {'; '.join(said)}"


def waits_less(classes: pd.DataFrame) -> str:
    """Say in how many classes of jobs plans wait less: columns by, class, scheduler, hours."""
    wide = classes.pivot(index=["by", "class"], columns="scheduler", values="hours")
    less = int((wide[NEW] < wide[OLD]).sum())
    return f"{NEW} waits less than {OLD} in {less} of {len(wide)} classes of jobs"


def complaints(users: pd.DataFrame) -> str:
    """Say how many complaints there are: a column a scheduler, of a user each."""
    return f"{users[OLD].sum():,.0f} complaints under {OLD}, {users[NEW].sum():,.0f} under {NEW}"


def improved(moves: pd.DataFrame) -> str:
    """Say how many accepted moves shorten waits and how many are fairer: wait, fairness > 0."""
    wait, fairness = (100 * (moves[name] > 0).mean() for name in ("wait", "fairness"))
    return f"{wait:.0f} % of the accepted moves shorten waits, {fairness:.0f} % are fairer"


def takes(costs: pd.DataFrame) -> str:
    """Say how long planning takes: medians of backfill, update and iteration (µs)."""
    job, plan, step = (costs[name].median() for name in ("backfill", "update", "iteration"))
    return (
        f"In the median planning a job takes {job:,.3g} µs, updating the plan {plan:,.3g} µs, an "
        f"iteration of the search {step:,.2g} µs"
    )


def reached(budget: pd.DataFrame, asked: int) -> str:
    """Say how much of the longest search's gain the paper's budget comes to.

    Parameters
    ----------
    budget : DataFrame
        plans, iterations and share (%).
    asked : int
        The budget, one of the iterations; nothing is said where it is none of them.
    """
    own = budget[budget["iterations"] == asked]
    if own.empty:
        return ""
    said = [f"{row.share:.0f} % (plans {row.plans})" for row in own.itertuples()]
    longest = budget["iterations"].max()
    return (
        f"{asked:,} iterations of Random Search come to {' and '.join(said)} of the estimated gain "
        f"with {longest:,}"
    )
