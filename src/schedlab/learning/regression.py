"""Fits of the 576 forms to a score distribution: the paper's method, and exact.

Both minimize equation 4, the squares of r n times the residual. Forms are ranked by equation 5,
the mean of the absolute residuals without weights.

References
----------
carastan2017, section 3.3, equations 4 and 5.
"""

import warnings
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.kernels.common.zeroed_arrays import zeroed_arrays
from schedlab.learning.distributions import read_published
from schedlab.learning.forms import (
    BASE_FUNCTIONS,
    FORMS,
    OPERATORS,
    Form,
    base_value,
    combine,
    products,
)

FEATURES = ["runtime", "procs", "submit"]
# Smallest value of each column of a distribution; a score may be any finite number.
LEAST = {"runtime": 1, "procs": 1, "submit": 0, "score": -np.finfo(float).max}
COEFFICIENTS = ["c1", "c2", "c3"]
START = (1.0, 1.0, 1.0)
BY_FORM = {(form.alpha, form.beta, form.gamma, form.op1, form.op2): form for form in FORMS}


def read_distribution(path: str | Path) -> pd.DataFrame:
    """Read a score distribution: runtime, procs, submit, score (all float64).

    No rows if the text is not available. The same holds if a run time or number of processors is
    not positive, or a submit time is negative.
    """
    path = Path(path)
    frame = read_parquet(path) if path.suffix == ".parquet" else read_published(path)
    for column, least in LEAST.items():
        if column not in frame:
            raise ValueError(f"{path}: column '{column}' is missing")
        values = frame[column].to_numpy(dtype=float)
        if (bad := np.flatnonzero(~(np.isfinite(values) & (values >= least)))).size:
            where = f"row {bad[0] + 1}, column '{column}'"
            raise ValueError(f"{path}: {where}: {values[bad[0]]:g} is not a number from {least}")
    return frame[list(LEAST)].astype(float).reset_index(drop=True)


def fit_exact(distribution: pd.DataFrame, intercept: bool = False) -> pd.DataFrame:
    """Fit every form by weighted linear least squares.

    Each form is linear in one to three products of its coefficients that data determine. So the
    minimum of equation 4 is found directly, by QR decomposition of the weighted terms, scaled to
    length 1. If terms coincide, the shortest of several solutions is taken. `distribution` is from
    `read_distribution`; with `intercept` the forms get a constant c0, which the paper's do not
    have.

    Columns, a row per form, best first: rank (1 to 576), alpha, beta, gamma, op1, op2, c1, c2, c3
    (1 if undetermined), c0 (0 without intercept), rank_error (equation 5), weighted_error (equation
    4), converged, formula, K (c3 / (c1 op1 c2), nan if undefined) and policy (expression over r, n
    and s).
    """
    if distribution.empty:
        return _rank_fits([])
    runtime, procs, _ = (distribution[name].to_numpy(dtype=float) for name in FEATURES)
    score = distribution["score"].to_numpy(dtype=float)
    rows = []
    for forms, matrix in term_batches(distribution):
        if intercept:
            matrix = np.concatenate([matrix, np.ones((*matrix.shape[:2], 1))], axis=2)
        solutions = _least_squares(matrix, score, runtime * procs)
        predicted = np.einsum("kij,kj->ki", matrix, solutions)
        for form, solution, fitted in zip(forms, solutions, predicted, strict=True):
            c0 = solution[-1] if intercept else 0.0
            merged = solution[:-1] if intercept else solution
            rows.append(_row(form, form.unmerged(merged), c0, fitted - score, distribution))
    return _rank_fits(rows)


def term_batches(distribution: pd.DataFrame) -> Iterator[tuple[list[Form], np.ndarray]]:
    """Yield the terms that the forms are linear in, for one pair of operators at a time."""
    features = [distribution[name].to_numpy(dtype=float) for name in FEATURES]
    for op1, op2 in product(OPERATORS, repeat=2):
        values = [
            np.stack([base_value(name, x, op) for name in BASE_FUNCTIONS])
            for x, op in zip(features, ("", op1, op2), strict=True)
        ]
        a, b, g = values[0][:, None, None], values[1][:, None], values[2]
        shape = (len(BASE_FUNCTIONS),) * 3 + g.shape[1:]
        terms = [np.broadcast_to(term, shape) for term in products(op1, op2, a, b, g)]
        matrix = np.stack(terms, axis=-1).reshape(-1, g.shape[1], len(terms))
        yield [form for form in FORMS if (form.op1, form.op2) == (op1, op2)], matrix


def _least_squares(matrix: np.ndarray, score: np.ndarray, weight: np.ndarray) -> np.ndarray:
    weighted = matrix * weight[:, None]
    length = np.linalg.norm(weighted, axis=1)
    length[length == 0] = 1.0
    q, r = np.linalg.qr(weighted / length[:, None])
    right = np.einsum("kij,i->kj", q, score * weight)
    return np.einsum("kij,kj->ki", np.linalg.pinv(r, rcond=1e-13), right) / length


def fit_paper(distribution: pd.DataFrame) -> pd.DataFrame:
    """Fit every form as the paper did: with Levenberg and Marquardt's method from (1, 1, 1).

    The three coefficients are fitted separately, although data determine only their products, to
    scores in single precision as in the artefact. If data determine only one product, the separate
    coefficients have no meaning. The method stops before the minimum, so the last digits depend on
    the processor: NumPy's logarithms differ in the last bit, and the constant K of F3 in the fifth
    digit. A fit that does not converge has ``converged`` false and no coefficients, and is ranked
    last. Input and columns are those of `fit_exact`.
    """
    if distribution.empty:
        return _rank_fits([])
    # MINPACK reads one number behind the end of an array
    with zeroed_arrays():
        return _rank_fits([_fit_form(distribution, form) for form in FORMS])


def _fit_form(distribution: pd.DataFrame, form: Form) -> dict:
    # the import takes half a second, which every command line would need
    from scipy.optimize import curve_fit

    r, n, s = (distribution[name].to_numpy(dtype=float) for name in FEATURES)
    score = distribution["score"].to_numpy(dtype=np.float32)
    a, b, g = form.values(r, n, s)

    def model(_: np.ndarray, c1: float, c2: float, c3: float) -> np.ndarray:
        return combine(form.op1, form.op2, c1 * a, c2 * b, c3 * g)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # undetermined coefficients have no covariance
        warnings.simplefilter("ignore")
        try:
            fitted, _ = curve_fit(model, r, score, START, sigma=1 / (r * n), absolute_sigma=True)
        except RuntimeError:
            fitted = np.full(3, np.nan)
        residual = model(r, *fitted) - score
        return _row(form, fitted, 0.0, residual, distribution)


def _row(
    form: Form, coefficients: np.ndarray, c0: float, residual: np.ndarray, tasks: pd.DataFrame
) -> dict:
    weight = tasks["runtime"].to_numpy() * tasks["procs"].to_numpy()
    return asdict(form) | {
        **dict(zip(COEFFICIENTS, map(float, coefficients), strict=True)),
        "c0": float(c0),
        "rank_error": float(np.mean(np.abs(residual))),
        "weighted_error": float(np.sum((weight * residual) ** 2)),
        "converged": bool(np.isfinite(residual).all()),
        "formula": form.formula(coefficients),
        "K": form.constant(coefficients),
        "policy": form.policy(coefficients),
    }


def _rank_fits(rows: list[dict]) -> pd.DataFrame:
    """Return rows in the order of equation 5, the best first."""
    columns = ["alpha", "beta", "gamma", "op1", "op2", *COEFFICIENTS, "c0", "rank_error",
               "weighted_error", "converged", "formula", "K", "policy"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=columns)
    frame = frame.sort_values("rank_error", kind="stable", ignore_index=True)
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return frame


def form_of(fit: pd.Series) -> Form:
    """Return the form of a row of a fit."""
    return BY_FORM[fit["alpha"], fit["beta"], fit["gamma"], fit["op1"], fit["op2"]]


def distinct_functions(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the 400 distinct functions of a fit, ranked again.

    Division by 1 / x equals multiplication by x, and vice versa. Of equal functions the simplest
    form is kept.
    """
    simplest = np.array([form_of(fit).is_simplest for _, fit in fits.iterrows()], dtype=bool)
    rows = fits[simplest].reset_index(drop=True)
    return rows.assign(rank=np.arange(1, len(rows) + 1))


def fitters(exact: pd.DataFrame, paper: pd.DataFrame) -> pd.DataFrame:
    """Return both fits of every form in one table, in the exact fit's order.

    Columns: function, rank_exact, rank_paper, error_exact, error_paper, difference (of equation 5,
    the paper's fit minus the exact one), excess (equation 4 of the paper's fit divided by the exact
    minimum, minus 1), K_exact, K_paper, converged (the paper's fit).
    """
    keys = ["alpha", "beta", "gamma", "op1", "op2"]
    pairs = exact.merge(paper, on=keys, suffixes=("_exact", "_paper"))
    return pd.DataFrame(
        {
            "function": [form_of(fit).name for _, fit in pairs.iterrows()],
            "rank_exact": pairs["rank_exact"],
            "rank_paper": pairs["rank_paper"],
            "error_exact": pairs["rank_error_exact"],
            "error_paper": pairs["rank_error_paper"],
            "difference": pairs["rank_error_paper"] - pairs["rank_error_exact"],
            "excess": pairs["weighted_error_paper"] / pairs["weighted_error_exact"] - 1,
            "K_exact": pairs["K_exact"],
            "K_paper": pairs["K_paper"],
            "converged": pairs["converged_paper"],
        }
    )
