"""Draw figures 4 and 5: accepted moves over time, and planning times."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import BLUE, GREEN, GREY, ORANGE, titled
from schedlab.report.items import item
from schedlab.studies.klusacek2016.inputs import Moves, NodeRows


def improved(moves: pd.DataFrame) -> str:
    """Return how many accepted moves shorten waits and how many are fairer: wait, fairness > 0."""
    wait, fairness = (100 * (moves[name] > 0).mean() for name in ("wait", "fairness"))
    return f"{wait:.0f} % of the accepted moves shorten waits, {fairness:.0f} % are fairer"


def takes(costs: pd.DataFrame) -> str:
    """Return how long planning takes: medians of backfill, update and iteration (µs)."""
    job, plan, step = (costs[name].median() for name in ("backfill", "update", "iteration"))
    return (
        f"Median times: {job:,.3g} µs to plan a job, {plan:,.3g} µs to update the plan, "
        f"{step:,.2g} µs for an iteration of the search"
    )


DAY = 86_400
#: largest change on the axis in percent, as in the paper, and the share of changes that the axis
#: must show; it ends earlier if 99.5 % of the changes are smaller
CROPPED, SHOWN = 6, 0.995
CRITERIA = {"wait": ("wait", BLUE), "fairness": ("fairness", GREEN)}
COSTS = {
    "backfill": ("planning a new job", BLUE),
    "update": ("updating the plan", GREEN),
    "both": ("both", ORANGE),
    "iteration": ("one iteration of the search", GREY),
}


@item("fig4", kind="figure", section="The search", rule="draw_moves")
def fig4(moves: Moves, rows: NodeRows) -> Picture:
    """Draw the changes by accepted moves over time, in one run of the first row."""
    first = rows[0]
    accepted = moves[["time", "wait", "slowdown", "fairness"]]
    setting = f"{first['workload']}, {first['label']}, one seed: {len(accepted):,} accepted moves"
    figure = draw_moves(accepted, setting) if len(accepted) else log_not_available(first["source"])
    return Picture(figure, accepted.astype({"time": "int64"}))


def draw_moves(moves: pd.DataFrame, title: str) -> Figure:
    """Draw the relative change that each accepted move made; figure 4."""
    with titled(3.8, improved(moves), title) as figure:
        first = moves["time"].min()
        for axes, (column, (label, color)) in zip(
            figure.subplots(2, 1, sharex=True), CRITERIA.items(), strict=True
        ):
            change = 100 * moves[column]
            crop = min(CROPPED, 1.1 * change.abs().quantile(SHOWN)) or CROPPED
            inside = change.abs() <= crop
            axes.plot((moves["time"] - first)[inside] / DAY, change[inside], "o", ms=2, mew=0,
                      color=color, alpha=0.35, rasterized=True)  # fmt: skip
            axes.axhline(0, color="black", linewidth=0.8)
            axes.set_ylim(-crop, crop)
            axes.set_ylabel(f"improvement\nof {label} (%)")
            beyond = np.count_nonzero(~inside)
            axes.set_title(f"{beyond:,} of {len(moves):,} are not shown", loc="right", fontsize=7.5,
                           fontweight="normal")  # fmt: skip
        axes.set_xlabel("days since the first accepted move")
    return figure


def draw_costs(costs: pd.DataFrame, title: str) -> Figure:
    """Draw the time of each routine by the number of jobs in the plan; figure 5."""
    with titled(4.6, takes(costs), title) as figure:
        panels = figure.subplots(2, 2, sharex=True, sharey=True)
        for axes, (column, (label, color)) in zip(panels.flat, COSTS.items(), strict=True):
            axes.plot(costs["jobs"], costs[column], "o", ms=3, mew=0, color=color, alpha=0.6)
            axes.set_title(label)
            axes.set(xscale="log", yscale="log")
        for axes in panels[-1]:
            axes.set_xlabel("jobs in the plan")
        for axes in panels[:, 0]:
            axes.set_ylabel("µs")
    return figure
