"""Prediction of pairs that were not measured, from measured pairs, with its error.

Three predictors of the speedup S(a|b), based on log S and on the measured pairs only:

row mean
    the mean of a's measured values, as in the thesis's simulator (of S, not of log S);
row and column effects
    mu + r_a + c_b: how well a tolerates sharing, and how little b slows others down;
low rank
    the effects and a matrix of low rank for their residuals, by alternating least squares.

Effects are shrunk slightly towards 0, to determine what no measured pair determines: an
application without measured pairs, or two groups that were never measured together, count as
equal. Factors are shrunk more, because each is fitted to only a few pairs.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

SHRINKAGE = 0.1  # for effects, in pairs
FACTOR_SHRINKAGE = 1.0  # for factors, relative to the residual variance of the effects
SWEEPS = 30  # iterations of the alternating least squares
FOLDS = 10
GROUP = 5  # applications of a hidden group: as many as the large ones of the ARIS pool
SPLITS = 20


def row_mean(speedup: np.ndarray) -> np.ndarray:
    """Predict every pair by the mean of its row; for an empty row by the mean of all pairs.

    `speedup` and the result are float64 of shape (A, A): S(a|b), nan if unknown.
    """
    known = ~np.isnan(speedup)
    counts = known.sum(axis=1)
    means = np.where(known, speedup, 0).sum(axis=1) / np.maximum(counts, 1)
    means[counts == 0] = np.nanmean(speedup)
    return np.repeat(means[:, None], speedup.shape[1], axis=1)


def effects(speedup: np.ndarray) -> np.ndarray:
    """Predict by a row and a column effect on log S with ridge regression; see `row_mean`."""
    return np.exp(_log_effects(speedup))


def low_rank(speedup: np.ndarray, rank: int = 1) -> np.ndarray:
    """Predict by effects and a matrix of rank `rank` on log S; see `row_mean`."""
    base = _log_effects(speedup)
    known = ~np.isnan(speedup)
    residual = np.where(known, np.log(speedup) - base, 0)
    _, strength, right = np.linalg.svd(residual)
    columns = right[:rank].T * np.sqrt(strength[:rank])
    scale = FACTOR_SHRINKAGE * float(residual[known].var())
    for _ in range(SWEEPS):
        rows = _factors(residual, known, columns, scale)
        columns = _factors(residual.T, known.T, rows, scale)
    return np.exp(base + rows @ columns.T)


def _log_effects(speedup: np.ndarray) -> np.ndarray:
    """Solve the normal equations of mu + r_a + c_b; only the mean is not shrunk."""
    size = len(speedup)
    row, column = np.nonzero(~np.isnan(speedup))
    design = np.zeros((len(row), 1 + 2 * size))
    design[:, 0] = 1
    design[np.arange(len(row)), 1 + row] = 1
    design[np.arange(len(row)), 1 + size + column] = 1
    ridge = np.diag([0.0] + [SHRINKAGE] * (2 * size))
    beta = np.linalg.solve(design.T @ design + ridge, design.T @ np.log(speedup[row, column]))
    return beta[0] + beta[1 : 1 + size, None] + beta[None, 1 + size :]


def _factors(
    residual: np.ndarray, known: np.ndarray, factors: np.ndarray, scale: float
) -> np.ndarray:
    """Return the ridge regression of every row on the other side's factors."""
    rank = factors.shape[1]
    return np.array(
        [
            np.linalg.solve(factors[mask].T @ factors[mask] + scale * np.eye(rank),
                            factors[mask].T @ line[mask])
            for line, mask in zip(residual, known, strict=True)
        ]
    )  # fmt: skip


METHODS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "row_mean": row_mean,
    "effects": effects,
    "low_rank_1": lambda speedup: low_rank(speedup, 1),
    "low_rank_2": lambda speedup: low_rank(speedup, 2),
}


def leave_out(
    speedup: np.ndarray, stream: np.random.Generator
) -> Iterator[tuple[str, int, np.ndarray]]:
    """Yield sets of pairs to hide: folds of single pairs, then all pairs between two groups.

    The second design resembles a pool whose large applications were measured only among
    themselves, so that no pair measures the effect of one group on the other. S(a|b) and S(b|a)
    come from one measurement and are hidden together.
    """
    known = ~np.isnan(speedup)
    above = np.argwhere(np.triu(known | known.T))
    fold = stream.permutation(len(above)) % FOLDS
    for number in range(FOLDS):
        hidden = np.zeros_like(known)
        hidden[tuple(above[fold == number].T)] = True
        yield "pairs", number, (hidden | hidden.T) & known
    for number in range(SPLITS):
        apart = np.zeros(len(speedup), dtype=bool)
        apart[stream.permutation(len(speedup))[:GROUP]] = True
        hidden = (apart[:, None] != apart[None, :]) & known
        if hidden.any():
            yield "groups", number, hidden


def cross_validate(speedup: np.ndarray, stream: np.random.Generator) -> pd.DataFrame:
    """Predict hidden pairs from the others, by every method.

    `speedup` has S(a|b), shape (A, A), nan if unknown; `stream` chooses the hidden pairs. A row per
    method, design, fold and hidden pair: row, column (places in the pool), actual, predicted.
    """
    frames = []
    for design, number, hidden in leave_out(speedup, stream):
        seen = np.where(hidden, np.nan, speedup)
        row, column = np.nonzero(hidden)
        for method, predict in METHODS.items():
            columns = {"method": method, "design": design, "fold": number, "row": row}
            columns |= {"column": column, "actual": speedup[hidden]}
            frames.append(pd.DataFrame(columns | {"predicted": predict(seen)[hidden]}))
    return pd.concat(frames, ignore_index=True)


def errors(predictions: pd.DataFrame) -> pd.DataFrame:
    """Return the errors of `cross_validate` by design and method.

    Columns: design, method, pairs (predictions), rmse and mae (of the speedup), bias (mean of
    predicted minus actual), explained (share of the variance of the actual speedups), sign (percent
    of pairs whose gain or loss is predicted correctly).
    """
    rows = []
    for (design, method), group in predictions.groupby(["design", "method"], sort=False):
        miss = group["predicted"] - group["actual"]
        spread = float(((group["actual"] - group["actual"].mean()) ** 2).sum())
        right_sign = (group["predicted"] > 1) == (group["actual"] > 1)
        rows.append(
            {
                "design": design,
                "method": method,
                "pairs": len(group),
                "rmse": float(np.sqrt((miss**2).mean())),
                "mae": float(miss.abs().mean()),
                "bias": float(miss.mean()),
                "explained": 1 - float((miss**2).sum()) / spread,
                "sign": 100 * float(right_sign.mean()),
            }
        )
    return pd.DataFrame(rows)
