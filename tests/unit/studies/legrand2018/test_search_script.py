"""What the script of the searches for weights asks of each search."""

import runpy

import numpy as np
import pandas as pd
import pytest

from schedlab.files.io import read_parquet, write_parquet
from schedlab.studies.legrand2018 import search

SETTINGS = {"evaluations": 8, "penalty": 1.0, "population": 4, "sigma": 0.5}
SCALES = [2.0, 3.0, 4.0]


@pytest.fixture
def searched(root, tmp_path, monkeypatch):
    """Return a function that runs the script, and the scales and settings of its searches."""
    asked = []

    def search_weights(jobs, processors, scales, threshold, features, settings, *_):
        asked.append((scales.tolist(), settings))
        return pd.DataFrame({"piece": [1], "value": [float(len(asked))]})

    monkeypatch.setattr(search, "search_weights", search_weights)
    job = runpy.run_path(str(root / "workflow/scripts/legrand2018/search_weights.py"))
    job = job["search_weights"]
    monkeypatch.setitem(job.__globals__, "read_periods", lambda *_: {})
    write_parquet(pd.DataFrame({"deviation": SCALES}), tmp_path / "scales")

    def go(**more):
        path = str(tmp_path / "found")
        job("", str(tmp_path / "scales"), [1], 4, None, 10, SETTINGS, ["test"], 1, "", path, **more)
        return read_parquet(path), asked

    return go


def test_a_search_has_the_configured_settings(searched):
    found, asked = searched()
    assert list(found) == ["piece", "value"]
    assert asked == [(SCALES, search.SearchSettings(**SETTINGS))]


def test_variations_change_one_setting_each_after_a_search_without_scaling(searched):
    found, asked = searched(variations={"sigma": [1.0, 2.0], "population": [6]})
    assert found["setting"].tolist() == ["scaling", "sigma", "sigma", "population"]
    assert found["changed_to"].tolist() == ["none", "1.0", "2.0", "6"]
    assert found["value"].tolist() == [1, 2, 3, 4]
    changes = ({}, {"sigma": 1.0}, {"sigma": 2.0}, {"population": 6})
    scales = [np.ones(3).tolist(), SCALES, SCALES, SCALES]
    settings = [search.SearchSettings(**SETTINGS | changed) for changed in changes]
    assert asked == list(zip(scales, settings, strict=True))
