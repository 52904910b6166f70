"""Verdicts on published numbers: each word with the sentence that defines it.

These are the only rules: every comparison calls them and every page shows the sentences.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

import numpy as np
import pandas as pd

from schedlab.core.markers import NOT_AVAILABLE

MATCH = "match"
EXPLAINED, UNEXPLAINED = "explained", "unexplained"
CONSISTENT = "consistent"
SAME_RANKING = "same ranking"
DIFFERS = "differs"
DEFINITIONS = {
    MATCH: (
        "the computed value has the published digits, rounded or cut at the last one; a formula "
        "has the published form"
    ),
    CONSISTENT: (
        "the digits differ, and the paper’s workloads are not published. The published value is in "
        "the 95 % interval of values over as many computed workloads, or has the same sign. A "
        "joint test of all published values of one cause does not reject them"
    ),
    SAME_RANKING: (
        "the digits differ, but the row or column ranks all policies as published: Kendall’s τ is "
        "1. Facts, which rank nothing, never have this verdict"
    ),
    DIFFERS: "none of these; a difference without a known reason counts as unexplained",
    NOT_AVAILABLE: "the number did not run on the paper’s own data, so it is not compared",
}
VERDICTS = tuple(DEFINITIONS)
#: a joint probability of published values below this rejects the hypothesis that was run
REJECTED = 0.05
#: grades: verdicts, with whether the reason of a difference is known, best first
GRADES = {
    MATCH: MATCH,
    CONSISTENT: CONSISTENT,
    SAME_RANKING: SAME_RANKING,
    EXPLAINED: "differs, explained",
    UNEXPLAINED: "differs, unexplained",
    NOT_AVAILABLE: NOT_AVAILABLE,
}
#: provenance of a number: how it was computed, in the terms of the ACM badges
REPRODUCED, REPLICATED = "reproduced", "replicated"
COMPUTED = "computed"
#: provenance of a number that no run decides; totals count these apart
ARITHMETIC = "arithmetic on print"
BY_DEFINITION = "true by definition"
BLANK = "blank in the paper"
APART = {
    ARITHMETIC: "numbers that are arithmetic on the paper’s own print",
    BY_DEFINITION: "numbers that are true by definition",
    BLANK: "cells that are blank in the paper",
}
KINDS = {
    REPRODUCED: (
        "computed from the authors’ own data or programs: the logs, workloads, seeds or "
        "measurements that the published value comes from"
    ),
    REPLICATED: (
        "computed from what the text says, on newly drawn workloads or on data of the same kind"
    ),
    ARITHMETIC: (
        "recomputed from other published numbers of the paper, without a run: a match confirms the "
        "paper’s arithmetic"
    ),
    BY_DEFINITION: "the same on every workload: no run can differ from it",
    BLANK: "the paper leaves the cell blank; this only bounds the number",
}


def verdict_of(equal: bool, holds: bool = False, inside: bool = False) -> str:
    """Return the verdict on a number that was run on the paper's data.

    `equal` is the result of `agrees`; `holds` that of `same_order` for the policies of its row or
    column, False without such. `inside` is the result of `in_interval`, if the published value
    comes from workloads that are not published.
    """
    if equal:
        return MATCH
    if inside:
        return CONSISTENT
    return SAME_RANKING if holds else DIFFERS


def grade_of(verdict: str, explained: bool) -> str:
    """Return the grade, of `GRADES`, of a number.

    >>> grade_of("differs", True), grade_of("differs", False), grade_of("match", False)
    ('explained', 'unexplained', 'match')
    """
    if verdict != DIFFERS:
        return verdict
    return EXPLAINED if explained else UNEXPLAINED


def meaning_of(grade: str) -> str:
    """Return what a grade means; for a difference, whether its reason is known."""
    if grade in DEFINITIONS:
        return DEFINITIONS[grade]
    status = "is known, and bound to the number" if grade == EXPLAINED else "is not known"
    return f"none of the above; what makes the difference {status}"


def is_worse(grade: str, than: str) -> bool:
    """Return whether a grade is worse than another; False if a log is not available.

    >>> is_worse("explained", "match"), is_worse("match", "explained")
    (True, False)
    """
    if NOT_AVAILABLE in (grade, than):
        return False
    order = list(GRADES)
    return order.index(grade) > order.index(than)


def is_compared(numbers: pd.DataFrame) -> pd.Series:
    """Return which numbers of a comparison ran on the paper's own data."""
    return numbers["verdict"] != NOT_AVAILABLE


def agrees(printed: str, computed: float) -> bool:
    """Return whether `computed` has the published digits, rounded or truncated at the last of them.

    A half may be rounded either way.

    >>> agrees("3630.66", 3630.6678), agrees("3630.67", 3630.6678), agrees("3630.65", 3630.6678)
    (True, True, False)
    """
    published = Decimal(printed)
    decimals = -published.as_tuple().exponent
    half = Decimal(5).scaleb(-decimals - 1)
    return truncate(computed, decimals) == published or abs(_exact(computed) - published) <= half


def truncate(value: float, decimals: int) -> Decimal:
    """Truncate `value` to `decimals` digits after the point, without rounding.

    >>> truncate(3630.6678, 2)
    Decimal('3630.66')
    """
    return _exact(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_DOWN)


def _exact(value: float) -> Decimal:
    """Round a number to nine decimals, so that floating-point error does not cost a digit."""
    return Decimal(f"{value:.9f}")


def in_interval(printed: str, low: float, high: float) -> bool:
    """Return whether a number that rounds to the published one can lie between `low` and `high`.

    Without finite ends the interval is unknown and contains no number.

    >>> in_interval("23.6", 23.64, 24.0), in_interval("23.6", 23.66, 24.0)
    (True, False)
    """
    if not (np.isfinite(low) and np.isfinite(high)):
        return False
    value = float(printed)
    half = 0.5 * 10.0 ** Decimal(printed).as_tuple().exponent
    return bool(low - half <= value <= high + half)


def same_order(published: pd.Series, computed: pd.Series) -> bool:
    """Return whether a row or column ranks policies as published, ties with ties."""
    return bool(np.array_equal(_ranks(published), _ranks(computed)))


def _ranks(values: pd.Series) -> pd.Series:
    """Rank numbers; those that are almost equal are ties."""
    return pd.Series(values.to_numpy(float)).round(9).rank()


def kendall(published: pd.Series, computed: pd.Series) -> float:
    """Return Kendall's tau-b of a row or column of policies and the published one, to 4 digits."""
    return round(_ranks(published).corr(_ranks(computed), method="kendall"), 4)


def explanation() -> str:
    """Return what every word means, for the note below a table."""
    return " ".join(f"{word}: {meaning}." for word, meaning in DEFINITIONS.items())
