"""Phrases shared by the titles of figures."""

import pandas as pd
import pytest

from schedlab.report.words import most_often


@pytest.mark.parametrize(
    ("best", "told"),
    [(["F1"], ("F1", 1)), (["F2", "F1", "F1"], ("F1", 2)), (["F2", "F1"], ("F2 and F1", 1))],
)
def test_all_equally_frequent_names_are_listed(best, told):
    assert most_often(pd.Series(best)) == told
