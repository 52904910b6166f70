"""Evaluate weights learned on some periods on other periods.

A surface contains the average bounded slowdown of every weight vector in every period. From it come
the best vector of a period, the one learned from a range of periods, and the one of the period
before.

Several vectors may be best together: in a calm week nearly all of them. Their expected value in the
next week is then the mean over all of them. If a single one must be shown or kept, it is the one
nearest to their mean.

References
----------
legrand2018, section 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.studies.legrand2018.periods import AXES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.studies.legrand2018.periods import Surface

OPTIMUM, TRAINED, GREEDY = "w*", "w*_train", "w_greedy"
LEARNED = (OPTIMUM, TRAINED, GREEDY)


def representative(weights: np.ndarray, tied: np.ndarray) -> int:
    """Return the index of the tied vector that is nearest to the mean of all tied ones.

    `weights` has all vectors, shape (w, 3); `tied` has the indices of the best, at least one.
    """
    distance = np.linalg.norm(weights[tied] - weights[tied].mean(axis=0), axis=1)
    return int(tied[np.argmin(distance)])


def best_places(values: np.ndarray) -> np.ndarray:
    """Return all indices of the smallest of `values`."""
    return np.flatnonzero(values == values.min())


def optima(surface: Surface) -> pd.DataFrame:
    """Return each period's best vector."""
    rows = []
    for piece, values in zip(surface.pieces, surface.values, strict=True):
        tied = best_places(values)
        weights = surface.weights[representative(surface.weights, tied)]
        rows.append((piece, *weights, values.min(), len(tied)))
    kinds = {"piece": "int64", **dict.fromkeys((*AXES, "value"), "float64"), "ties": "int64"}
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def diamonds(surface: Surface) -> pd.DataFrame:
    """Return the space of weights as two diamonds a period; q = 0 is on both sides.

    Columns: piece, side (``q <= 0`` or ``q >= 0``), p, wait, avebsld.
    """
    q, p, wait = surface.weights.T
    sides = {"q <= 0": q <= 0, "q >= 0": q >= 0}
    frames = [
        pd.DataFrame({"p": p[on], "wait": wait[on], "avebsld": values[on]}).assign(
            piece=piece, side=side
        )
        for piece, values in zip(surface.pieces, surface.values, strict=True)
        for side, on in sides.items()
    ]
    columns = ["piece", "side", "p", "wait", "avebsld"]
    return (
        pd.concat(frames, ignore_index=True)[columns] if frames else pd.DataFrame(columns=columns)
    )


def trained(surface: Surface, first: int, last: int) -> int:
    """Return the index of the vector with the least sum over `first` to `last`; equation 5."""
    total = surface.between(first, last).values.sum(axis=0)
    return representative(surface.weights, best_places(total))


def after(surface: Surface, window: int) -> np.ndarray:
    """Return the value in each of p periods of the vector that was best in the periods before."""
    worth = np.full(len(surface), np.nan)
    for place in range(1, len(surface)):
        total = surface.values[max(0, place - window) : place].sum(axis=0)
        worth[place] = surface.values[place, best_places(total)].mean()
    return worth


def after_ties(surface: Surface) -> np.ndarray:
    """Return the range, in each of p periods, of the vectors that were best in the period before.

    Shape (p, 2): the smallest and the largest value; nan in the first period.
    """
    ends = np.full((len(surface), 2), np.nan)
    for place in range(1, len(surface)):
        values = surface.values[place, best_places(surface.values[place - 1])]
        ends[place] = values.min(), values.max()
    return ends


def by_period(
    surface: Surface, pure: pd.DataFrame, threshold: int | None, train: Sequence[int]
) -> pd.DataFrame:
    """Return the values of the mixed and the pure policies by period."""
    frame = pure_by_period(pure, threshold)
    if not len(surface):
        return frame.reindex(columns=[*LEARNED, *frame])
    place = trained(surface, *train)
    learned = {
        OPTIMUM: surface.values.min(axis=1),
        TRAINED: surface.values[:, place],
        GREEDY: after(surface, 1),
    }
    return pd.DataFrame(learned, index=pd.Index(surface.pieces, name="piece")).join(frame)


def pure_by_period(pure: pd.DataFrame, threshold: int | None) -> pd.DataFrame:
    """Return the pure policies under one threshold: index piece, a column per policy."""
    same = pure["threshold"].isna() if threshold is None else pure["threshold"].eq(threshold)
    selected = pure[same.fillna(False).astype(bool)]
    table = selected.pivot(index="piece", columns="policy", values="avebsld")
    return table.reindex(columns=selected["policy"].unique()).rename_axis(columns=None)


def sums(table: pd.DataFrame, first: int, last: int) -> pd.Series:
    """Return the sum of each column of `by_period` over the periods `first` to `last`."""
    return table.loc[first:last].sum(skipna=False)
