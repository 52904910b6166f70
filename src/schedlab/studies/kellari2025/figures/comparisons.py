"""Draw the figures of kellari2025 that compare schedulers: boxes and Pareto plots."""

from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from schedlab.report.figures.distributions import draw_boxes as boxes
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import BLUE, COLORS, GREEN, GREY, SKY, mark_published, titled
from schedlab.report.items import From, item, resource
from schedlab.report.scoreboard import JOINT
from schedlab.report.words import joined
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.figures.grids import draw_correlations
from schedlab.studies.kellari2025.inputs import LARGE, Own, Table6Runs, with_own
from schedlab.studies.kellari2025.tables import chapter6
from schedlab.studies.kellari2025.tables.chapter6 import COMPACT, METRICS, SCHEDULERS


def ends(values: pd.Series, metric: str, label: str) -> str:
    """Return which scheduler is best by a metric, a key of `METRICS`, and which is worst."""
    ends_of = (values.max(), values.min())
    high, low = ends_of if METRICS[metric].high else ends_of[::-1]
    digits = ".2f" if metric == "makespan_speedup" else ".3g"
    best, worst = (names_at(values, end, digits) for end in (high, low))
    if f"{high:{digits}}" == f"{low:{digits}}":
        return f"All schedulers have the same {label or METRICS[metric].printed}"
    has = "has" if len(best) == 1 else "have"
    most, least = _superlatives(metric)
    label, percent, _ = label.partition(" (%)")
    unit = "\u00a0%" if percent else ""
    return (
        f"{joined(best)} {has} the {most} {label} ({high:{digits}}{unit}), {joined(worst)} the "
        f"{least} ({low:{digits}}{unit})"
    )


def _superlatives(metric: str) -> tuple[str, str]:
    if METRICS[metric].high:
        return "best", "worst"
    return ("fewest", "most") if metric == "slowed" else ("lowest", "highest")


def names_at(values: pd.Series, end: float, digits: str) -> list[str]:
    """Return the schedulers whose rounded value equals that of `end`."""
    return [name for name, value in values.items() if f"{value:{digits}}" == f"{end:{digits}}"]


def on_front(points: pd.DataFrame) -> str:
    """Return the schedulers with a point on the front; columns scheduler and optimal."""
    every = points["scheduler"].nunique()
    names = list(dict.fromkeys(points.loc[points["optimal"], "scheduler"]))
    verb = "has" if len(names) == 1 else "have"
    return f"{len(names)} of {every} schedulers {verb} a point on the front: {', '.join(names)}"


AXES = {
    "slowdown": "mean slowdown",
    "slowdown_pp": "mean slowdown per processor",
    "slowed": "slowed jobs (%)",
    "utilisation": "utilization",
    "job_speedup": "mean job speedup",
    "weighted_speedup": "weighted mean job speedup",
    "makespan_speedup": "makespan speedup over Conservative",
}
# Marker and line: schedulers of one order share a color. A hollow marker means whole nodes.
LOOKS = {
    "SJF": ("o", "--"),
    "SJF-Co": ("s", "-"),
    "SJF-Filler": ("^", ":"),
    "Filler": ("o", "-"),
    "Pop-Filler": ("s", ":"),
    "Popularity": ("D", "-."),
    "EASY": ("o", "--"),
    "EASY-Co": ("s", "-"),
    "Conservative": ("D", "--"),
    "FCFS": ("v", "--"),
    "LJF-Co": ("s", "-"),
    "LAF-Co": ("P", "-"),
    "LJF": ("o", "--"),
}
OWN_MARKERS = "Xhp*d"


@item(
    lambda study: with_own(study, chapter6.COMPARISONS, "figure"),
    section="Chapter 6", apart=True, **LARGE,
)  # fmt: skip
def draw_comparisons(
    item: str,
    runs: Table6Runs,
    own: Own,
    printed: Annotated[pd.DataFrame, From(resource("published.tsv"), published.read_table6)],
) -> Picture:
    """Draw a comparison of schedulers, with yours: boxes, a front or correlations."""
    figure = item.removesuffix("_own")
    on = f"{runs['workload'].nunique()} workloads of {runs['jobs'].iloc[0]} jobs on "
    on += runs["pool"].iloc[0]
    if metric := chapter6.BOXES.get(figure):
        table = chapter6.box_values(runs, metric, own)
        means = published.published_means(printed, runs, metric)
        table = table.assign(published=table["scheduler"].map(means))
        return Picture(draw_boxes(table, metric, on), table)
    if axes := chapter6.FRONTS.get(figure):
        table = chapter6.front(runs, *axes, own)
        return Picture(draw_front(table, *axes, on), table)
    matrices = {
        name: chapter6.correlations(runs, name, own) for name in chapter6.COEFFICIENTS[figure]
    }
    table = pd.concat(
        [
            matrix.rename_axis("metric").reset_index().assign(coefficient=name)
            for name, matrix in matrices.items()
        ],
        ignore_index=True,
    )
    labels = {metric.printed: AXES[name] for name, metric in chapter6.METRICS.items()}
    named = {
        name.title(): matrix.rename(labels, axis=0).rename(labels, axis=1)
        for name, matrix in matrices.items()
    }
    return Picture(draw_correlations(named, on), table)


def color_of(scheduler: str) -> str:
    """Return the color of a box or area: whole nodes, shared nodes, or user-defined."""
    if scheduler not in SCHEDULERS:
        return GREEN
    return GREY if scheduler in COMPACT else BLUE


def _scheduler_names(table: pd.DataFrame) -> list[str]:
    """Return the thesis's schedulers in its order, then the user-defined ones of the table."""
    return [*SCHEDULERS, *(name for name in table["scheduler"].unique() if name not in SCHEDULERS)]


def draw_boxes(values: pd.DataFrame, metric: str, note: str) -> Figure:
    """Draw a metric over the workloads, one box per scheduler; figures 6.1 to 6.3, 6.5 to 6.8."""
    names = _scheduler_names(values)
    groups = [values.loc[values["scheduler"] == name, "value"] for name in names]
    means = values.groupby("scheduler", sort=False)["value"].mean()
    with titled(3.6, ends(means, metric, AXES[metric]), note) as figure:
        axes = figure.subplots()
        boxes(axes, groups, range(1, len(names) + 1), 0.6, list(map(color_of, names)), points=False)
        for place, (name, group) in enumerate(zip(names, groups, strict=True), start=1):
            color = color_of(name)
            offset = np.linspace(-0.18, 0.18, max(len(group), 2))[: len(group)]
            axes.plot(place + offset, group, "o", ms=2.5, color=color, alpha=0.7, mew=0)
            axes.plot(place, group.mean(), "D", ms=4, color=COLORS["mean"], zorder=3)
        means = values.drop_duplicates("scheduler").set_index("scheduler").reindex(names)
        places = range(1, len(names) + 1)
        numbers = [JOINT.join(("table6", name, METRICS[metric].printed)) for name in names]
        published = mark_published(axes, places, means["published"], 0.42, numbers)
        if metric == "makespan_speedup":
            axes.axhline(1, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xticks(places, names, rotation=35, ha="right")
        axes.set_ylabel(AXES[metric])
        mean = Line2D([], [], color=COLORS["mean"], marker="D", ms=4, ls="", label="mean")
        handles = [*_box_handles(len(names) > len(SCHEDULERS)), mean, *published]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _box_handles(custom: bool = False) -> list:
    kinds = [(GREY, "whole nodes"), (BLUE, "shared nodes")]
    kinds += [(GREEN, "whole nodes, own policy")] * custom
    patches = [
        Patch(facecolor=(color, 0.25), edgecolor=color, label=words) for color, words in kinds
    ]
    return [*patches, Line2D([], [], color=COLORS["median"], linewidth=1.8, label="median")]


def draw_front(points: pd.DataFrame, x: str, y: str, note: str) -> Figure:
    """Draw a Pareto plot; figures 6.11 to 6.13. `points` are from `chapter6.front`.

    The front is a staircase: the region between two of its points is not reached.
    """
    with titled(4.2, on_front(points), note) as figure:
        axes = figure.subplots()
        for number, name in enumerate(_scheduler_names(points)):
            part = points[points["scheduler"] == name]
            mark = OWN_MARKERS[(number - len(SCHEDULERS)) % len(OWN_MARKERS)]
            color, (marker, _) = COLORS.get(name, SKY), LOOKS.get(name, (mark, "-"))
            face = "none" if name in COMPACT else color
            axes.plot(part[x], part[y], marker, ms=4.5, color=color, mfc=face, label=name, mew=0.9,
                      ls="", alpha=0.9)  # fmt: skip
        best = points[points["optimal"]].sort_values([x, y])
        # Between two points, the attainable y is that of the point with the better x.
        where = "pre" if METRICS[x].high else "post"
        axes.step(best[x], best[y], where=where, color="black", linewidth=1, zorder=0.9)
        axes.plot(best[x], best[y], "o", ms=9, mfc="none", mec="black", mew=0.8, ls="",
                  label="on the front")  # fmt: skip
        axes.set(xlabel=AXES[x], ylabel=AXES[y])
        axes.grid(axis="both")
        axes.margins(0.04)
        figure.legend(loc="outside right center", handletextpad=0.3)
    return figure


def draw_speedups(jobs: pd.DataFrame, spans: pd.Series, note: str) -> Figure:
    """Draw job speedups (boxes) and makespan speedups (line) by scheduler; figure 4.2."""
    groups = [jobs.loc[jobs["scheduler"] == name, "speedup"] for name in SCHEDULERS]
    with titled(3.6, ends(spans, "makespan_speedup", "makespan speedup"), note) as figure:
        axes = figure.subplots()
        boxes(axes, groups, range(1, len(SCHEDULERS) + 1), 0.6, list(map(color_of, SCHEDULERS)))
        axes.plot(range(1, len(SCHEDULERS) + 1), spans[SCHEDULERS], "D", color=GREEN, ms=5)
        axes.axhline(1, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xticks(range(1, len(SCHEDULERS) + 1), SCHEDULERS, rotation=35, ha="right")
        axes.set_ylabel("speedup")
        mark = Line2D([], [], color=GREEN, marker="D", linestyle="", label="makespan speedup")
        figure.legend(handles=[*_box_handles(), mark], loc="outside lower center", ncols=4)
    return figure
