"""Words that several figures have above them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def most_often(best: pd.Series) -> tuple[str, int]:
    """Return what stands most often in a column, all of those that stand equally often, and how.

    Parameters
    ----------
    best : Series of str
        At least one.
    """
    counts = best.value_counts(sort=False)
    most = int(counts.max())
    return " and ".join(counts.index[counts == most]), most
