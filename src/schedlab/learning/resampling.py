"""Bootstrap of learned policies: the policy of each resample of a distribution's tuples.

Tuples are resampled one by one with replacement, because they share no job
(`schedlab.learning.sites`). All functions are fitted exactly to each resample. A tuple's
contribution to the normal equations does not depend on the others, so a resample is a weighted sum
and a small solution. The ranking by equation 5 adds up residuals until a function is worse than
the best so far. Nothing is approximated.
"""

from operator import itemgetter

import numpy as np
import pandas as pd

from schedlab.core.intervals import resampled_places
from schedlab.core.streams import generator
from schedlab.learning.regression import COEFFICIENTS, FEATURES, term_batches
from schedlab.learning.tuples import TASKS_OF_QUEUE

COLUMNS = {"resample": "int64", "function": "str", "formula": "str", "policy": "str"}
COLUMNS |= dict.fromkeys([*COEFFICIENTS, "rank_error"], "float64")
# Squared relative threshold for terms scaled to length 1; smaller values are rounding errors.
RCOND = 1e-13
AT_A_TIME = 4  # tuples whose residuals are added up per step


def resampled_policies(distribution: pd.DataFrame, resamples: int, *key: str | int) -> pd.DataFrame:
    """Fit the distinct functions to resamples of a distribution's tuples; return the best of each.

    A row per resample: resample (from 0), function (the form without coefficients), formula,
    policy (expression), c1, c2, c3, rank_error (equation 5 on the resample).
    """
    tuples = len(distribution) // TASKS_OF_QUEUE
    if not tuples:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    resampled = resampled_places(tuples, resamples, generator(*key))
    return best_of_weighted(
        distribution, np.stack([np.bincount(d, minlength=tuples) for d in resampled])
    )


def best_of_weighted(distribution: pd.DataFrame, counts: np.ndarray) -> pd.DataFrame:
    """Find the best distinct function of each weighting of the tuples, as `resampled_policies`."""
    score = distribution["score"].to_numpy(dtype=float)
    weight = np.prod([distribution[name].to_numpy(dtype=float) for name in FEATURES[:2]], axis=0)
    counts = counts.astype(float)
    every = np.ones((1, counts.shape[1]))
    fits = []
    for forms, matrix in term_batches(distribution):
        for form, terms in zip(forms, matrix, strict=True):
            if form.is_simplest:
                solution = _solve(terms, score, weight, every)
                error = _errors(terms, solution, score, every, np.array([np.inf]))
                fits.append((error.item(), form, terms))
    best: list[tuple] = [(np.inf, None, None)] * len(counts)
    # The best fits to all tuples come first, which leaves little work for the others.
    for _, form, terms in sorted(fits, key=itemgetter(0)):
        least = np.array([error for error, _, _ in best])
        solutions = _solve(terms, score, weight, counts)
        error = _errors(terms, solutions, score, counts, least)
        for place in np.flatnonzero(error < least):
            if form.policy(form.unmerged(solutions[place])):
                best[place] = (error[place], form, form.unmerged(solutions[place]))
    rows = [
        (place, form.name, form.formula(factors), form.policy(factors), *factors, error)
        for place, (error, form, factors) in enumerate(best)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _errors(
    terms: np.ndarray,
    solutions: np.ndarray,
    score: np.ndarray,
    counts: np.ndarray,
    least: np.ndarray,
) -> np.ndarray:
    """Return equation 5 of one form for every resample; infinity as soon as it exceeds `least`."""
    tasks = counts.sum(axis=1) * TASKS_OF_QUEUE
    total = np.zeros(len(solutions))
    open_resamples = np.arange(len(solutions))
    for first in range(0, counts.shape[1], AT_A_TIME):
        if not len(open_resamples):
            break
        tuples = slice(first, first + AT_A_TIME)
        rows = slice(first * TASKS_OF_QUEUE, (first + AT_A_TIME) * TASKS_OF_QUEUE)
        residual = np.abs(terms[rows] @ solutions[open_resamples].T - score[rows, None])
        by_tuple = residual.reshape(-1, TASKS_OF_QUEUE, len(open_resamples)).sum(axis=1)
        total[open_resamples] += np.einsum("bt,tb->b", counts[open_resamples, tuples], by_tuple)
        over = ~(total[open_resamples] < least[open_resamples] * tasks[open_resamples])
        total[open_resamples[over]] = np.inf
        open_resamples = open_resamples[~over]
    return total / tasks


def _solve(
    terms: np.ndarray, score: np.ndarray, weight: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Solve weighted least squares of a form for every resample: solutions (resamples, terms)."""
    weighted = terms * weight[:, None]
    length = np.linalg.norm(weighted, axis=0)
    length[length == 0] = 1.0
    weighted = (weighted / length).reshape(counts.shape[1], TASKS_OF_QUEUE, terms.shape[1])
    target = (score * weight).reshape(counts.shape[1], TASKS_OF_QUEUE)
    left_side = np.einsum("tij,tik->tjk", weighted, weighted)
    right = np.einsum("tij,ti->tj", weighted, target)
    lefts = np.tensordot(counts, left_side, axes=1)
    inverse = np.linalg.pinv(lefts, rcond=RCOND, hermitian=True)
    return np.einsum("bjk,bk->bj", inverse, counts @ right) / length
