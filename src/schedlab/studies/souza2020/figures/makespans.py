"""Figures 6, 7 and 8: makespans, stage by stage, with the waits between the stages."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from schedlab.core.streams import generator
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import (
    AMBER,
    BLUE,
    BROWN,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    mark_published,
    titled,
)
from schedlab.report.items import item
from schedlab.report.scoreboard import JOINT
from schedlab.studies.souza2020.evidence import background_of, over_instants, systems_of
from schedlab.studies.souza2020.inputs import LARGE, Rows, Stages, Table1
from schedlab.studies.souza2020.sheet import PAPER


def sooner(stacks: pd.DataFrame, workflow: str) -> str:
    """Return at how many scales ASA's mean makespan is below Per-Stage's, from `stacks`."""
    wide = stacks.drop_duplicates(["scale", "bar"]).pivot(
        index="scale", columns="bar", values="makespan"
    )
    count = int((wide["ASA"] < wide["Per"]).sum())
    return f"{workflow}: ASA’s mean makespan is below Per-Stage’s at {count} of {len(wide)} scales"


WAITS = (ORANGE, AMBER, PURPLE, GREY)
RUNS = (BLUE, SKY, GREEN, BROWN)
FIGURES = {"fig6": "Montage", "fig7": "BLAST", "fig8": "Statistics"}
#: label of the bar of each strategy and estimator
BARS = {
    ("Big Job", "-"): "Big",
    ("Per-Stage", "-"): "Per",
    ("ASA", "ASA"): "ASA",
    ("ASA Naive", "ASA"): "Naive",
}
HOUR = 3600


@item("fig6", "fig7", "fig8", kind="figure", section="Makespans", **LARGE)
def draw_makespans(ran: Stages, printed: Table1, rows: Rows) -> dict[str, Picture]:
    """Draw the makespans of each workflow.

    A model in place of the log is not compared with the published makespans.
    """
    pictures = {}
    if any(row["is_model"] for row in rows):
        printed = printed.iloc[:0]
    for name, workflow in FIGURES.items():
        table = add_published(stacks(ran, workflow), workflow, printed)
        setting = f"Means over replicates. {background_of(rows)}"
        figure = (
            log_not_available(f"{workflow} on {rows[0]['source']}")
            if ran.empty
            else draw_stacks(table, systems_of(rows), workflow, setting)
        )
        pictures[name] = Picture(figure, table)
    return pictures


def stacks(stages: pd.DataFrame, workflow: str) -> pd.DataFrame:
    """Return the bars' parts in hours: mean wait and mean time of every stage."""
    workflow_stages = stages[stages["workflow"] == workflow]
    rows = []
    for (scale, strategy, estimator), part in workflow_stages.groupby(
        ["scale", "strategy", "estimator"], sort=False
    ):
        if (strategy, estimator) not in BARS:
            continue
        part = part.assign(
            place=part.groupby("replicate").cumcount() + 1, time=part["end"] - part["start"]
        )
        by_replicate = part.groupby("replicate")
        makespan = (by_replicate["end"].max() - by_replicate["at"].first()).to_numpy(float)
        stream = generator(PAPER, "stacks", workflow, int(scale), strategy)
        low, high = over_instants(makespan, stream)
        totals = {"makespan": makespan.mean() / HOUR, "low": low / HOUR, "high": high / HOUR}
        for place, stage in part.groupby("place"):
            row = {"scale": scale, "bar": BARS[strategy, estimator], "place": place}
            row |= {"wait": stage["perceived"].mean() / HOUR, "time": stage["time"].mean() / HOUR}
            rows.append(row | totals)
    columns = ["scale", "bar", "place", "wait", "time", "makespan", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def add_published(table: pd.DataFrame, workflow: str, printed: pd.DataFrame) -> pd.DataFrame:
    """Add published, the makespan of Table 1 in hours or nan, and number, its name."""
    strategies = {bar: f"{strategy} makespan" for (strategy, _), bar in BARS.items()}
    makespans = printed.astype(float).stack() / HOUR
    runs = f"{workflow} " + table["scale"].astype(str)
    keys = list(zip(runs, table["bar"].map(strategies), strict=True))
    return table.assign(
        published=[makespans.get(key, np.nan) for key in keys],
        number=[JOINT.join(("table1", *key)) if key in makespans else "" for key in keys],
    )


def draw_stacks(
    table: pd.DataFrame, systems: dict[int, str], workflow: str, setting: str
) -> Figure:
    """Draw a panel for each system, a group of bars of `stacks` for each scale."""
    names = list(dict.fromkeys(systems[scale] for scale in dict.fromkeys(table["scale"])))
    with titled(3.8, sooner(table, workflow), setting) as figure:
        panels = figure.subplots(1, len(names), squeeze=False)[0]
        for axes, system in zip(panels, names, strict=True):
            published = _draw_system(axes, table[table["scale"].map(systems) == system])
            axes.set_title(system)
        stages, _ = panels[0].get_legend_handles_labels()
        figure.legend(handles=[*stages, *published], loc="outside lower center", ncols=5)
    return figure


def _draw_system(axes: Axes, table: pd.DataFrame) -> list[Line2D]:
    scales, bars = list(dict.fromkeys(table["scale"])), list(BARS.values())
    group = table["scale"].map(scales.index)
    table = table.assign(at=group * (len(bars) + 1) + table["bar"].map(bars.index))
    height = pd.Series(0.0, index=table["at"].unique())
    for place, segments in table.groupby("place"):
        at = segments["at"].to_numpy()
        for column, colors, hatch in (("wait", WAITS, "////"), ("time", RUNS, None)):
            text = f"{'wait' if column == 'wait' else 'stage'} {place}"
            axes.bar(at, segments[column], 0.8, height[at], color=colors[place - 1], hatch=hatch,
                     label=text, edgecolor="white", linewidth=0.4)  # fmt: skip
            height[at] += segments[column].to_numpy()
    first = table.drop_duplicates("at")
    ends = first[np.isfinite(first["low"])]
    axes.vlines(ends["at"], ends["low"].clip(lower=0), ends["high"], color="black", lw=0.9)
    for place, scale in enumerate(scales):
        middle = place * (len(bars) + 1) + (len(bars) - 1) / 2
        axes.text(middle, -0.2, f"{scale} cores", ha="center", va="top", fontsize=7.5,
                  transform=axes.get_xaxis_transform())  # fmt: skip
    axes.set_xticks(first["at"], first["bar"], fontsize=7, rotation=45, ha="right",
                    rotation_mode="anchor")  # fmt: skip
    tops = height.max(), ends["high"].max(), first["published"].max()
    axes.set(ylabel="makespan (h)", ylim=(0, 1.05 * np.nanmax(tops)))
    return mark_published(axes, first["at"], first["published"], 0.48, first["number"])
