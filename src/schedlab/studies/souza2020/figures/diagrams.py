"""Figures 1 to 4: stages of a workflow, strategies, the architecture, as simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import AMBER, BLUE, GREEN, GREY, ORANGE, SKY, titled
from schedlab.report.items import From, item, resource
from schedlab.studies.souza2020.evidence import background_of, join_values
from schedlab.studies.souza2020.inputs import LARGE, Rows, Stages
from schedlab.studies.souza2020.shapes import read_shapes, workflow_of
from schedlab.waits.workflows import Workflow


def core_hours(table: pd.DataFrame) -> str:
    """Return a sentence with the core-hours of each strategy: strategy, cores, start, end (s)."""
    hours = table["cores"] * (table["end"] - table["start"]) / 3600
    sums = hours.groupby(table["strategy"], sort=False).sum()
    return f"Core-hours allocated: {join_values(sums, '{:,.0f}')}"


def done(table: pd.DataFrame) -> str:
    """Return a sentence with each strategy's end of the workflow: columns strategy and end (s)."""
    ends = table.groupby("strategy", sort=False)["end"].max() / 60
    return f"Workflow ends after {join_values(ends, '{:,.0f} min')}"


#: the workflow and the scale that figures 2 and 4 show
SHOWN_WORKFLOW, SHOWN_SCALE = "Montage", 320
#: strategies and estimators of figure 2, and of figure 4
ALLOCATED = (("Big Job", "-"), ("Per-Stage", "-"))
AHEAD = (("Per-Stage", "-"), ("ASA", "ASA"), ("ASA Naive", "ASA"))
SHOWN = ["strategy", "stage", "cores", "submit", "start", "end", "estimate", "perceived"]
MINUTE = 60
#: largest number of circles drawn for a stage's cores
CIRCLES = 8
#: boxes of figure 3: name, label, place, size and color
LAYERS = (
    ("workflow", "Workflow\nstages, cores, times", (0.02, 0.72), (0.26, 0.2), SKY),
    ("strategy", "Strategy\nBig Job, Per-Stage, ASA, ASA Naive", (0.37, 0.72), (0.28, 0.2), SKY),
    ("learner", "Estimator\nAlgorithm 1: p over waits,\none state per geometry", (0.73, 0.72),
     (0.25, 0.2), AMBER),
    ("environment", "Environment: submit, submitted, depend, cancel, advance, read",
     (0.2, 0.42), (0.62, 0.14), GREEN),
    ("queue", "Queue\nfirst come first served with EASY", (0.02, 0.08), (0.44, 0.18), GREY),
    ("others", "Background jobs\na log, as wide as the machine", (0.54, 0.08), (0.44, 0.18),
     GREY),
)  # fmt: skip
ARROWS = (
    ("workflow", "strategy", ""),
    ("strategy", "learner", "estimate"),
    ("learner", "strategy", "observe"),
    ("strategy", "environment", "jobs"),
    ("environment", "queue", "jobs, time"),
    ("others", "queue", "jobs"),
)


@item("fig1", "fig2", "fig3", "fig4", kind="figure", section="Diagrams", **LARGE)
def draw_diagrams(
    ran: Stages,
    sheet: Annotated[pd.DataFrame, From(resource("shapes.tsv"), read_shapes)],
    rows: Rows,
) -> dict[str, Picture]:
    """Draw stages of a workflow, strategies in one run of it, and the architecture."""
    shape = sheet.set_index(["workflow", "cores"], drop=False).loc[(SHOWN_WORKFLOW, SHOWN_SCALE)]
    stages_of = dag(workflow_of(shape.to_dict()))
    allocated, ahead = (shown_run(ran, one) for one in (ALLOCATED, AHEAD))
    empty = log_not_available(rows[0]["source"]) if ran.empty else None
    name = f"{SHOWN_WORKFLOW} on {SHOWN_SCALE} cores"
    over = f"{name}, one instant. {background_of(rows)}"
    return {
        "fig1": Picture(draw_dag(stages_of, f"{name}: groups of stages"), stages_of),
        "fig2": Picture(empty or draw_allocations(allocated, stages_of, over), allocated),
        "fig3": Picture(draw_architecture(), architecture()),
        "fig4": Picture(empty or draw_ahead(ahead, over), ahead),
    }


def dag(workflow: Workflow) -> pd.DataFrame:
    """Return the data of figure 1: stages with cores, seconds and the stages they depend on."""
    rows = [
        (stage.name, stage.cores, stage.seconds, ", ".join(stage.after))
        for stage in workflow.stages
    ]
    return pd.DataFrame(rows, columns=["stage", "cores", "seconds", "after"])


def draw_dag(table: pd.DataFrame, title: str) -> Figure:
    """Draw a chain of stages, one column of circles a stage; more cores give more circles."""
    colors = (BLUE, ORANGE, GREEN, AMBER)
    with titled(3.0, title) as figure:
        axes = _blank(figure)
        ys_of_stages = [_column(row.cores) for row in table.itertuples()]
        for stage in range(1, len(ys_of_stages)):
            for y in ys_of_stages[stage - 1]:
                for next_y in ys_of_stages[stage]:
                    axes.plot([stage - 1, stage], [y, next_y], color=GREY, lw=0.5, zorder=1)
        for stage, (row, ys) in enumerate(zip(table.itertuples(), ys_of_stages, strict=True)):
            axes.scatter([stage] * len(ys), ys, 190, color=colors[stage % 4], zorder=2,
                         edgecolor="white")  # fmt: skip
            axes.text(stage, -0.72, f"{row.stage}\n{row.cores} cores, {row.seconds} s",
                      ha="center", va="top", fontsize=7)  # fmt: skip
            if len(ys) == CIRCLES:
                axes.text(stage + 0.09, 0, "…", rotation=90, va="center", fontsize=10)
        axes.set(xlim=(-0.5, len(ys_of_stages) - 0.5), ylim=(-1.05, 0.6))
    return figure


def _column(cores: int) -> list[float]:
    count = min(cores, CIRCLES)
    return [0.0] if count == 1 else [place / (count - 1) - 0.5 for place in range(count)]


def shown_run(stages: pd.DataFrame, strategies: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Return the runs of some strategies at a typical instant."""
    of_figure = stages["workflow"].eq(SHOWN_WORKFLOW) & stages["scale"].eq(SHOWN_SCALE)
    shown_stages = stages[of_figure]
    if shown_stages.empty:
        return pd.DataFrame(columns=SHOWN)
    base = shown_stages[shown_stages["strategy"] == "Per-Stage"]
    later = base[base.duplicated("replicate")].groupby("replicate")["perceived"].sum()
    seen = later[later > 0] if (later > 0).any() else later
    chosen = (seen - seen.median()).abs().idxmin()
    shown_stages = shown_stages[shown_stages["replicate"] == chosen]
    parts = []
    for strategy, estimator in strategies:
        part = shown_stages[
            (shown_stages["strategy"] == strategy) & (shown_stages["estimator"] == estimator)
        ]
        times = {name: part[name] - part["at"] for name in ("submit", "start", "end")}
        parts.append(part.assign(**times)[SHOWN])
    return pd.concat(parts, ignore_index=True)


def draw_allocations(table: pd.DataFrame, shape: pd.DataFrame, title: str) -> Figure:
    """Draw cores over time under Big Job and Per-Stage; figure 2."""
    names = list(dict.fromkeys(table["strategy"]))
    last = table["end"].max() / MINUTE
    with titled(3.8, core_hours(table), title) as figure:
        for axes, name in zip(figure.subplots(len(names), 1, sharex=True), names, strict=True):
            allocations = table[table["strategy"] == name]
            for row in allocations.itertuples():
                start, length = row.start / MINUTE, (row.end - row.start) / MINUTE
                axes.add_patch(Rectangle((start, 0), length, row.cores, fill=False, ls="--", lw=1.3,
                                         edgecolor=ORANGE, zorder=3))  # fmt: skip
                wait = row.perceived / MINUTE
                axes.barh(row.cores / 2, wait, max(row.cores, 12) * 0.1, start - wait, color=GREY)
            used = (
                allocations
                if len(allocations) == len(shape)
                else _inside(allocations.iloc[0], shape)
            )
            for row in used.itertuples():
                length = (row.end - row.start) / MINUTE
                axes.bar(row.start / MINUTE, row.cores, length, align="edge", color=BLUE, lw=0.6,
                         edgecolor=BLUE)  # fmt: skip
            axes.set(ylabel="cores", xlim=(0, 1.02 * last), ylim=(0, 1.15 * table["cores"].max()))
            axes.set_title(name, loc="left", fontsize=8.5)
        axes.set_xlabel("minutes since the workflow was submitted")
        handles = [
            Rectangle((0, 0), 1, 1, color=BLUE, label="used"),
            Rectangle((0, 0), 1, 1, fill=False, ls="--", edgecolor=ORANGE, label="allocated"),
            Rectangle((0, 0), 1, 1, color=GREY, label="waiting"),
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _inside(job: pd.Series, shape: pd.DataFrame) -> pd.DataFrame:
    ends = job["start"] + shape["seconds"].cumsum()
    return shape.assign(start=ends - shape["seconds"], end=ends)


def draw_architecture() -> Figure:
    """Draw the components and the messages between them; figure 3."""
    title = f"{len(LAYERS)} components exchange {len(ARROWS)} kinds of messages"
    with titled(3.8, title) as figure:
        axes = _blank(figure)
        boxes: dict[str, tuple[float, float, float, float]] = {}
        for name, text, (x, y), (width, height), color in LAYERS:
            boxes[name] = x, y, width, height
            box = FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0.006")
            box.set(facecolor=color, alpha=0.35, edgecolor=color)
            axes.add_patch(box)
            axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=7)
        for source, target, text in ARROWS:
            _arrow(axes, boxes, source, target, text)
        axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure


def architecture() -> pd.DataFrame:
    """Return the data of figure 3: which component sends what to which."""
    return pd.DataFrame(ARROWS, columns=["from", "to", "what"])


def _arrow(axes: Axes, boxes: Mapping, source: str, target: str, label: str) -> None:
    x, y, width, height = boxes[source]
    to_x, to_y, to_width, to_height = boxes[target]
    if abs(y - to_y) < 0.01:  # side by side; what comes back runs lower
        forth = x < to_x
        level = y + height * (0.65 if forth else 0.35)
        begin = (x + width + 0.01 if forth else x - 0.01, level)
        end = (to_x - 0.01 if forth else to_x + to_width + 0.01, level)
        at = ((begin[0] + end[0]) / 2, level + (0.03 if forth else -0.03))
    else:
        middle = x + width / 2
        column = middle if to_x <= middle <= to_x + to_width else to_x + to_width / 2
        begin, end = (column, y - 0.012), (column, to_y + to_height + 0.012)
        at = (column + 0.012, (begin[1] + end[1]) / 2)
    axes.add_patch(FancyArrowPatch(begin, end, arrowstyle="-|>", mutation_scale=11, color="black"))
    side = "center" if abs(y - to_y) < 0.01 else "left"
    axes.text(*at, label, ha=side, va="center", fontsize=7)


def draw_ahead(table: pd.DataFrame, title: str) -> Figure:
    """Draw when each stage of `shown_run` is submitted, waits and runs, by strategy; figure 4."""
    names = list(dict.fromkeys(table["strategy"]))
    with titled(1.3 * len(names) + 1.1, done(table), title) as figure:
        for axes, name in zip(figure.subplots(len(names), 1, sharex=True), names, strict=True):
            strategy_stages = table[table["strategy"] == name].reset_index(drop=True)
            for place, row in strategy_stages.iterrows():
                submit, start, end = (row[key] / MINUTE for key in ("submit", "start", "end"))
                perceived = row["perceived"] / MINUTE
                axes.barh(place, start - submit, 0.5, submit, color=SKY)
                axes.barh(place, perceived, 0.5, start - perceived, color=GREY, hatch="////",
                          edgecolor="white", lw=0.4)  # fmt: skip
                axes.barh(place, end - start, 0.8, start, color=BLUE)
                axes.plot(submit, place, "v", color=ORANGE, ms=6)
            labels = [f"{row.stage}, {row.cores} cores" for row in strategy_stages.itertuples()]
            axes.set_yticks(range(len(strategy_stages)), labels, fontsize=7)
            axes.invert_yaxis()
            axes.set_title(name, loc="left", fontsize=8.5)
        axes.set_xlabel("minutes since the workflow was submitted")
        handles = [
            axes.plot([], [], "v", color=ORANGE, label="submitted")[0],
            Rectangle((0, 0), 1, 1, color=SKY, label="hidden wait"),
            Rectangle((0, 0), 1, 1, facecolor=GREY, hatch="////", label="perceived wait"),
            Rectangle((0, 0), 1, 1, color=BLUE, label="runs"),
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


def _blank(figure: Figure) -> Axes:
    axes = figure.subplots()
    axes.set_axis_off()
    axes.grid(visible=False)
    return axes
