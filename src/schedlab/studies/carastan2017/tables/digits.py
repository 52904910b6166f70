"""Format small numbers for .csv files with more than six decimals."""

from collections.abc import Mapping

import pandas as pd


def in_digits(frame: pd.DataFrame, formats: Mapping[str, str]) -> pd.DataFrame:
    """Format small numbers as text, because a .csv file would round them to six decimals.

    A format is such as ``.9f``. Missing columns are skipped; cells that are not floats stay.
    """
    texts = {
        column: [format(x, how) if isinstance(x, float) else x for x in frame[column]]
        for column, how in formats.items()
        if column in frame
    }
    return frame.assign(**texts)
