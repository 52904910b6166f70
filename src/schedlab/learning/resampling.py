"""Which policy a distribution would have given, had other tuples been drawn: the bootstrap.

Tuples are drawn anew with replacement and all functions are fitted exactly to each resample. What a
tuple adds to the normal equations does not depend on the others, so that a resample is a weighted
sum and a small solution; the ranking by equation 5 takes the residuals of all tasks of all
resamples at once. Nothing is approximated.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from schedlab.learning.regression import COEFFICIENTS, FEATURES, term_batches
from schedlab.learning.tuples import TASKS_OF_QUEUE
from schedlab.workloads.streams import generator

COLUMNS = {"resample": "int64", "function": "str", "formula": "str", "policy": "str"}
COLUMNS |= dict.fromkeys([*COEFFICIENTS, "rank_error"], "float64")
# Of the terms scaled to length 1, squared: what is smaller is taken for rounding.
RCOND = 1e-13


def resampled_policies(distribution: pd.DataFrame, resamples: int, *key: str | int) -> pd.DataFrame:
    """Fit the distinct functions to resamples of a distribution's tuples, and keep each best one.

    Parameters
    ----------
    distribution : DataFrame
        From `schedlab.learning.regression.read_distribution`, 32 rows a tuple.
    resamples : int
        How many.
    *key : str or int
        Of the random stream (`schedlab.workloads.streams`).

    Returns
    -------
    DataFrame
        One row per resample: resample (from 0), function (the form without coefficients), formula,
        policy (expression), c1, c2, c3, rank_error (equation 5 on the resample).
    """
    tuples = len(distribution) // TASKS_OF_QUEUE
    if not tuples:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    drawn = generator(*key).integers(0, tuples, (resamples, tuples))
    return best_of_weighted(
        distribution, np.stack([np.bincount(d, minlength=tuples) for d in drawn])
    )


def best_of_weighted(distribution: pd.DataFrame, counts: np.ndarray) -> pd.DataFrame:
    """Find the best distinct function of each weighting of the tuples.

    Parameters
    ----------
    distribution : DataFrame
        From `schedlab.learning.regression.read_distribution`, 32 rows a tuple.
    counts : ndarray of int, shape (resamples, tuples)
        How often each tuple is in each resample.

    Returns
    -------
    DataFrame
        As from `resampled_policies`.
    """
    score = distribution["score"].to_numpy(dtype=float)
    weight = np.prod([distribution[name].to_numpy(dtype=float) for name in FEATURES[:2]], axis=0)
    tasks = counts.sum(axis=1) * TASKS_OF_QUEUE
    best: list[tuple] = [(np.inf, None, None)] * len(counts)
    for forms, matrix in term_batches(distribution):
        for form, terms in zip(forms, matrix, strict=True):
            if not form.is_simplest:
                continue
            solutions = _solve(terms, score, weight, counts)
            residual = np.abs(terms @ solutions.T - score[:, None])
            by_tuple = residual.reshape(counts.shape[1], TASKS_OF_QUEUE, -1).sum(axis=1)
            error = np.einsum("bt,tb->b", counts, by_tuple) / tasks
            for place in np.flatnonzero(error < [least for least, _, _ in best]):
                if form.policy(form.unmerged(solutions[place])):
                    best[place] = (error[place], form, form.unmerged(solutions[place]))
    rows = [
        (place, form.name, form.formula(found), form.policy(found), *found, error)
        for place, (error, form, found) in enumerate(best)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _solve(
    terms: np.ndarray, score: np.ndarray, weight: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Weighted least squares of one form for every resample: coefficients (resamples, terms)."""
    weighted = terms * weight[:, None]
    length = np.linalg.norm(weighted, axis=0)
    length[length == 0] = 1.0
    weighted = (weighted / length).reshape(counts.shape[1], TASKS_OF_QUEUE, -1)
    target = (score * weight).reshape(counts.shape[1], TASKS_OF_QUEUE)
    left = np.einsum("tij,tik->tjk", weighted, weighted)
    right = np.einsum("tij,ti->tj", weighted, target)
    lefts = np.einsum("bt,tjk->bjk", counts, left)
    inverse = np.linalg.pinv(lefts, rcond=RCOND, hermitian=True)
    return np.einsum("bjk,bk->bj", inverse, counts @ right) / length
