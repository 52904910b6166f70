"""Beyond souza2020: what a pool of allocations changes, against each strategy and reading."""

from __future__ import annotations

from typing import Annotated

import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import COLORS, GREY, legend_below, titled
from schedlab.report.items import From, item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import read_stages, systems_of
from schedlab.studies.souza2020.figures.beyond import with_finding
from schedlab.studies.souza2020.inputs import LARGE, Rows, Stages
from schedlab.studies.souza2020.tables.pools import (
    CORE_HOURS,
    LESS,
    MAKESPAN,
    MORE,
    OPEN,
    WORST,
    headline,
    pooled_runs,
    pools,
    summary,
)
from schedlab.waits.pool_submission import POOL

#: color and marker of a result, and its name in the legend
RESULTS = {
    LESS: (COLORS["better"], "o", "significantly less with the pool"),
    MORE: (COLORS["worse"], "s", "significantly more"),
    OPEN: (GREY, "D", "no significant change"),
}
AXES = {MAKESPAN: "makespan", CORE_HOURS: "core-hours"}


@item("beyond_pool", kind="table figure text", section="Beyond the paper", **LARGE)
def show_pools(
    stages: Stages,
    pooled: Annotated[
        pd.DataFrame, From(lambda study, _: study.results_of("table1", "pools"), read_stages)
    ],
    rows: Rows,
) -> tuple[Table, Picture, str]:
    """Compare a pool of allocations with the strategies at the same instants."""
    table = pools(pooled_runs(stages, pooled), systems_of(rows))
    title = "One pool over several allocations"
    return with_finding(table, headline(table), draw_pools, title, rows, 1)


def draw_pools(table: pd.DataFrame, title: str) -> Figure:
    """Draw the change of makespan and core-hours with the pool, with intervals."""
    changed = table[table["strategy"] != POOL]
    systems = list(dict.fromkeys(changed["system"]))
    with titled(
        1.5 + 1.9 * len(systems),
        summary(table),
        title,
    ) as figure:
        grid = figure.subplots(len(systems), len(AXES), squeeze=False, sharey="row")
        for row, system in zip(grid, systems, strict=True):
            own = changed[changed["system"] == system].reset_index(drop=True)
            for axes, (column, label) in zip(row, AXES.items(), strict=True):
                for result, (color, marker, _) in RESULTS.items():
                    some = own[own[f"{column} result"] == result]
                    ends = some[f"{column} low"], some[f"{column} high"]
                    axes.hlines(some.index, *ends, color=color, lw=2)
                    axes.plot(some[column], some.index, marker, color=color, ms=5)
                if column == MAKESPAN:
                    axes.plot(own[WORST], own.index, "|", color="black", ms=8, mew=1.2)
                axes.axvline(0, color="black", lw=0.8)
                axes.set_xlabel(f"change of {label} with the pool (%)")
                axes.set_title(system, loc="left", fontsize=9)
            row[0].set_yticks(range(len(own)), own["strategy"])
            row[0].tick_params(axis="y", labelsize=7)
            row[0].invert_yaxis()
        for color, marker, label in RESULTS.values():
            grid[0, 0].plot([], [], marker, color=color, ms=5, label=label)
        grid[0, 0].plot([], [], "|", color="black", ms=8, mew=1.2, label="worst instant")
        legend_below(figure, grid[0, 0])
    return figure
