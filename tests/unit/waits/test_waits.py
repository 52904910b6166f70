"""The title of the figure of predictors."""

import pandas as pd
import pytest

from schedlab.waits.backtest_predictors import ASA, LAST
from schedlab.waits.figures import NAMES, least_error


@pytest.mark.parametrize(("error", "best"), [(0.9, NAMES[ASA]), (1.1, LAST)])
def test_the_least_error_is_named_by_log(error, best):
    rows = [("EASY", "A", ASA, error), ("EASY", "A", LAST, 1.0)]
    table = pd.DataFrame(rows, columns=["waits", "log", "estimator", "error"])
    assert least_error(table) == f"Least error: {best} on 1 of 1 logs (EASY)"


def test_least_error_of_a_site_uses_the_common_sample():
    """By the jobs that all predictors were asked about, and not by all jobs of each."""
    rows = [("EASY", "A", ASA, 0.9, 3.0), ("EASY", "A", LAST, 1.0, 2.0)]
    columns = ["waits", "log", "estimator", "error", "on sample"]
    table = pd.DataFrame(rows, columns=columns)
    assert least_error(table, "on sample") == f"Least error: {LAST} on 1 of 1 logs (EASY)"
