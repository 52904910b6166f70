"""The one calibration: what is printed, and which load is kept."""

import numpy as np
import pandas as pd
import pytest

from schedlab.papers.souza2020.calibration import COLUMNS, best, collected, target
from schedlab.papers.souza2020.sheet import read
from schedlab.report.comparison import read_published


def tried(*waits):
    rows = [(step, 1 + step / 10, wait, 100.0, 5) for step, wait in enumerate(waits, start=1)]
    return pd.DataFrame(rows, columns=COLUMNS)


def test_targets_are_means_of_what_is_printed(root):
    path = root / "resources/souza2020/published.tsv"
    waits = target(read_published(path, "table1"), "table1", (28, 56, 112))
    assert waits == (150 + 206 + 452 + 70 + 133 + 165 + 52 + 96 + 124) / 9
    hours = target(read_published(path, "table2"), "table2", (28, 56, 112))
    assert hours == pytest.approx(3600)


def test_the_nearest_load_is_best_and_the_first_of_several():
    assert best(tried(80, 121, 300)) == 1.1
    assert best(tried(79, 120, 80)) == 1.2
    assert np.isnan(best(tried()))


def test_searches_stand_beside_what_is_kept():
    found = collected({"a": 1.1, "b": 2.0}, [tried(80), tried(90, 100)])
    assert found["experiment"].tolist() == ["a", "b", "b"]
    assert found["kept"].tolist() == [1.1, 2.0, 2.0]
    assert found["found"].tolist() == [1.1, 1.2, 1.2]


def test_the_sheet_has_100_replicates_of_the_54_runs(root):
    rows = read(
        root / "config/experiments/souza2020.tsv", root / "workflow/schemas/souza2020.schema.yaml"
    )
    own = [row for row in rows if row.item == "table1"]
    assert sum(3 * 3 * len(row.cores) for row in own) == 54
    assert all(row.replicates >= 100 for row in own)
