"""What weights learned on some periods are worth on others.

A surface holds the average bounded slowdown of every weight vector in every period. The best
vector of a period, the one learned from a stretch of periods and the one taken over from the
period before are all read off it.

Several vectors may be best together: in a calm week nearly all of them. What is then expected of
the next week is the mean over them all, as if one were drawn; where one must be shown or kept, it
is the one nearest to their mean.

References
----------
legrand2018, section 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.studies.legrand2018.surface import AXES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.studies.legrand2018.surface import Surface

OPTIMUM, TRAINED, GREEDY = "w*", "w*_train", "w_greedy"
LEARNED = (OPTIMUM, TRAINED, GREEDY)


def representative(weights: np.ndarray, tied: np.ndarray) -> int:
    """Return the place of the tied vector that is nearest to the mean of all tied ones.

    Parameters
    ----------
    weights : ndarray of float64, shape (w, 3)
        All vectors.
    tied : ndarray of int64, shape (t,)
        Places of those that are best together; at least one.
    """
    distance = np.linalg.norm(weights[tied] - weights[tied].mean(axis=0), axis=1)
    return int(tied[np.argmin(distance)])


def best_places(values: np.ndarray) -> np.ndarray:
    """Return the places of the smallest of `values`, all of them."""
    return np.flatnonzero(values == values.min())


def optima(surface: Surface) -> pd.DataFrame:
    """Return each period's best vector.

    Returns
    -------
    DataFrame
        Columns piece, q, p, wait, value (average bounded slowdown) and ties (how many vectors
        reach it).
    """
    rows = []
    for piece, values in zip(surface.pieces, surface.values, strict=True):
        tied = best_places(values)
        weights = surface.weights[representative(surface.weights, tied)]
        rows.append((piece, *weights, values.min(), len(tied)))
    kinds = {"piece": "int64", **dict.fromkeys((*AXES, "value"), "float64"), "ties": "int64"}
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def diamonds(surface: Surface) -> pd.DataFrame:
    """Lay the space of weights out as two diamonds a period.

    Returns
    -------
    DataFrame
        Columns piece, side (``q <= 0`` or ``q >= 0``), p, wait, avebsld; where q is 0 a vector is
        on both sides.
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
    """Return the place of the vector whose sum over the periods `first` to `last` is smallest.

    References
    ----------
    legrand2018, equation 5.
    """
    total = surface.between(first, last).values.sum(axis=0)
    return representative(surface.weights, best_places(total))


def after(surface: Surface, window: int) -> np.ndarray:
    """Return what the best vector of the periods before is worth in each period.

    Parameters
    ----------
    surface : Surface
        p periods.
    window : int
        Over how many periods before the sum is smallest, or as many as there are.

    Returns
    -------
    ndarray of float64, shape (p,)
        Mean over the vectors that are best together; nan in the first period.
    """
    worth = np.full(len(surface), np.nan)
    for place in range(1, len(surface)):
        total = surface.values[max(0, place - window) : place].sum(axis=0)
        worth[place] = surface.values[place, best_places(total)].mean()
    return worth


def by_period(
    surface: Surface, pure: pd.DataFrame, threshold: int | None, train: Sequence[int]
) -> pd.DataFrame:
    """Lay the mixed and the pure policies beside each other.

    Parameters
    ----------
    surface : Surface
        From the coverage of the space of weights.
    pure : DataFrame
        Columns `PURE_COLUMNS`.
    threshold : int or None
        The one that the surface was made with.
    train : sequence of two int
        First and last period that w*_train is learned from.

    Returns
    -------
    DataFrame
        Index piece, columns w*, w*_train, w_greedy (nan in the first period) and the pure
        policies in their order; no rows without periods.
    """
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
    own = pure[same.fillna(False).astype(bool)]
    table = own.pivot(index="piece", columns="policy", values="avebsld")
    return table.reindex(columns=own["policy"].unique()).rename_axis(columns=None)


def sums(table: pd.DataFrame, first: int, last: int) -> pd.Series:
    """Return the sum of each column of `by_period` over the periods `first` to `last`."""
    return table.loc[first:last].sum(skipna=False)
