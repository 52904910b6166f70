"""Beyond souza2020: two learners beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from schedlab.figures.style import BLUE, ORANGE, house_style
from schedlab.papers.souza2020.rates import ASA, STEADY
from schedlab.papers.souza2020.tables.rates import FIGURE5, TABLE1, TABLE2, THEOREM

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

LEARNERS = {ASA: (BLUE, "o", "rates as configured"), STEADY: (ORANGE, "D", "rates of 1")}
#: panels, by rows: item, measure (all if none), title and axis
PANELS = (
    (FIGURE5, None, "Figure 5: hits", "runs that hit (%)"),
    (THEOREM, None, "Theorem 1: within the bound", "runs (%)"),
    (TABLE1, "TWT", "Table 1: waiting", "mean TWT (s)"),
    (TABLE1, "makespan", "Table 1: makespan", "mean makespan (s)"),
    (TABLE2, "hit", "Table 2: predictions not above the wait", "hits (%)"),
    (TABLE2, "closest", "Table 2: predictions closest to the wait", "closest (%)"),
)


def draw_rates(table: pd.DataFrame, title: str) -> Figure:
    """Draw what each learner comes to, with intervals.

    Parameters
    ----------
    table : DataFrame
        Rows of systems, from `schedlab.papers.souza2020.tables.rates`.
    title : str
        What was run.
    """
    with house_style():
        figure = Figure(figsize=(10, 10), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", fontsize=10, weight="bold")
        grid = figure.subplots(3, 2, height_ratios=(2, 1, 1))
        for axes, (item, measure, name, unit) in zip(grid.flat, PANELS, strict=True):
            own = table[table["item"] == item]
            own = own if measure is None else own[own["measure"] == measure]
            _draw(axes, own.reset_index(drop=True), measure is None)
            axes.set_title(name, loc="left", fontsize=9)
            axes.set_xlabel(unit)
        handles, labels = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def _draw(axes: Axes, own: pd.DataFrame, with_measure: bool) -> None:
    for shift, (learner, (colour, marker, label)) in zip((-0.15, 0.15), LEARNERS.items(),
                                                         strict=True):  # fmt: skip
        places = own.index + shift
        axes.hlines(places, own[f"{learner} low"], own[f"{learner} high"], color=colour, lw=2)
        axes.plot(own[learner], places, marker, color=colour, ms=5, label=label)
    named = own["where"] + ", " + own["what"]
    if with_measure:
        named += ", " + own["measure"].str.removesuffix(" (%)")
    axes.set_yticks(range(len(own)), named)
    axes.tick_params(axis="y", labelsize=7)
    axes.invert_yaxis()
