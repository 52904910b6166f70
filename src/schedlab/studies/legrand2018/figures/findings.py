"""Headlines of the figures of legrand2018: one sentence each, from the data they draw."""

from collections.abc import Mapping

import pandas as pd

from schedlab.files.stand_ins import kind_of
from schedlab.report.words import joined, joined_workloads, most_often
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, TRAINED

# Ratios up to this value count as equal.
EQUAL = 1.01
SHORT = {
    "saf": "SAF",
    "fcfs": "FCFS",
    OPTIMUM: "w*",
    TRAINED: "the training weights (w*_train)",
    GREEDY: "w_greedy",
    "best pure": "the best pure policy",
    "w*3": "the grid’s best weights",
    "xnes3": "xNES with three features",
    "xnes6": "xNES with six",
}


def short(name: str) -> str:
    """Return the name of a policy in a sentence; your policies keep their names."""
    return SHORT.get(name, name)


def equal_in(ratios: pd.Series) -> int:
    """Count the periods in which a policy gives at most 1 % more."""
    return int((ratios <= EQUAL).sum())


def nearest(table: pd.DataFrame, base: str, unit: str) -> str:
    """Return a sentence: which policy is nearest to the reference, and which is farthest."""
    if table.empty:
        return ""
    compared = table.drop(columns=base)
    sums = {name: own.sum() / table.loc[own.notna(), base].sum() for name, own in compared.items()}
    first, *farther = sorted(sums, key=sums.get)
    where = f"of {short(base)} over {len(table)} {unit}s"
    if not farther:
        same = equal_in(table[first] / table[base])
        return (
            f"{short(first)} has {sums[first]:.3f} times the sum {where}, and equals it in {same}"
        )
    last = farther[-1]
    return (
        f"{short(first)} has {sums[first]:.3f} and {short(last)} {sums[last]:.3f} times the sum "
        f"{where}"
    )


def leads(values: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Return a sentence: which policy most often has the lowest mean, and on which traces."""
    if values.empty:
        return ""
    kind = kind_of(names.values(), "traces")
    means = values.groupby(["trace", "policy"], sort=False)["avebsld"].mean().unstack()
    best = means.idxmin(axis=1)
    most, count = most_often(best)
    if " and " in most:
        return f"{most} have the lowest mean on {count} of {len(best)} {kind} each"
    where = [names[trace] for trace in best.index[best == most]]
    if len(where) == len(best):
        return f"{most} has the lowest mean on all {len(best)} {kind}"
    count = f"{len(where)} of {len(best)} {kind}"
    return f"{most} has the lowest mean on {count}: {joined_workloads(where)}"


def regretted(online: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Return a sentence: which learners end below the best fixed choice on some trace."""
    if online.empty:
        return ""
    kind = kind_of(names.values(), "traces")
    last = online.sort_values("piece").groupby(["trace", "learner"], sort=False)["regret"].last()
    ends = last.unstack()
    below = ends.columns[(ends < 0).any()]
    counts = f"of {ends.shape[1]} learners"
    if below.empty:
        return f"None {counts} ends below the best fixed choice on any of {len(ends)} {kind}"
    verb = "ends" if len(below) == 1 else "end"
    where = f"below the best fixed choice on a {kind.removesuffix('s')}"
    return f"{len(below)} {counts} {verb} {where}: {joined(below)}"


def spread(space: pd.DataFrame) -> str:
    """Return a sentence: by how much the values of weights differ within a week.

    Expects the columns piece and avebsld, at least one row.

    Examples
    --------
    >>> import pandas as pd
    >>> spread(pd.DataFrame({"piece": [1, 1, 2, 2], "avebsld": [2.0, 3.0, 1.0, 4.0]}))
    'In a week the worst weights have 1.5 to 4.0 times the slowdown of the best'
    """
    by_week = space.groupby("piece")["avebsld"].agg(["min", "max"])
    ratios = by_week["max"] / by_week["min"]
    return (
        f"In a week the worst weights have {ratios.min():.1f} to {ratios.max():.1f} times the "
        "slowdown of the best"
    )
