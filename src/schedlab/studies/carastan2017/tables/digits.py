"""Numbers that a .csv would cut to six decimals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd


def in_digits(frame: pd.DataFrame, formats: Mapping[str, str]) -> pd.DataFrame:
    """Turn small numbers into text, for .csv files that would cut them to six decimals.

    Parameters
    ----------
    frame : DataFrame
        Any.
    formats : mapping of str to str
        Format by column, such as ``.9f``; columns that `frame` has not, and cells that are no
        floats, are left alone.
    """
    texts = {
        column: [format(x, how) if isinstance(x, float) else x for x in frame[column]]
        for column, how in formats.items()
        if column in frame
    }
    return frame.assign(**texts)
