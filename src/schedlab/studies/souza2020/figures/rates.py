"""Beyond souza2020: compare Algorithm 1 under two kinds of learning rates."""

from collections.abc import Mapping
from typing import Annotated

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import COLORS, GREY, legend_below, titled
from schedlab.report.items import Item, item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, by_workflow, systems_of
from schedlab.studies.souza2020.figures.beyond import with_finding
from schedlab.studies.souza2020.figures.findings import moved
from schedlab.studies.souza2020.inputs import (
    LARGE,
    Facts,
    Games,
    Learning,
    Series,
    Stages,
    rows_of,
    setting,
)
from schedlab.studies.souza2020.tables.accuracy import of_submissions
from schedlab.studies.souza2020.tables.rates import (
    FIGURE5,
    TABLE1,
    TABLE2,
    THEOREM,
    headline,
    of_figure,
    of_games,
    of_runs,
    of_series,
)
from schedlab.waits.backtest_predictors import ASA, FALLING

#: column, color, marker and label of each learner, and of their difference
LEARNERS = (
    (ASA, COLORS[ASA], "o", "rates as configured"),
    (FALLING, COLORS[FALLING], "D", "falling rates"),
)
CHANGE = (("change", GREY, "s", "change"),)
#: panels, by rows: item, metric (all if none), what is drawn, title and axis
PANELS = (
    (FIGURE5, None, LEARNERS, "Figure 5: hits of first and last iterations", "runs (%)"),
    (THEOREM, None, LEARNERS, "Theorem 1: regret within the bound", "runs (%)"),
    (TABLE1, "TWT", CHANGE, "Table 1: waiting with falling rates", "change of TWT (s)"),
    (TABLE1, "CH", CHANGE, "Table 1: core-hours with falling rates", "change (h)"),
    (TABLE2, "hit", LEARNERS, "Table 2: predictions not above the wait", "hits (%)"),
    (TABLE2, "closest", LEARNERS, "Table 2: predictions closest to the wait", "closest (%)"),
)
#: inches of the upper panels for each of their rows, and of all other panels together
EACH, REST = 0.24, 6.0


@item(
    Item("beyond_rates", "table figure text"), "beyond_rates_runs",
    section="Beyond the paper", **LARGE,
)  # fmt: skip
def show_rates(
    stages: Stages,
    series: Series,
    played: Games,
    learning: Learning,
    of_fig5: Annotated[Mapping[str, int], setting("convergence")],
    rows: Annotated[Facts, rows_of("table1", "table2")],
) -> dict[str, Table | tuple[Table, Picture, str]]:
    """Compare Algorithm 1 with falling rates with the configured ones."""
    systems = systems_of(rows)
    runs, submitted = by_workflow(stages), of_submissions(series, learning.alternatives)
    table = _concatenate(
        of_figure(learning, **of_fig5),
        of_games(played),
        of_runs(runs, systems),
        of_series(submitted, systems),
    )
    by_run = _concatenate(of_runs(runs), of_series(submitted))
    finding = headline(table, played, list(dict.fromkeys(systems.values())))
    title = "Algorithm 1 with falling rates"
    return {
        "beyond_rates": with_finding(table, finding, draw_rates, title, rows),
        "beyond_rates_runs": Table(by_run, facts={"on": background_of(rows)}),
    }


def _concatenate(*parts: pd.DataFrame) -> pd.DataFrame:
    """Concatenate tables, and skip those without rows: their column types are undefined."""
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else parts[0]


def draw_rates(table: pd.DataFrame, title: str) -> Figure:
    """Draw the results of both learners and their differences, with intervals."""
    upper = EACH * table["item"].isin((FIGURE5, THEOREM)).sum()
    with titled(
        upper + REST, moved(table, "change", "Falling rates change numbers"), title
    ) as figure:
        grid = figure.subplots(3, 2, height_ratios=(upper, REST / 2, REST / 2))
        for axes, (item, measure, series, name, unit) in zip(grid.flat, PANELS, strict=True):
            item_rows = table[table["item"] == item]
            item_rows = item_rows if measure is None else item_rows[item_rows["measure"] == measure]
            _draw(axes, item_rows.reset_index(drop=True), series)
            axes.set_title(name.replace(": ", ":\n"), loc="left", fontsize=8)
            axes.set_xlabel(unit)
        legend_below(figure, grid[0, 0])
    return figure


def _draw(axes: Axes, table: pd.DataFrame, series: tuple[tuple[str, str, str, str], ...]) -> None:
    for number, (column, color, marker, label) in enumerate(series):
        places = table.index + 0.3 * (number - (len(series) - 1) / 2)
        axes.hlines(places, table[f"{column} low"], table[f"{column} high"], color=color, lw=2)
        axes.plot(table[column], places, marker, color=color, ms=5, label=label)
    if series is CHANGE:
        axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(range(len(table)), [_label_of(one) for _, one in table.iterrows()])
    axes.tick_params(axis="y", labelsize=7)
    axes.invert_yaxis()


def _label_of(row: pd.Series) -> str:
    if row["item"] == FIGURE5:
        return f"{row['where']}, {row['measure']}"
    if row["item"] == THEOREM:
        return f"{row['where']}, {row['what']}, {row['measure']}"
    return f"{row['where']}, {row['what']}"
