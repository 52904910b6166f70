"""Figures of a site's report."""

from itertools import pairwise

import pandas as pd
import pytest
from matplotlib.figure import Figure

from schedlab.studies.site.figures import _dots, draw_workload


@pytest.mark.parametrize(
    ("low", "high"),
    [(0.8, 3.1), (0.3, 1.06), (0.45, 1.02), (0.975, 1.05), (0.3, 1.6), (1.0, 1.0), (0.01, 400.0)],
)
def test_labels_of_a_scale_of_factors_do_not_overlap(low, high):
    figure = Figure(figsize=(2.4, 2))
    axes = figure.subplots()
    found = pd.DataFrame([(low, low, low), (high, high, high)], columns=["value", "low", "high"])
    _dots(axes, found, ["black", "black"])
    figure.canvas.draw()
    labels = sorted(
        (label.get_window_extent() for label in axes.get_xticklabels()), key=lambda box: box.x0
    )
    assert "1" in [label.get_text() for label in axes.get_xticklabels()]
    assert all(one.x1 < other.x0 for one, other in pairwise(labels))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.6, 1.9, ["0.7", "1", "1.5"]),
        (0.9, 1.3, ["0.9", "1", "1.25"]),
        (0.3, 4, ["0.3", "1", "3"]),
    ],
)
def test_ticks_of_ratios_are_round_numbers_on_both_sides_of_one(low, high, ticks):
    axes = Figure().subplots()
    ends = pd.DataFrame([(low, low, low), (high, high, high)], columns=["value", "low", "high"])
    _dots(axes, ends, ["black", "black"])
    labels = {round(text.get_position()[0], 6): text.get_text() for text in axes.get_xticklabels()}
    assert set(ticks) <= set(labels.values())
    assert all(place == float(text) for place, text in labels.items())


def test_workload_has_no_faults():
    share = [0.0, 30.0, 70.0, 100.0]
    draw_workload(
        pd.DataFrame({"processors": ["1", "2–4"], "jobs %": [60, 40], "core_hours %": [30, 70]}),
        pd.DataFrame({"per cent of jobs": share, "run time": [1, 60, 3600, 90_000],
                      "estimate": [60, 600, 7200, 90_000], "wait": [1, 1, 2, 30_000]}),
        pd.DataFrame({"from %": [0, 50, 95], "jobs %": [50, 20, 30]}),
        pd.DataFrame({"week": [1, 2, 3], "load %": [80, 90, 70]}),
    )  # fmt: skip
