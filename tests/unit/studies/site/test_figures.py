"""Figures of a site's report."""

from itertools import pairwise

import pandas as pd
import pytest
from matplotlib.figure import Figure

from schedlab.studies.site.figures import _dots


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
