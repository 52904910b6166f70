"""Intervals from resampled numbers, and joint tests of several numbers.

An end of an interval is one of the B resampled numbers: the k-th from either side, with k the
integer part of 2.5 % of B + 1. So an interval excludes a bound exactly if the p-value of lying
below it (`chance_below`) or above it (`chance_above`) is at most 5 %.
"""

import numpy as np

LEVEL = 0.95
TAIL = 0.025  # on either side
RESAMPLES = 10_000  # for a mean or a median


def interval(resampled: np.ndarray) -> tuple[float, float]:
    """Return the 95 % interval of a number from its values in every resample, shape (B,).

    With fewer than 39 resamples the interval is minus to plus infinity.

    Examples
    --------
    >>> interval(np.arange(1, 1001))
    (25.0, 976.0)
    """
    inside = int((len(resampled) + 1) * TAIL)
    if not inside:
        return -np.inf, np.inf
    ordered = np.sort(resampled)
    return float(ordered[inside - 1]), float(ordered[-inside])


def chance_below(resampled: np.ndarray, bound: float) -> float:
    """Return the two-sided p-value of the claim that a number lies below a bound.

    It is twice the share of resamples that do not lie below the bound. The number itself counts as
    one of them, so that the p-value is never 0.
    """
    return chance_true(np.asarray(resampled) < bound)


def chance_above(resampled: np.ndarray, bound: float) -> float:
    """Return the two-sided p-value of lying above a bound; see `chance_below`."""
    return chance_true(np.asarray(resampled) > bound)


def chance_true(agrees: np.ndarray) -> float:
    """Return the two-sided p-value of a claim from its truth (bool) in each resample.

    See `chance_below`.

    >>> chance_true(np.ones(999, dtype=bool)), chance_true(np.arange(999) >= 24)
    (0.002, 0.05)
    """
    against = int(np.count_nonzero(~np.asarray(agrees, dtype=bool)))
    return min(1.0, 2 * (against + 1) / (len(agrees) + 1))


def holm(chances: np.ndarray) -> np.ndarray:
    """Adjust p-values so that at most 5 % of families contain a false positive at the 5 % level.

    The smallest of m is multiplied by m, the next by m - 1 and so on; none falls below the previous
    one or exceeds 1. The p-values may depend on each other in any way. Source: Holm, A simple
    sequentially rejective multiple test procedure (1979).
    """
    chances = np.asarray(chances, dtype=float)
    order = np.argsort(chances, kind="stable")
    steps = chances[order] * np.arange(len(chances), 0, -1)
    adjusted = np.empty_like(chances)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def block_length(count: int) -> int:
    """Return how many neighboring windows are drawn together: the cube root of their number.

    Windows of one run depend on their neighbors, because each begins with the queue that the
    previous one left. Source: Hall, Horowitz and Jing, On blocking rules for the bootstrap with
    dependent data (1995).

    >>> [block_length(count) for count in (1, 3, 4, 15, 16, 43)]
    [1, 1, 2, 2, 3, 4]
    """
    length: int = max(1, round(count ** (1 / 3)))
    return length


def resampled_places(
    count: int, resamples: int, stream: np.random.Generator, block: int = 1
) -> np.ndarray:
    """Draw places with replacement, one by one or as blocks of neighbors.

    The result is int64, shape (resamples, count). Blocks are for values that depend on their
    neighbors. The first place follows the last, so that every place has the same probability. The
    last block is truncated. Source: Politis and Romano, A circular block-resampling procedure for
    stationary data (1992).
    """
    first = stream.integers(0, count, (resamples, -(-count // block)))
    places = (first[:, :, None] + np.arange(block)) % count
    return places.reshape(resamples, -1)[:, :count]


def resampled_shares(count: int, stream: np.random.Generator) -> np.ndarray:
    """Return the share of each of `count` windows in their mean, then in resampled means.

    The result has shape (1 + `RESAMPLES`, count); blocks of neighboring windows are drawn together.
    """
    places = resampled_places(count, RESAMPLES, stream, block_length(count))
    drawn = [np.bincount(row, minlength=count) for row in places]
    return np.vstack([np.ones(count), *drawn]) / count


def ratios_of_means(values: np.ndarray, shares: np.ndarray, reference: int = 0) -> np.ndarray:
    """Return the ratio of the mean of each column to that of a reference column.

    Values have a row per window, `shares` are from `resampled_shares`: the first row of the result
    is of the windows themselves. It is nan or infinite where the mean of the reference is 0.
    """
    means = shares @ values
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: np.ndarray = means / means[:, [reference]]
    return ratios


def joint_chance(values: np.ndarray, resampled: np.ndarray) -> float:
    """Return the probability that numbers of one cause are jointly as extreme as these.

    The tail of a number among drawn ones is two-sided, see `tails`. The statistic is Fisher's: -2
    times the sum of the logarithms of the tails. Its distribution comes from the drawn rows, each
    compared with the others, which accounts for the dependence of the numbers.

    The numbers have shape (k,), the drawn rows (n, k), both float64. The result is the share of
    rows whose statistic is at least that of `values`, which counts as a row; nan for fewer than two
    rows.

    Two numbers that are always equal are as extreme as one of them, in 2 of 40 rows:

    >>> one = np.arange(39.0)
    >>> joint_chance(np.array([-1.0, -1.0]), np.stack([one, one], axis=1))
    0.025
    """
    if len(resampled) < 2:
        return float("nan")
    observed = -2 * sum(np.log(tail(*pair)) for pair in zip(values, resampled.T, strict=True))
    statistics = -2 * np.log(np.stack([tails(column) for column in resampled.T], axis=1)).sum(
        axis=1
    )
    return (int(np.count_nonzero(statistics >= observed - 1e-9)) + 1) / (len(resampled) + 1)


def tail(value: float, sample: np.ndarray) -> float:
    """Return the two-sided tail of a number among others.

    It is twice the smaller share of numbers at or beyond it on one side, and at most 1. The number
    itself counts in that share.

    With nine others, the number lies outside all of them, or in their middle.

    >>> tail(0.5, np.arange(1, 10)), tail(5, np.arange(1, 10))
    (0.2, 1.0)
    """
    beyond = min(np.count_nonzero(sample <= value), np.count_nonzero(sample >= value))
    return min(1.0, 2 * (int(beyond) + 1) / (len(sample) + 1))


def tails(values: np.ndarray) -> np.ndarray:
    """Return the `tail` of each number among all others.

    >>> tails(np.array([3.0, 1.0, 2.0])).tolist()
    [0.6666666666666666, 0.6666666666666666, 1.0]
    """
    ordered = np.sort(values)
    at_most = np.searchsorted(ordered, values, side="right") - 1
    at_least = len(values) - np.searchsorted(ordered, values, side="left") - 1
    return np.minimum(1.0, 2 * (np.minimum(at_most, at_least) + 1) / len(values))


def mean_interval(
    values: np.ndarray, stream: np.random.Generator, block: int = 1
) -> tuple[float, float]:
    """Return the 95 % interval of the mean of some values, by resampling with replacement.

    There is at least one value; with only one the interval is minus to plus infinity. `block`
    neighbors are drawn together, see `resampled_places`.

    Examples
    --------
    >>> mean_interval(np.array([2.0, 2.0]), np.random.default_rng(1))
    (2.0, 2.0)
    """
    if len(values) == 1:
        return -np.inf, np.inf
    places = resampled_places(len(values), RESAMPLES, stream, block)
    return interval(np.asarray(values)[places].mean(1))


def median_interval(
    values: np.ndarray, stream: np.random.Generator, block: int = 1
) -> tuple[float, float]:
    """Return the 95 % interval of the median of all values, by resampling whole rows.

    Values have shape (n, ...), at least one row; with only one the interval is minus to plus
    infinity. `stream` and `block` are as for `mean_interval`.

    >>> median_interval(np.array([[1.0, 2.0, 3.0]] * 3), np.random.default_rng(1))
    (2.0, 2.0)
    """
    if len(values) == 1:
        return -np.inf, np.inf
    places = resampled_places(len(values), RESAMPLES, stream, block)
    return interval(np.array([np.median(values[rows]) for rows in places]))
