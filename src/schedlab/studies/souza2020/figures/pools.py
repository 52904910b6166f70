"""Beyond souza2020: what a pool of allocations changes, against each strategy and reading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from schedlab.core.streams import generator
from schedlab.report.claims import FEWEST
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import COLORS, GREY, legend_below, titled
from schedlab.report.items import From, item
from schedlab.report.parts import Table, Words
from schedlab.report.words import filled
from schedlab.studies.souza2020.evidence import by_workflow, over_instants, read_stages, systems_of
from schedlab.studies.souza2020.figures.beyond import with_finding
from schedlab.studies.souza2020.inputs import LARGE, Rows, Stages
from schedlab.studies.souza2020.pools import POOLS
from schedlab.studies.souza2020.runs import KEYS, OF_RATIOS
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.pool_submission import POOL

MAKESPAN, CORE_HOURS = "makespan (%)", "core-hours (%)"
WORST, WORST_RUN = "worst instant (%)", "worst run"
#: change of the pool, and its column of `pooled_runs`
CHANGES = {MAKESPAN: "makespan", CORE_HOURS: "core_hours"}
#: mean per workflow, and its column of `pooled_runs`
MEANS = {
    "TWT": "twt", "makespan": "makespan", "used": "used_hours", "idle": "idle_hours",
    "resubmitted": "resubmitted", "reruns": "reruns",
}  # fmt: skip
LESS, MORE, OPEN = "less", "more", "no significant change"
#: strategies that the pool is compared with, in their order
COMPARED = tuple(strategy for strategy, _ in OF_RATIOS)


def pooled_runs(stages: pd.DataFrame, pooled: pd.DataFrame) -> pd.DataFrame:
    """Return workflows under every strategy that needs no other predictor, and in pools."""
    known = pd.MultiIndex.from_tuples(OF_RATIOS)
    pairs = pd.MultiIndex.from_frame(stages[["strategy", "estimator"]])
    every = pd.concat([stages[pairs.isin(known)], pooled], ignore_index=True)
    runs = by_workflow(every)
    runs["used_hours"] = runs["core_hours"] - runs["idle_hours"]
    if "reruns" not in every:
        return runs.assign(reruns=0.0)
    reruns = every.groupby([*KEYS, "workflow"], sort=False)["reruns"].sum()
    return runs.assign(reruns=reruns.to_numpy())


def pools(runs: pd.DataFrame, systems: Mapping[int, str]) -> pd.DataFrame:
    """Return a row per system and strategy or reading: its means, and the pool compared with it."""
    frame = runs.assign(system=runs["scale"].map(systems))
    frame["run"] = frame["workflow"] + " " + frame["scale"].astype(str)
    rows = []
    for system, part in frame.groupby("system", sort=False):
        own = part[part["strategy"] == POOL]
        for strategy in (*COMPARED, *POOLS):
            other = part[part["strategy"] == strategy]
            row = {"system": system, "strategy": strategy, "instants": other["replicate"].nunique()}
            row |= {name: other[column].mean() for name, column in MEANS.items()}
            rows.append(row | (_compare(own, other) if strategy != POOL else {}))
    return pd.DataFrame(rows, columns=None if rows else ["system", "strategy"])


def _compare(pool: pd.DataFrame, other: pd.DataFrame) -> dict[str, float | str]:
    row: dict[str, float | str] = {}
    key = (other["system"].iloc[0], other["strategy"].iloc[0])
    for name, column in CHANGES.items():
        pair = [side.groupby("replicate")[column].mean() for side in (pool, other)]
        change = (100 * (pair[0] - pair[1]) / pair[1].mean()).to_numpy(float)
        low, high = over_instants(change, generator(PAPER, "pools", name, *key))
        # an interval that ends at 0 includes no change; few instants have no 95 % interval
        result = LESS if high < 0 else MORE if low > 0 else OPEN
        result = result if len(change) >= FEWEST else OPEN
        row |= {name: change.mean(), f"{name} low": low, f"{name} high": high}
        row[f"{name} result"] = result
        if name == MAKESPAN:
            row |= {WORST: change.max(), "longer": 100 * np.mean(change > 0)}
    means = [side.groupby("run", sort=False)["makespan"].mean() for side in (pool, other)]
    by_run = 100 * (means[0] - means[1]) / means[1]
    return row | {WORST_RUN: by_run.idxmax(), f"{WORST_RUN} (%)": by_run.max()}


def summary(table: pd.DataFrame) -> str:
    """Return in how many comparisons with a strategy the pool changes makespan and core-hours."""
    compared = table[table["strategy"].isin(COMPARED)]
    counts = [
        int((compared[f"{name} result"] == result).sum())
        for name in CHANGES
        for result in (LESS, MORE)
    ]
    return (
        f"With a pool, makespans are significantly shorter in {counts[0]} and longer in "
        f"{counts[1]} of {len(compared)} comparisons with strategies, core-hours fewer in "
        f"{counts[2]} and more in {counts[3]}"
    )


def headline(table: pd.DataFrame, text: str) -> str:
    """Fill where a pool is significantly shorter or costs more, and who loses."""
    systems = []
    for system, part in table.groupby("system", sort=False):
        compared = part[part["strategy"].isin(COMPARED)]
        others = part[part["strategy"].isin(POOLS) & (part["strategy"] != POOL)]
        one = {"name": system, "pool": part[part["strategy"] == POOL].iloc[0]}
        one["changes"] = {
            name: {
                result: _named(compared[compared[f"{name} result"] == result], name)
                for result in (LESS, MORE)
            }
            for name in CHANGES
        }
        run = compared.loc[compared[f"{WORST_RUN} (%)"].idxmax()]
        instant = compared.loc[compared[WORST].idxmax()]
        one |= {"run": run, "in_run": _percent(run[f"{WORST_RUN} (%)"])}
        one |= {"instant": instant, "at_instant": _percent(instant[WORST])}
        one["readings"] = _named(others[others[f"{MAKESPAN} result"] != OPEN], MAKESPAN, -1)
        systems.append(one)
    return filled(text, {"systems": systems})


def _named(rows: pd.DataFrame, name: str, sign: int = 1) -> list[str]:
    return [
        f"{strategy.removeprefix(f'{POOL}, ')} ({_percent(sign * value)})"
        for strategy, value in zip(rows["strategy"], rows[name], strict=True)
    ]


def _percent(value: float) -> str:
    # adding 0.0 turns -0.0 into 0.0
    return f"{round(value, 2) + 0.0:+.2f}%"


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
    words: Words,
) -> tuple[Table, Picture, str]:
    """Compare a pool of allocations with the strategies at the same instants."""
    table = pools(pooled_runs(stages, pooled), systems_of(rows))
    title = "One pool over several allocations"
    finding = headline(table, words["beyond_pool"]["sentence"])
    return with_finding(table, finding, draw_pools, title, rows, 1)


def draw_pools(table: pd.DataFrame, title: str) -> Figure:
    """Draw the change of makespan and core-hours with the pool, with intervals."""
    changed = table[table["strategy"] != POOL]
    systems = list(dict.fromkeys(changed["system"]))
    with titled(1.5 + 1.9 * len(systems), summary(table), title) as figure:
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
