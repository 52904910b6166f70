"""Draw the figure beyond klusacek2016: the gain of searches by the number of iterations."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import GREY, QUIET, colors_of, legend_below, titled
from schedlab.report.items import From, Item, item
from schedlab.report.parts import Data, Table, Words
from schedlab.report.words import as_list, filled
from schedlab.studies.klusacek2016 import beyond
from schedlab.studies.klusacek2016.beyond import NO_PLANS
from schedlab.studies.klusacek2016.inputs import (
    SEARCHED,
    Facts,
    Frames,
    facts_of_budgets,
    given,
    results_of,
)
from schedlab.studies.klusacek2016.searches import PLAIN, RULES
from schedlab.studies.klusacek2016.tables import searches
from schedlab.studies.klusacek2016.tables import searches as compare


def reached(budget: pd.DataFrame, paper_budget: int) -> str:
    """Return the share of the longest search's gain that the paper's budget reaches."""
    at_budget = budget[budget["iterations"] == paper_budget].dropna(subset="share")
    if at_budget.empty:
        return ""
    parts = [f"{row.share:.0f} % (plans {row.plans})" for row in at_budget.itertuples()]
    longest = budget["iterations"].max()
    return (
        f"{paper_budget:,} iterations of Random Search reach {' and '.join(parts)} of the "
        f"estimated gain with {longest:,}"
    )


COLORS = colors_of(RULES)
#: factor between the x positions of rules, so that their intervals do not overlap
APART = 1.1
#: what a panel of shares states if the longest search has no gain
NO_GAIN = "Random Search\nhas no gain here"
DIGITS = dict.fromkeys((*compare.GAIN, *compare.DIFFERENCE, "fairness"), 4) | {"p": 3}


@item(
    Item("beyond_search", "table figure text"), Item("beyond_search_curves", "data"),
    "beyond_budget", "beyond_waits", section="Beyond the paper",
)  # fmt: skip
def show_searches(
    gains: Annotated[pd.DataFrame, From(lambda study, _: study.results("searches", [SEARCHED])[0])],
    paper_budget: Annotated[int, given(lambda study: study.row(SEARCHED).iterations)],
    label: Annotated[
        str, given(lambda study: f"{study.row(SEARCHED).workload}, {study.row(SEARCHED).label}")
    ],
    rows: Annotated[Facts, given(facts_of_budgets)],
    runs: Annotated[Frames, results_of("periods", "budgets", read=read_parquet)],
    names: Annotated[Mapping[str, str], given(lambda study: study.names)],
    words: Words,
) -> dict[str, Table | Data | tuple[Table, Picture, str]]:
    """Compare Random Search with other searches; `paper_budget` is in iterations."""
    compared, budget = compare.compare_searches(gains), compare.by_budget(gains)
    rules = compare.by_rule(compared, paper_budget)
    waits = searches.realized_metrics(rows, runs)
    known = beyond.facts_of(rules, budget, paper_budget)
    known["waits"] = compare.waits_of(waits, names)
    said = filled(words["beyond_search"]["sentence"], known)
    facts = {"on": f"{label}: {beyond.kept_of(gains)}", "worth": compare.WORTH}
    title = f"Random Search and other searches ({label})"
    figure = draw_searches(compared, budget, paper_budget, title)
    return {
        "beyond_search": (Table(rules, DIGITS, facts, as_list(said)), Picture(figure), said),
        "beyond_search_curves": Data(compared),
        "beyond_budget": Table(budget, DIGITS, facts),
        "beyond_waits": Table(waits, 3),
    }


def draw_searches(
    table: pd.DataFrame, budget: pd.DataFrame, paper_budget: int, note: str
) -> Figure:
    """Draw gain by rule, difference to Random Search, and share of the longest search's gain."""
    kinds = list(dict.fromkeys(budget["plans"]))
    with titled(0.9 + 2.7 * max(len(kinds), 1), reached(budget, paper_budget), note) as figure:
        if not kinds:
            figure.text(0.5, 0.5, NO_PLANS, ha="center", color=GREY, fontsize=9)
            return figure
        for row, kind in zip(figure.subplots(len(kinds), 3, sharex=True), kinds, strict=True):
            kind_rows = table[table["plans"] == kind]
            _gains(row[0], kind_rows)
            _differences(row[1], kind_rows)
            _shares(row[2], budget[budget["plans"] == kind])
            row[0].set_title(f"{kind_rows['kept'].iloc[0]} plans {kind}")
            for axes in row:
                axes.set_xscale("log")
                axes.xaxis.set_major_locator(LogLocator(10, numticks=9))
                axes.xaxis.set_minor_locator(NullLocator())
                axes.xaxis.set_major_formatter(_thousands)
                axes.axvline(
                    paper_budget, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=0.5
                )
                axes.set_xlabel("iterations")
                axes.tick_params(labelbottom=True)
            row[2].annotate(f"{paper_budget:,} iterations", (paper_budget, 0), (-4, 5),
                            color="#444444", textcoords="offset points", fontsize=7,
                            ha="right")  # fmt: skip
        legend_below(figure, row[0], 4)
    return figure


def _thousands(value: float, _: int) -> str:
    """Write thousands as k, so that five decades fit below a narrow panel."""
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"


def _gains(axes: Axes, table: pd.DataFrame) -> None:
    for rule, mine in table.groupby("rule", sort=False):
        axes.plot(mine["iterations"], mine["gain"], "o-", ms=3, lw=1.4, color=COLORS[rule],
                  label=rule, zorder=3 if rule == PLAIN else 2)  # fmt: skip
    _band(axes, table[table["rule"] == PLAIN], "gain")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("gain (0.01: 1 % less wait)")


def _differences(axes: Axes, table: pd.DataFrame) -> None:
    compared = [rule for rule in RULES if rule != PLAIN]
    for place, rule in enumerate(compared):
        mine = table[table["rule"] == rule]
        where = mine["iterations"] * APART ** (place - (len(compared) - 1) / 2)
        ends = mine[["difference_low", "difference_high"]].replace([-np.inf, np.inf], np.nan)
        axes.vlines(where, *ends.to_numpy().T, color=COLORS[rule], linewidth=1.2)
        axes.plot(where, mine["difference"], "o", ms=4, mew=0, color=COLORS[rule])
    axes.axhline(0, color=COLORS[PLAIN], linewidth=1.4, zorder=1)
    axes.set_ylabel("gain minus Random Search's")


def _shares(axes: Axes, budget: pd.DataFrame) -> None:
    axes.plot(budget["iterations"], budget["share"], "o-", ms=3, lw=1.4, color=COLORS[PLAIN])
    _band(axes, budget, "share")
    if not np.isfinite(budget["share"].astype(float)).any():
        axes.text(0.5, 0.5, NO_GAIN, transform=axes.transAxes, ha="center", color=QUIET, size=7.5,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})  # fmt: skip
    axes.set_ylim(0, 105)
    axes.set_ylabel(f"% of the gain with {budget['iterations'].max():,}")


def _band(axes: Axes, table: pd.DataFrame, name: str) -> None:
    """Fill an interval; infinite intervals are left out."""
    ends = table[[f"{name}_low", f"{name}_high"]].replace([-np.inf, np.inf], np.nan)
    axes.fill_between(table["iterations"], *ends.to_numpy().T, color=COLORS[PLAIN], alpha=0.15,
                      linewidth=0)  # fmt: skip
