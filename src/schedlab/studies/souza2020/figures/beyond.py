"""Beyond souza2020: compare estimators of waits."""

import logging
from collections.abc import Callable

import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import COLORS, titled
from schedlab.report.items import item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, by_workflow, systems_of
from schedlab.studies.souza2020.figures.findings import moved
from schedlab.studies.souza2020.inputs import LARGE, Facts, Rows, Stages
from schedlab.studies.souza2020.sheet import PERFECT
from schedlab.studies.souza2020.tables.predictors import headline, predictors
from schedlab.waits.backtest_predictors import ASA, FALLING

WITHOUT = "no estimates"
NAMES = {"-": WITHOUT, ASA: "Algorithm 1", FALLING: "Algorithm 1, falling rates"}
MARKERS = {"Big Job": "s", "Per-Stage": "X", "ASA": "o", "ASA Naive": "^", "All at once": "P"}
METRICS = ("makespan (%)", "core-hours (%)")


@item("beyond_predictors", kind="table figure text", section="Beyond the paper", **LARGE)
def show_predictors(stages: Stages, rows: Rows) -> tuple[Table, Picture, str]:
    """Compare the strategies with other wait predictors."""
    table = predictors(by_workflow(stages), systems_of(rows))
    title = "Strategies with other predictors of waits"
    return with_finding(table, headline(table), draw_predictors, title, rows)


def with_finding(
    table: pd.DataFrame,
    finding: str,
    draw: Callable[[pd.DataFrame, str], Figure],
    title: str,
    rows: Facts,
    digits: int = 2,
) -> tuple[Table, Picture, str]:
    """Return a table with the sentence of what it shows, its figure, and the sentence."""
    on = background_of(rows)
    logging.info(finding)
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    figure = empty or draw(table, f"{title}. {on}")
    return Table(table, digits, {"on": on}, finding), Picture(figure), finding


def draw_predictors(table: pd.DataFrame, title: str) -> Figure:
    """Draw the change of makespan and of core-hours compared with Per-Stage, with intervals."""
    systems = list(dict.fromkeys(table["system"]))
    changed = table[table["strategy"] != "Per-Stage"]
    with titled(
        1.6 + 2.1 * len(systems),
        moved(
            changed[changed["estimator"] != PERFECT],
            "makespan (%)",
            "Makespans against Per-Stage",
        ),
        title,
    ) as figure:
        grid = figure.subplots(len(systems), len(METRICS), squeeze=False, sharey="row")
        for row, system in zip(grid, systems, strict=True):
            system_rows = changed[changed["system"] == system].reset_index(drop=True)
            for axes, measure in zip(row, METRICS, strict=True):
                for place, entry in system_rows.iterrows():
                    estimator = entry["estimator"]
                    color = COLORS[WITHOUT if estimator == "-" else estimator]
                    ends = [entry[f"{measure} low"], entry[f"{measure} high"]]
                    axes.plot(ends, [place, place], color=color, lw=2)
                    axes.plot(entry[measure], place, MARKERS[entry["strategy"]], color=color, ms=5)
                axes.axvline(0, color="black", lw=0.8)
                axes.set_xlabel(f"{measure.removesuffix(' (%)')}, against Per-Stage (%)")
                axes.set_title(system, loc="left", fontsize=9)
            row[0].set_yticks(
                range(len(system_rows)), [_label_of(one) for _, one in system_rows.iterrows()]
            )
            row[0].tick_params(axis="y", labelsize=7)
            row[0].invert_yaxis()
    return figure


def _label_of(row: pd.Series) -> str:
    if row["estimator"] == "-":
        return row["strategy"]
    return f"{row['strategy']}: {NAMES.get(row['estimator'], row['estimator'])}"
