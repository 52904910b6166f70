"""What is said of a published number beside ours: each word with the sentence that defines it.

These are the only rules; every paper's comparison calls them and every page shows the sentences.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

import numpy as np
import pandas as pd

from schedlab.core.markers import NOT_AT_HAND

MATCH = "match"
EXPLAINED, UNEXPLAINED = "explained", "unexplained"
CONSISTENT = "consistent"
ORDERING_HOLDS = "ordering holds"
DIFFERS = "differs"
DEFINITIONS = {
    MATCH: ("ours has the printed digits, rounded or cut at the last of them; a formula its form"),
    CONSISTENT: (
        "it has not, but the printed value comes from workloads that are not published, lies in "
        "the 95 % interval, given beside it, of such values over as many of ours or has the sign "
        "of ours, and a joint test of all printed values of one cause, given beside it, does not "
        "reject them"
    ),
    ORDERING_HOLDS: (
        "neither, but the row or column of policies that it stands in ranks all of them as "
        "printed: Kendall’s τ, given beside it, is 1; not said of facts, which rank nothing"
    ),
    DIFFERS: "none of these, with the reason where one is known; others are counted as unexplained",
    NOT_AT_HAND: "was not run on the paper’s own data, and is not held against it",
}
VERDICTS = tuple(DEFINITIONS)
#: a joint probability of printed values below this rejects what was run
REJECTED = 0.05
#: a verdict with whether the reason of a difference is known, from the best to none at all
GRADES = {
    MATCH: MATCH,
    CONSISTENT: CONSISTENT,
    ORDERING_HOLDS: ORDERING_HOLDS,
    EXPLAINED: "differs, explained",
    UNEXPLAINED: "differs, unexplained",
    NOT_AT_HAND: NOT_AT_HAND,
}
#: how a number came about, in the words of the ACM's badges
REPRODUCED, REPLICATED = "reproduced", "replicated"
KINDS = {
    REPRODUCED: (
        "computed from the authors’ own data or programs: the logs, workloads, seeds, measurements "
        "or printed numbers that the published value comes from"
    ),
    REPLICATED: (
        "computed from what the text says, on workloads drawn anew or on data of the same kind"
    ),
}


def verdict_of(equal: bool, holds: bool = False, inside: bool = False) -> str:
    """Return the verdict on a number that was run on the paper's data.

    Parameters
    ----------
    equal : bool
        What `agrees` says.
    holds : bool, optional
        What `same_order` says of the policies of its row or column; a number that stands in no
        such row has no order to hold.
    inside : bool, optional
        What `in_interval` says, where the printed value is of workloads that are not published.
    """
    if equal:
        return MATCH
    if inside:
        return CONSISTENT
    return ORDERING_HOLDS if holds else DIFFERS


def grade_of(verdict: str, explained: bool) -> str:
    """Return which of `GRADES` a number has.

    Examples
    --------
    >>> grade_of("differs", True), grade_of("differs", False), grade_of("match", False)
    ('explained', 'unexplained', 'match')
    """
    if verdict != DIFFERS:
        return verdict
    return EXPLAINED if explained else UNEXPLAINED


def meaning_of(grade: str) -> str:
    """Say what a grade means; of a difference, whether its reason is known."""
    if grade in DEFINITIONS:
        return DEFINITIONS[grade]
    known = "is known, and bound to the number" if grade == EXPLAINED else "is not known"
    return f"none of the above; what makes the difference {known}"


def is_worse(grade: str, than: str) -> bool:
    """Whether a grade is worse than another; one without its log is neither better nor worse.

    Examples
    --------
    >>> is_worse("explained", "match"), is_worse("match", "explained")
    (True, False)
    """
    if NOT_AT_HAND in (grade, than):
        return False
    order = list(GRADES)
    return order.index(grade) > order.index(than)


def agrees(printed: str, ours: float) -> bool:
    """Whether `ours` has the printed digits, rounded or cut at the last of them.

    A half may be rounded either way.

    Examples
    --------
    >>> agrees("3630.66", 3630.6678), agrees("3630.67", 3630.6678), agrees("3630.65", 3630.6678)
    (True, True, False)
    """
    published = Decimal(printed)
    decimals = -published.as_tuple().exponent
    half = Decimal(5).scaleb(-decimals - 1)
    return truncate(ours, decimals) == published or abs(_exact(ours) - published) <= half


def truncate(value: float, decimals: int) -> Decimal:
    """Cut `value` to `decimals` digits after the point, without rounding.

    Examples
    --------
    >>> truncate(3630.6678, 2)
    Decimal('3630.66')
    """
    return _exact(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_DOWN)


def _exact(value: float) -> Decimal:
    """Take nine decimals of a number: a sum short of a digit by floating point alone keeps it."""
    return Decimal(f"{value:.9f}")


def in_interval(printed: str, low: float, high: float) -> bool:
    """Whether a number that is printed so, rounded, can lie between `low` and `high`.

    An interval without ends, of which nothing is known, has no number inside.

    Examples
    --------
    >>> in_interval("23.6", 23.64, 24.0), in_interval("23.6", 23.66, 24.0)
    (True, False)
    """
    if not (np.isfinite(low) and np.isfinite(high)):
        return False
    value = float(printed)
    half = 0.5 * 10.0 ** Decimal(printed).as_tuple().exponent
    return bool(low - half <= value <= high + half)


def same_order(published: pd.Series, ours: pd.Series) -> bool:
    """Whether a row or column of policies ranks them as printed, ties with ties."""
    return bool(np.array_equal(_ranks(published), _ranks(ours)))


def _ranks(values: pd.Series) -> pd.Series:
    """Rank numbers that are as good as equal alike."""
    return pd.Series(values.to_numpy(float)).round(9).rank()


def kendall(published: pd.Series, ours: pd.Series) -> float:
    """Kendall's tau-b of a row or column of policies with the printed one, to four digits."""
    return round(_ranks(published).corr(_ranks(ours), method="kendall"), 4)


def told() -> str:
    """Say what every word means, for the note below a table."""
    return " ".join(f"{word}: {meaning}." for word, meaning in DEFINITIONS.items())
