"""Figures of whole logs: which numbers each of them shows, and of which experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.missing import not_at_hand
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.studies.klusacek2016 import curves
from schedlab.studies.klusacek2016.figures.fairness import draw_complaints, draw_fairness
from schedlab.studies.klusacek2016.figures.performance import draw_bars, draw_classes, draw_waits
from schedlab.studies.klusacek2016.measures import PLAN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.studies.klusacek2016.evidence import Evidence

#: a figure, and what it draws
Drawn = tuple[Figure, pd.DataFrame]


def title_of(one: Evidence) -> str:
    """Say what was run."""
    seeds = len(one.runs[PLAN])
    return f"{one.row['source']}, {one.row['label']}, {len(one):,} jobs, {seeds} seeds of Plan-RS"


def fig1(logs: Sequence[Evidence]) -> Drawn:
    """Utilisation, wait and slowdown, with recorded users and with users that react."""
    table = curves.bars(logs, ["utilisation", "wait", "slowdown"])
    return draw_bars(table, f"{logs[0].row['source']}; whiskers: standard deviation of jobs"), table


def fig2(logs: Sequence[Evidence]) -> Drawn:
    """Mean wait by processors and by requested time."""
    table = curves.by_class(logs[0])
    return draw_classes(table, title_of(logs[0])), table


def together(**panels: pd.DataFrame) -> pd.DataFrame:
    """Return the tables of several panels below each other, with a column that names these."""
    return pd.concat([table.assign(panel=name) for name, table in panels.items()])


def fairness(one: Evidence) -> Drawn:
    """Normalized user wait times."""
    table, users = curves.bars([one], ["nuwt"]), curves.by_user(one, "nuwt")
    shares = curves.cumulative(one, "nuwt")
    drawn = together(mean=table, users=users, shares=shares)
    return draw_fairness(table, users, shares, title_of(one)), drawn


def fig6(logs: Sequence[Evidence]) -> Drawn:
    """Wait and slowdown of users that react, and the distribution of waits."""
    table = curves.bars([logs[1]], ["wait", "slowdown"])
    shares = curves.cumulative(logs[1], "wait")
    title = f"{title_of(logs[1])}; whiskers: standard deviation over the seeds"
    return draw_waits(table, shares, title), together(means=table, shares=shares)


def fig8(logs: Sequence[Evidence]) -> Drawn:
    """What users put up with, and how often and how much they complain."""
    users, sizes = curves.by_user(logs[1], "complaints"), curves.complaint_sizes(logs[1])
    patience = curves.patience()
    title = f"{title_of(logs[1])}; right: the first of them"
    drawn = together(patience=patience, users=users, sizes=sizes)
    return draw_complaints(patience, users, sizes, title), drawn


#: from the experiments with recorded users and with users that react, by node
FIGURES: dict[str, Callable[[Sequence[Evidence]], Drawn]] = {
    "fig1": fig1,
    "fig2": fig2,
    "fig3": lambda logs: fairness(logs[0]),
    "fig6": fig6,
    "fig7": lambda logs: fairness(logs[1]),
    "fig8": fig8,
}


def drawn(figure: str, logs: Sequence[Evidence]) -> Drawn:
    """Draw a figure; of a log that is not at hand it says so, and draws no numbers."""
    if not all(map(len, logs)):
        return not_at_hand(logs[0].row["source"]), pd.DataFrame({"log": [NOT_AT_HAND]})
    return FIGURES[figure](logs)
