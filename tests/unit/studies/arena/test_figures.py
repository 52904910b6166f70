"""The arena's figures and the notes below them."""

import pandas as pd
import pytest

from schedlab.comparison.schedulers import labels_of
from schedlab.comparison.standing import compare_by_metric
from schedlab.core.metrics import METRICS
from schedlab.studies.arena.figures import draw_guards, draw_ranks, ranks_drawn, unranked
from schedlab.studies.arena.guards import GUARDED


def ratios_with(**logs):
    """Ratios to EASY by scheduler and log."""
    rows = [
        {"experiment": log, "scheduler": name, "window": window, "jobs": 3}
        | dict.fromkeys(METRICS, value * factor)
        for log, own in logs.items()
        for name, factor in own.items()
        for window, value in enumerate([2.0, 4.0, 3.0], start=1)
    ]
    return compare_by_metric(pd.DataFrame(rows), "wait")


PARTLY = {"a": {"fcfs": 1.0, "saf": 0.5, "easy_pp": 0.4}, "b": {"fcfs": 1.0, "saf": 0.5}}


def test_schedulers_without_a_rank_are_named_below_the_plot():
    found = ratios_with(**PARTLY)
    assert unranked(found) == ["EASY++"]
    (axes,) = draw_ranks(found, ranks_drawn(found)).axes
    assert "not ranked (not run on every log): EASY++" in axes.get_xlabel()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["SAF", "EASY"]


def test_no_scheduler_is_named_below_the_plot_if_all_are_ranked():
    found = ratios_with(a=PARTLY["a"])
    (axes,) = draw_ranks(found, ranks_drawn(found)).axes
    assert "not ranked" not in axes.get_xlabel()


def test_ranks_are_from_the_first_to_the_last():
    """Bars of three windows are longer than all ranks together."""
    found = ratios_with(a=PARTLY["a"])
    (axes,) = draw_ranks(found, ranks_drawn(found)).axes
    assert axes.get_xlim() == pytest.approx((0.5, 3.5))


@pytest.mark.slow
def test_each_guarded_scheduler_has_a_panel_with_both_guards():
    rows = [
        {"scheduler": label, "guard": guard, "days": days, "wait": 0.8, "bsld": 0.7}
        | {"p999_wait": 1.0, "max_wait": 1.1, "worst_max_wait": 1.5}
        for label in labels_of(list(GUARDED)).values()
        for guard, days in (("none", None), ("threshold", 2.0), ("age", 0.5))
    ]
    figure = draw_guards(pd.DataFrame(rows))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == list(labels_of(list(GUARDED)).values())
    assert all(len(axes.lines) == 7 for axes in figure.axes)
