"""Mixed policies: weighted sums of job features."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.policies.pure import Policy

#: The features in the paper's order: processors q, estimate p, waiting time, ratio p / q, expansion
#: factor (wait + p) / p, area p q.
FEATURES = ("q", "p", "wait", "ratio", "exp", "area")

# As expressions whose smallest value runs first with a positive weight. Terms that are equal for
# all waiting jobs are left out: now in -wait = s - now, 1 in exp = 1 + w / r.
_TERMS = {"q": "n", "p": "r", "wait": "s", "ratio": "(r / n)", "area": "(r * n)", "exp": "(w / r)"}


#: The features with a static order of waiting jobs, in the order of summation.
STILL = ("q", "p", "wait", "ratio", "area")


@dataclass(frozen=True)
class MixedPolicy(Policy):
    """Weighted sum of the six features in the order of `FEATURES`, made by `mixed_policy`."""

    weights: tuple[float, ...] = field(default=())
    scales: tuple[float, ...] = field(default=())

    @property
    def order(self) -> Literal["static", "mixed"]:
        """Kind of the order of waiting jobs: static, or time-dependent with exp."""
        return "mixed" if self.pace else "static"

    @property
    def pace(self) -> float:
        """The weight of exp: a score is a static one plus ``pace * ((w / r) / pace_scale)``."""
        return self.weights[FEATURES.index("exp")]

    @property
    def pace_scale(self) -> float:
        """The scale of exp."""
        return self.scales[FEATURES.index("exp")]


def mixed_policy(
    weights: Sequence[float], scales: Sequence[float] | None = None, name: str = ""
) -> MixedPolicy:
    """Return the mixed policy of a weight vector.

    A job's score is the sum of ``weight * (feature / scale)``, in 64-bit floats, over q, p, s,
    ratio and area from the left, plus ``weight * ((wait / p) / scale)`` of exp. The smallest score
    runs first. So a positive weight means smallest q, p, ratio, exp or area first and longest wait
    first: (0, 0, 1) is FCFS, (0, 0, 0, 0, 0, 1) is SAF. Without exp the order of waiting jobs never
    changes. Source: legrand2018, section 4.3 and equation 3, with the signs of its simulator.

    Parameters
    ----------
    weights : sequence of float, shape (3,) or (6,)
        Weights of the first three features or of all, in the order of `FEATURES`; their absolute
        values sum to 1.
    scales : sequence of float, of the same shape, optional
        Divisor of each feature; 1 by default.
    name : str, optional
        The policy's name; by default its expression.

    Raises
    ------
    ValueError
        Weights or scales have a wrong number or are out of range.

    Examples
    --------
    >>> mixed_policy([0.5, 0, 0.5], [4, 1, 600]).expression
    '0.5 * (n / 4.0) + 0.5 * (s / 600.0)'
    """
    rows, divisors = check_weights([weights], scales)
    weight = dict(zip(FEATURES, rows[0].tolist(), strict=False))
    scale = dict(zip(FEATURES, divisors.tolist(), strict=False))
    terms = [
        f"{weight[key]!r} * ({_TERMS[key]} / {scale[key]!r})" for key in _TERMS if weight.get(key)
    ]
    expression = " + ".join(terms)
    return MixedPolicy(
        name or expression,
        name or "mixed",
        expression,
        source="legrand2018, section 4.3",
        weights=tuple(weight.get(key, 0.0) for key in FEATURES),
        scales=tuple(scale.get(key, 1.0) for key in FEATURES),
    )


def still(jobs: Jobs, scales: np.ndarray) -> np.ndarray:
    """Return the scaled features with a static order, as they are summed in scores."""
    q, p = jobs.procs.astype(np.float64), jobs.estimate.astype(np.float64)
    values = {"q": q, "p": p, "wait": jobs.submit, "ratio": p / q, "area": p * q}
    scale = dict(zip(FEATURES, scales.tolist(), strict=False))
    return np.column_stack([values[key] / scale[key] for key in STILL if key in scale])


def check_weights(
    weights: Sequence[Sequence[float]] | np.ndarray, scales: Sequence[float] | np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return weights and scales as float64 arrays of shapes (W, F) and (F,)."""
    rows = np.ascontiguousarray(weights, dtype=np.float64)
    if rows.ndim != 2 or not len(rows) or rows.shape[1] not in (3, len(FEATURES)):
        raise ValueError(
            f"mixed policies: weights of shape {rows.shape}, must be (vectors, 3) or (vectors, 6)"
        )
    divisors = np.ones(rows.shape[1])
    if scales is not None:
        divisors = np.ascontiguousarray(scales, dtype=np.float64)
    if divisors.shape != rows.shape[1:]:
        raise ValueError(f"mixed policies: {divisors.size} scales for {rows.shape[1]} weights")
    off = ~(np.abs(np.abs(rows).sum(axis=1) - 1) <= 1e-9)
    if off.any():
        raise ValueError(
            f"mixed policies: absolute weights of {rows[off][0].tolist()} do not add up to 1"
        )
    if not (np.isfinite(divisors) & (divisors > 0)).all():
        raise ValueError(f"mixed policies: scales {divisors.tolist()} must be positive numbers")
    return rows, divisors
