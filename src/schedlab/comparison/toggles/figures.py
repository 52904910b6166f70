"""Output of toggles: numbers, table, sentence, and a figure with a dot per number."""

import logging
import textwrap
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from schedlab.comparison.toggles.effects import ratios, summary
from schedlab.comparison.toggles.rows import STANCES
from schedlab.comparison.toggles.sentences import WORDS, facts_of
from schedlab.files.io import write_parquet
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import BLUE, COLORS, GREEN, GREY, titled
from schedlab.report.parts import Table, write_items
from schedlab.report.words import filled

logger = logging.getLogger(__name__)

DECIMALS = {"kendall": 3, "factor": 3}
ROW, AROUND = 0.34, 1.9  # inches
SPREAD = 0.24  # share of a row over which its dots are spread
SHADES = (BLUE, GREEN, GREY)  # of what a text states on a choice


def draw_toggles(table: pd.DataFrame, changes: pd.DataFrame, title: str) -> Figure:
    """Draw the ratio of every number to its value in the unchanged row, choice by choice.

    The figure has a row per toggle, in the order of the table; on its right, how many numbers keep
    their published digits, if any has them.
    """
    with titled(AROUND + ROW * len(table), title) as figure:
        axes = figure.subplots()
        colors = dict(zip(STANCES, SHADES, strict=True))
        for place, row in enumerate(table.itertuples()):
            group = changes[changes["toggle"] == row.toggle]
            _draw_row(axes, place, (group["value"] / group["base"]).to_numpy(), colors[row.says])
            if row.matching:
                axes.annotate(f"{row.kept} of {row.matching}", (1.01, place), va="center", size=7.5,
                              xycoords=("axes fraction", "data"))  # fmt: skip
        _finish(axes, table)
        marks = [
            Line2D([], [], color=colors[says], marker="o", linestyle="", label=label)
            for says, label in STANCES.items()
            if says in set(table["says"])
        ]
        median = Line2D([], [], color=COLORS["median"], marker="|", markersize=11, linestyle="",
                        markeredgewidth=2, label="median")  # fmt: skip
        figure.legend(handles=[*marks, median], loc="outside lower left", ncols=2)
    return figure


def _draw_row(axes: Axes, place: int, ratios: np.ndarray, color: str) -> None:
    """Draw a choice: its numbers, spread vertically, and their median."""
    order = np.argsort(ratios, kind="stable")
    heights = place + SPREAD * (np.arange(len(ratios)) % 5 - 2) / 2
    axes.plot(ratios[order], heights, "o", color=color, markersize=3, alpha=0.55,
              markeredgewidth=0)  # fmt: skip
    axes.plot(
        [np.median(ratios)], [place], "|", color=COLORS["median"], markersize=15, markeredgewidth=2
    )


def _finish(axes: Axes, table: pd.DataFrame) -> None:
    """Set up the axes: a logarithmic ratio, a line at 1, and the names of the choices."""
    axes.axvline(1, color="#4a4a4a", linewidth=0.8, zorder=0)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.8), max(high, 1.25))
    low, high = axes.get_xlim()
    decades = np.log10(high / low)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 3 else (1,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"× {x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(True, axis="x")
    axes.grid(False, axis="y")
    axes.set_yticks(range(len(table)), [textwrap.fill(label, 38) for label in table["words"]])
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.set_xlabel("number with the choice changed / number as configured")
    if table["matching"].any():
        axes.set_title("published digits kept", loc="right", size=7.5, weight="normal")


def write_toggles(changes: pd.DataFrame, numbers: str, outputs: Mapping[str, str]) -> None:
    """Write all files of a paper's toggles: the items toggles and fig_toggles, and ``moved``.

    Without changes the files state that no data was available. `numbers` is the name of the
    numbers, such as ``Table 4``.
    """
    write_parquet(changes, outputs["moved"])
    table = summary(changes)
    logger.info("%d toggles, %d numbers", len(table), len(changes))
    facts = facts_of(table, numbers)
    facts |= {"answer": filled(WORDS["answer"], facts)}
    words = {"title": WORDS["heading"], "note": WORDS["note"]}
    figure = (
        draw_toggles(table, changes, facts["title"]) if len(table) else log_not_available(numbers)
    )
    answered = (Table(table, DECIMALS, facts), facts["answer"])
    drawn = Picture(figure, ratios(changes))
    write_items({"toggles": answered, "fig_toggles": drawn}, outputs, words={"toggles": words})
