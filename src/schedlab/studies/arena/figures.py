"""Figures of the arena: a critical-difference plot per metric, and the effect of guards."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from schedlab.comparison.schedulers import GUARD, REFERENCE, labels_of
from schedlab.core.metrics import METRICS
from schedlab.core.splitting import DAY
from schedlab.policies.pure import AGEING
from schedlab.report.figures.style import BLUE, GREEN, GREY, ORANGE, house_style

if TYPE_CHECKING:
    from schedlab.comparison.standing import Standing

#: guards of the arena's registered schedulers, in days
CHOSEN = {"threshold": GUARD / DAY, "age": AGEING / DAY}
#: margin before the first rank and after the last
EDGE = 0.5


def ranks_drawn(standing: Standing) -> pd.DataFrame:
    """Return the name, scheduler, rank, low and high of a critical-difference plot, best first.

    Schedulers differ significantly if the low end of one lies above the high end of the other.
    """
    ranks = standing.ranks.sort_values(kind="stable")
    labels = labels_of(list(ranks.index))
    half = standing.difference / 2
    return pd.DataFrame(
        {
            "name": ranks.index,
            "scheduler": [labels[name] for name in ranks.index],
            "rank": ranks.to_numpy(),
            "low": ranks.to_numpy() - half,
            "high": ranks.to_numpy() + half,
        }
    )


def unranked(standing: Standing) -> list[str]:
    """Return the labels of schedulers that have results but no rank, because they lack some log."""
    names = [name for name in standing.means.index if name not in standing.ranks.index]
    return list(labels_of(names).values())


def draw_ranks(standing: Standing, ranks: pd.DataFrame) -> Figure:
    """Draw mean ranks with bars of the critical difference; disjoint bars differ significantly."""
    metric = METRICS[standing.metric]
    # schedulers whose bars do not overlap with the best one's
    significant = ranks["low"] > ranks["high"].iloc[0]
    with house_style():
        figure = Figure(figsize=(7.2, 1.3 + 0.2 * len(ranks)), layout="constrained")
        axes = figure.subplots()
        axes.axvspan(ranks["low"].iloc[0], ranks["high"].iloc[0], color=BLUE, alpha=0.08, lw=0)
        for place, row in ranks.iterrows():
            color = GREY if significant[place] else BLUE
            color = "black" if row["name"] == REFERENCE else color
            axes.plot([row["low"], row["high"]], [place, place], color=color, lw=2, alpha=0.6)
            axes.plot(row["rank"], place, "o", color=color, ms=4.5)
        axes.set_yticks(range(len(ranks)), ranks["scheduler"])
        axes.tick_params(axis="y", labelsize=8)
        axes.set_ylim(len(ranks) - 0.4, -0.6)
        # bars may reach beyond the first and the last rank; the axis does not show that part
        axes.set_xlim(1 - EDGE, len(ranks) + EDGE)
        legend = (
            f"mean rank over {standing.blocks} windows, 1 the best; bars: critical difference "
            f"{standing.difference:.1f} (Nemenyi, 5 %)"
        )
        if missing := unranked(standing):
            note = textwrap.fill(f"not ranked (not run on every log): {', '.join(missing)}", 100)
            legend = f"{legend}\n{note}"
        axes.set_xlabel(legend)
        chance = standing.friedman
        test = "" if pd.isna(chance) else f", Friedman p {_chance(chance)}"
        axes.set_title(f"{metric.label}{test}", loc="left", fontsize=10, weight="bold")
    return figure


def _chance(chance: float) -> str:
    return "< 0.001" if chance < 0.001 else f"= {chance:.3f}"


def draw_guards(guards: pd.DataFrame) -> Figure:
    """Draw the gain that guards preserve against their effect on the longest wait.

    The table is from `guards.guards_table`.
    """
    with house_style():
        figure = Figure(figsize=(7.0, 5.4), layout="constrained")
        grid = figure.subplots(2, 4, sharex=True, sharey=True).ravel()
        for axes, (label, scheduler_rows) in zip(
            grid, guards.groupby("scheduler", sort=False), strict=False
        ):
            bare = scheduler_rows[scheduler_rows["guard"] == "none"].iloc[0]
            for guard, color in (("threshold", BLUE), ("age", GREEN)):
                part = scheduler_rows[scheduler_rows["guard"] == guard]
                axes.plot(part["worst_max_wait"], part["wait"], "o-", color=color, ms=3, lw=1)
                chosen = part[part["days"] == CHOSEN[guard]]
                axes.plot(chosen["worst_max_wait"], chosen["wait"], "o", color=color, ms=6.5)
            axes.plot(bare["worst_max_wait"], bare["wait"], "s", color=ORANGE, ms=5)
            axes.axvline(3, color="black", lw=0.8, ls=":")
            axes.axhline(1, color="black", lw=0.8)
            axes.set_title(label, fontsize=9)
            axes.set_xscale("log")
            axes.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
            axes.minorticks_off()
            axes.tick_params(labelsize=7.5)
        handles = [
            Line2D([], [], marker="s", ls="", color=ORANGE, label="no guard"),
            Line2D([], [], marker="o", color=BLUE, label="first after some days (large: 2 d)"),
            Line2D([], [], marker="o", color=GREEN, label="age in the score (large: 12 h)"),
        ]
        figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)
        figure.supxlabel("longest wait, times EASY's, on the log where it is worst", fontsize=8.5)
        figure.supylabel("mean wait, times EASY's, over all logs", fontsize=8.5)
    return figure
