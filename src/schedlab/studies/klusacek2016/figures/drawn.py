"""Select the data of each figure of whole logs, and draw it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.items import item
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016 import figure_data
from schedlab.studies.klusacek2016.evidence import Evidence, read_evidence
from schedlab.studies.klusacek2016.figures.fairness import draw_complaints, draw_fairness
from schedlab.studies.klusacek2016.figures.performance import draw_bars, draw_classes, draw_waits
from schedlab.studies.klusacek2016.inputs import NodeJobs, NodeRows, NodeStarts
from schedlab.studies.klusacek2016.metrics import PLAN

#: a figure, and the data that it draws
Drawn = tuple[Figure, pd.DataFrame]


@item(
    "fig1", "fig2", "fig3", "fig6", "fig7", "fig8",
    kind="figure", section="Whole logs", rule="draw_plans", apart=True,
)  # fmt: skip
def draw_plans(item: str, rows: NodeRows, jobs: NodeJobs, starts: NodeStarts) -> Picture:
    """Draw both schedulers on a whole log."""
    return Picture(*drawn(item, read_evidence(rows, jobs, starts)))


def title_of(evidence: Evidence) -> str:
    """Return a title: log, label, number of jobs and seeds."""
    seeds = len(evidence.runs[PLAN])
    return (
        f"{evidence.row['workload']}, {evidence.row['label']}, {len(evidence):,} jobs, "
        f"{seeds} seeds of Plan-RS"
    )


def fig1(logs: Sequence[Evidence]) -> Drawn:
    """Draw utilization, wait and slowdown, with recorded and with reacting users."""
    table = figure_data.bars(logs, ["utilisation", "wait", "slowdown"])
    return draw_bars(table, f"{logs[0].row['workload']}; ±: standard deviation of jobs"), table


def fig2(logs: Sequence[Evidence]) -> Drawn:
    """Draw the mean wait by processors and by requested time."""
    table = figure_data.by_class(logs[0])
    return draw_classes(table, title_of(logs[0])), table


def together(**panels: pd.DataFrame) -> pd.DataFrame:
    """Return the tables of several panels in one table, with a column that names the panel."""
    return pd.concat([table.assign(panel=name) for name, table in panels.items()])


def fairness(evidence: Evidence) -> Drawn:
    """Draw normalized user wait times."""
    table, users = figure_data.bars([evidence], ["nuwt"]), figure_data.by_user(evidence, "nuwt")
    shares = figure_data.cumulative(evidence, "nuwt")
    data = together(mean=table, users=users, shares=shares)
    title = f"{title_of(evidence)}; ±: standard deviation of users"
    return draw_fairness(table, users, shares, title), data


def fig6(logs: Sequence[Evidence]) -> Drawn:
    """Draw wait and slowdown of reacting users, and the distribution of waits."""
    table = figure_data.bars([logs[1]], ["wait", "slowdown"])
    shares = figure_data.cumulative(logs[1], "wait")
    title = f"{title_of(logs[1])}; ±: standard deviation of jobs"
    return draw_waits(table, shares, title), together(means=table, shares=shares)


def fig8(logs: Sequence[Evidence]) -> Drawn:
    """Draw the tolerance of users, and the number and size of their complaints."""
    users, sizes = figure_data.by_user(logs[1], "complaints"), figure_data.complaint_sizes(logs[1])
    tolerance = figure_data.tolerance()
    title = f"{title_of(logs[1])}; last panel: the first of them"
    data = together(tolerance=tolerance, users=users, sizes=sizes)
    return draw_complaints(tolerance, users, sizes, title), data


#: how to draw each figure from the experiments with recorded and with reacting users, by node
FIGURES: dict[str, Callable[[Sequence[Evidence]], Drawn]] = {
    "fig1": fig1,
    "fig2": fig2,
    "fig3": lambda logs: fairness(logs[0]),
    "fig6": fig6,
    "fig7": lambda logs: fairness(logs[1]),
    "fig8": fig8,
}


def drawn(figure: str, logs: Sequence[Evidence]) -> Drawn:
    """Draw a figure; if a log is not available, draw a note without numbers."""
    if not all(map(len, logs)):
        return log_not_available(logs[0].row["source"]), pd.DataFrame({"log": [NOT_AVAILABLE]})
    return FIGURES[figure](logs)
