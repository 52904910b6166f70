"""Curves: figure 5, theorem 1 and the calibration."""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.claims import outcomes
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import (
    BLUE,
    COLORS,
    GREY,
    PUBLISHED,
    PURPLE,
    colors_of,
    legend_below,
    titled,
)
from schedlab.report.items import Item, item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.calibration import REALISED, collect_searches
from schedlab.studies.souza2020.convergence import convergence, steps
from schedlab.studies.souza2020.evidence import background_of, join_values, realized_wait
from schedlab.studies.souza2020.inputs import LARGE, Facts, Learning, results_of, rows_of, setting
from schedlab.studies.souza2020.theorem import coverage_of_bound, outcomes_of_games, theorem
from schedlab.waits.backtest_predictors import ASA, FALLING

# Number of iterations at the end of a curve that count as late.
LATE = 20


def late_hits(curves: pd.DataFrame) -> str:
    """Return a sentence with each policy's late share of hits: columns policy, case and hit."""
    late = curves[curves["case"] > curves["case"].max() - LATE]
    shares = 100 * late.groupby("policy", sort=False)["hit"].mean()
    return f"Hit rate of the last {LATE} estimates: {join_values(shares, '{:.0f} %')}"


def bounds(kept: pd.DataFrame) -> str:
    """Return in how many games the bound holds, from `theorem.coverage_of_bound`."""
    return f"Bound of theorem 1: {outcomes(outcomes_of_games(kept), 'games')}"


def reached(searches: pd.DataFrame) -> str:
    """Return how many backgrounds reach the published wait, from `calibration.collect_searches`."""
    verdicts = searches.drop_duplicates("experiment")["printed wait"]
    return (
        f"{(verdicts == 'reached').sum()} of {len(verdicts)} backgrounds reach the published wait"
    )


POLICIES = colors_of(("Greedy", "default", "tuned"))
BOUNDS = ("--", ":", "-.")
LEARNERS = {ASA: "as configured", FALLING: "falling rates"}


@item(Item("fig5", "figure"), "fig5_steps", section="The learner", rule="draw_convergence")
def fig5(
    learning: Learning,
    cases: Annotated[int, setting("convergence", "cases")],
    runs: Annotated[int, setting("convergence", "runs")],
) -> dict[str, Table | Picture]:
    """Draw estimates of a changing wait under three policies, and count the hits of each."""
    curves = convergence(learning, cases, runs)
    title = f"Estimates of a wait that changes, {runs} runs of each policy"
    return {
        "fig5": Picture(draw_convergence(curves, title), curves),
        "fig5_steps": Table(steps(curves, runs)),
    }


@item(Item("theorem1", "figure"), "theorem1_kept", section="The learner", rule="draw_theorem")
def theorem1(
    learning: Learning, options: Annotated[Mapping[str, Any], setting("theorem")]
) -> dict[str, Table | Picture]:
    """Draw regret compared with its bound, and count how often the bound holds."""
    curves, runs = theorem(learning, **options), options["runs"]
    title = f"Regret of Algorithm 1 and the bound of theorem 1, {runs} runs of each game"
    coverage = coverage_of_bound(curves, runs)
    return {
        "theorem1": Picture(draw_theorem(curves, coverage, title), curves),
        "theorem1_kept": Table(coverage),
    }


@item("calibration", kind="figure table", section="Background", rule="draw_calibration", **LARGE)
def calibration(
    tried: Annotated[list[pd.DataFrame], results_of("calibration", "table1", "table2")],
    runs: Annotated[list[pd.DataFrame], results_of("stages", "table1")],
    series: Annotated[list[pd.DataFrame], results_of("series", "table2")],
    rows: Annotated[Facts, rows_of("table1", "table2")],
) -> tuple[Table, Picture]:
    """Draw the loads that were tried."""
    realised_loads = [
        {"experiment": row["label"], "kept": row["load"]}
        | dict(zip(REALISED, realized_wait(row["item"], ran), strict=True))
        for row, ran in zip(rows, runs + series, strict=True)
    ]
    table = collect_searches(realised_loads, tried)
    title = f"Load of the background. {background_of(rows)}"
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    return Table(table, 4), Picture(empty or draw_calibration(table, title))


def draw_convergence(curves: pd.DataFrame, title: str) -> Figure:
    """Draw a panel of estimates for each policy of `convergence`, and one of the hits of all."""
    with titled(6.2, late_hits(curves), title) as figure:
        *panels, hits = figure.subplots(len(POLICIES) + 1, 1, sharex=True)
        for axes, (policy, color) in zip(panels, POLICIES.items(), strict=True):
            curve = curves[curves["policy"] == policy]
            axes.fill_between(curve["case"], curve["low"], curve["high"], color=color, alpha=0.35,
                              lw=0, label="half of the runs")  # fmt: skip
            axes.plot(curve["case"], curve["median"], color=color, lw=1, label="their median")
            axes.plot(curve["case"], curve["wait"], "--", color=BLUE, lw=1.2, label="true wait")
            axes.set(yscale="log", ylabel="wait (s)")
            axes.set_title(policy, loc="left", fontsize=9)
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=7)
            smooth = curve["hit"].rolling(20, min_periods=1).mean()
            hits.plot(curve["case"], 100 * smooth, color=color, label=policy)
        hits.set(xlabel="iteration", ylabel="runs that hit (%)", ylim=(-3, 103))
        hits.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=7)
    return figure


def draw_theorem(curves: pd.DataFrame, kept: pd.DataFrame, title: str) -> Figure:
    """Draw `theorem.theorem`: a row for each kind of losses, a column for each m.

    Lines are mean regrets and bounds over runs; a band contains 95 % of the runs.
    """
    kinds = list(dict.fromkeys(curves["losses"]))
    counts = list(dict.fromkeys(curves["alternatives"]))
    deltas = list(dict.fromkeys(curves["delta"]))
    with titled(1.7 * len(kinds) + 1.1, bounds(kept), title) as figure:
        grid = figure.subplots(len(kinds), len(counts), sharex=True, squeeze=False)
        for row, kind in zip(grid, kinds, strict=True):
            for axes, count in zip(row, counts, strict=True):
                game = curves[(curves["losses"] == kind) & (curves["alternatives"] == count)]
                for learner, rates in LEARNERS.items():
                    color = COLORS[learner]
                    learner_curves = game[game["learner"] == learner]
                    first = learner_curves[learner_curves["delta"] == deltas[0]]
                    axes.fill_between(first["case"], first["low"], first["high"], color=color,
                                      alpha=0.25, lw=0)  # fmt: skip
                    axes.plot(first["case"], first["regret"], color=color,
                              label=f"regret, {rates}")  # fmt: skip
                    for delta, style in zip(deltas, BOUNDS, strict=False):
                        part = learner_curves[learner_curves["delta"] == delta]
                        axes.plot(part["case"], part["bound"], style, color=color, lw=1.1,
                                  label=f"bound, δ = {delta:g}")  # fmt: skip
                axes.set_title(f"{kind}, m = {count}", loc="left", fontsize=8.5)
        for axes in grid[-1]:
            axes.set_xlabel("case")
        for axes in grid[:, 0]:
            axes.set_ylabel("regret")
        legend_below(figure, grid[0, 0], len(LEARNERS) + 1)
    return figure


def draw_calibration(searches: pd.DataFrame, title: str) -> Figure:
    """Draw median wait against load of `collect_searches`, a panel per calibrated background."""
    names = list(dict.fromkeys(searches["experiment"]))
    with titled(3.0, reached(searches), title) as figure:
        panels = figure.subplots(1, len(names), squeeze=False)[0]
        for axes, name in zip(panels, names, strict=True):
            search = searches[searches["experiment"] == name].sort_values("load")
            axes.plot(search["load"], search["wait"] / 3600, "o-", ms=4, color=BLUE, label="tried")
            sure = search[np.isfinite(search[["low", "high"]]).all(axis=1)]
            axes.vlines(sure["load"], sure["low"] / 3600, sure["high"] / 3600, color=BLUE, lw=0.8)
            axes.axhline(search["target"].iloc[0] / 3600, color=COLORS[PUBLISHED], ls="--",
                         label=PUBLISHED)  # fmt: skip
            axes.plot(search["kept"].iloc[0], 0.98, "v", ms=6, color=GREY, clip_on=False,
                      transform=axes.get_xaxis_transform(), label="kept load")  # fmt: skip
            run = search.iloc[:1]
            axes.plot(run["kept"], run["realised"] / 3600, "D", ms=5, color=PURPLE,
                      label="wait of the runs")  # fmt: skip
            axes.set_yscale("symlog", linthresh=0.01)
            axes.set(xlabel="load (times the log's)", ylim=(0, None))
            axes.set_title(name.replace(", ", ",\n"), loc="left", fontsize=8)
        panels[0].set_ylabel("median wait of Big Jobs (h)")
        legend_below(figure, panels[0])
    return figure
