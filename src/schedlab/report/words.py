"""Parts of sentences: lists, counts, intervals and most frequent values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd


def joined(words: Iterable[str]) -> str:
    """Join words with commas and a final "and".

    Examples
    --------
    >>> joined(["a", "b", "c"]), joined(["a"]), joined([])
    ('a, b and c', 'a', 'none')
    """
    *first, last = list(words) or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def number_of(count: int, word: str) -> str:
    """Return a count with its noun, in the plural unless the count is 1.

    Examples
    --------
    >>> number_of(1, "window"), number_of(0, "window")
    ('1 window', '0 windows')
    """
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def between(low: float, high: float, form: str = ".2f") -> str:
    """Return where an interval begins and ends; an empty text if there is none.

    Examples
    --------
    >>> between(0.5, 1), between(-1, 2.25, "+.1f"), between(float("nan"), 1)
    ('0.50 to 1.00', '-1.0 to +2.2', '')
    """
    return f"{low:{form}} to {high:{form}}" if np.isfinite(low) else ""


def most_often(best: pd.Series) -> tuple[str, int]:
    """Return the most frequent values of a column, as `joined`, and their count.

    The column has at least one value.
    """
    counts = best.value_counts(sort=False)
    most = int(counts.max())
    return joined(counts.index[counts == most]), most


def as_sentences(parts: Iterable[str]) -> str:
    """Return each part as a sentence: with a capital letter and a full stop.

    Examples
    --------
    >>> as_sentences(["SAF wins", "the rest is indistinguishable"])
    'SAF wins. The rest is indistinguishable.'
    """
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def shown_name(name: str) -> str:
    """Return the name of a column as pages write it: with spaces, in American spelling.

    Examples
    --------
    >>> shown_name("mean_utilisation")
    'mean utilization'
    """
    return american(name).replace("_", " ")


def american(key: str) -> str:
    """Return a key of a table in American spelling, which some published tables do not have."""
    return key.replace("utilisation", "utilization")
