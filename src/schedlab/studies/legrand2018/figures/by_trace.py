"""Figures of legrand2018 with one panel a trace: distributions (figure 1) and learners' regret."""

from collections.abc import Mapping
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from schedlab.files.stand_ins import kind_of
from schedlab.report.figures.distributions import FEWEST_IN_BOX, draw_boxes
from schedlab.report.figures.picture import Picture, mark_missing
from schedlab.report.figures.style import BLUE, COLORS, GREY, SERIES, titled
from schedlab.report.items import item
from schedlab.report.words import joined, joined_workloads, most_often
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.periods import AXIS_LABEL
from schedlab.studies.legrand2018.inputs import LARGE, Rows, RunsByTrace, with_own
from schedlab.studies.legrand2018.tables import policy_label, stacked, with_trace


def leads(values: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Return a sentence: which policy most often has the lowest mean, and on which traces."""
    if values.empty:
        return ""
    kind = kind_of(names.values(), "traces")
    means = values.groupby(["trace", "policy"], sort=False)["avebsld"].mean().unstack()
    best = means.idxmin(axis=1)
    most, count = most_often(best)
    if " and " in most:
        return f"{most} have the lowest mean on {count} of {len(best)} {kind} each"
    where = [names[trace] for trace in best.index[best == most]]
    if len(where) == len(best):
        return f"{most} has the lowest mean on all {len(best)} {kind}"
    count = f"{len(where)} of {len(best)} {kind}"
    return f"{most} has the lowest mean on {count}: {joined_workloads(where)}"


def regretted(online: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Return a sentence: which learners end below the best fixed choice on some trace."""
    if online.empty:
        return ""
    kind = kind_of(names.values(), "traces")
    last = online.sort_values("piece").groupby(["trace", "learner"], sort=False)["regret"].last()
    ends = last.unstack()
    below = ends.columns[(ends < 0).any()]
    counts = f"of {ends.shape[1]} learners"
    if below.empty:
        return f"None {counts} ends below the best fixed choice on any of {len(ends)} {kind}"
    verb = "ends" if len(below) == 1 else "end"
    where = f"below the best fixed choice on a {kind.removesuffix('s')}"
    return f"{len(below)} {counts} {verb} {where}: {joined(below)}"


#: periods after which the sum of the best fixed choice is no longer small
SETTLING = 4
#: columns of a regret, and of the ends of its band
REGRET, BAND = "relative", ["relative_low", "relative_high"]
#: points between the marks of two learners at one place
APART = 2.5


@item(
    lambda study: with_own(study, ["fig1"], "figure"),
    section="Figures", rule="draw_distributions", apart=True, **LARGE,
)  # fmt: skip
def fig1(rows: Rows, pure: RunsByTrace) -> Picture:
    """Draw the distributions of the weekly averages of the pure policies: figure 1."""
    frames, titles = [], {}
    for place, row in enumerate(rows):
        runs = pd.concat(pure[place :: len(rows)], ignore_index=True)
        titles[row.label] = row.name
        values = pure_by_period(runs, row.threshold).rename(columns=policy_label).reset_index()
        long = values.melt("piece", var_name="policy", value_name="avebsld")
        frames.append(with_trace(row, long))
    values_by_trace = stacked(frames)
    return Picture(draw_distributions(values_by_trace, titles), values_by_trace)


def _two_in_a_row(figure: Figure, titles: dict[str, str]) -> dict[str, Axes]:
    every = np.ravel(figure.subplots(-(-len(titles) // 2), 2, squeeze=False))
    for axes in every[len(titles) :]:
        axes.remove()
    panels = dict(zip(titles, every, strict=False))
    for trace, axes in panels.items():
        # two panels share a page's width
        axes.set_title(fill(titles[trace], 34))
    return panels


def draw_distributions(values: pd.DataFrame, titles: dict[str, str]) -> Figure:
    """Draw the distribution of each pure policy's periods, trace by trace: figure 1."""
    with titled(6.4, leads(values, titles)) as figure:
        panels = _two_in_a_row(figure, titles)
        for trace, axes in panels.items():
            trace_values = values[values["trace"] == trace]
            if trace_values.empty:
                mark_missing(axes)
            else:
                _draw_distribution(axes, trace_values)
        handles = [
            Patch(facecolor=(BLUE, 0.35), label="the three best"),
            *_box_words(next(iter(panels.values()))),
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _box_words(axes: Axes) -> list:
    mean = axes.plot([], [], marker="D", ms=3.5, color=COLORS["mean"], linestyle="",
                     label="mean of the weekly averages")  # fmt: skip
    median = axes.plot([], [], color=COLORS["median"], linewidth=1.6, label="median")
    return [*mean, *median]


def _draw_distribution(axes: Axes, values: pd.DataFrame) -> None:
    means = values.groupby("policy")["avebsld"].mean().sort_values(kind="stable")
    groups = [values.loc[values["policy"] == name, "avebsld"].to_numpy() for name in means.index]
    colors = [BLUE if place < 3 else GREY for place in range(len(groups))]
    logs = [np.log10(group) for group in groups]
    places = np.arange(len(groups))
    for log, place, color in zip(logs, places, colors, strict=True):
        if len(log) >= FEWEST_IN_BOX:
            (body,) = axes.violinplot([log], [place], widths=0.85, showextrema=False)["bodies"]
            body.set(facecolor=color, alpha=0.25, linewidth=0)
    draw_boxes(axes, logs, places, 0.28, colors)
    axes.plot(places, np.log10(means), "D", ms=3.5, color=COLORS["mean"], zorder=5)
    long = max(map(len, means.index)) > 6  # the name of your policy: it ends below its box
    ends = {"ha": "right", "rotation_mode": "anchor"} if long else {}
    axes.set_xticks(places, means.index, rotation=60, **ends)
    top = max(log.max() for log in logs)
    powers = range(int(top) + 1)
    axes.set_yticks(powers, [f"{10**power:,}" for power in powers])
    axes.set_ylim(-0.1, top + 0.15)
    axes.set_ylabel(AXIS_LABEL)


def _limits(online: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the scale that all panels of relative regret and its bands share."""
    if online.empty:
        return 0.0, 1.0
    periods = online.groupby("trace")["piece"]
    settled = online[online["piece"] - periods.transform("min") >= SETTLING]
    shown = (online if settled.empty else settled)[[REGRET, *BAND]].stack()
    low, high = min(shown.min(), 0.0), max(shown.max(), 0.0)
    space = 0.08 * (high - low) or 1.0
    return low - space, high + space


def draw_regret(online: pd.DataFrame, titles: dict[str, str]) -> Figure:
    """Draw the relative regret against the best fixed choice of each kind, a panel per trace."""
    learners = list(online["learner"].unique())
    limits = _limits(online)
    with titled(5.6, regretted(online, titles)) as figure:
        panels = _two_in_a_row(figure, titles)
        for trace, axes in panels.items():
            trace_regret = online[online["trace"] == trace]
            if trace_regret.empty:
                mark_missing(axes)
                continue
            axes.axhline(0, color="black", linewidth=0.8)
            for learner, rows in trace_regret.groupby("learner", sort=False):
                place = learners.index(learner)
                color = COLORS.get(learner, SERIES[place % len(SERIES)])
                right = APART * (place - (len(learners) - 1) / 2)
                if (rows["high"] > rows["low"]).any():
                    ends = rows[BAND].to_numpy().T
                    axes.fill_between(rows["piece"], *ends, color=color, alpha=0.15, linewidth=0)
                    for end in BAND:
                        _mark_cut(axes, rows, end, limits, right, mec=color, mfc="white", ms=7)
                axes.plot(rows["piece"], rows[REGRET], color=color, lw=1.4, label=learner)
                _mark_cut(axes, rows, REGRET, limits, right, mec=color, mfc=color, ms=4)
            axes.set(xlabel="week", ylabel="regret (% of the best fixed)", ylim=limits)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            handles = axes.get_legend_handles_labels()
        if len(online):
            figure.legend(*handles, loc="outside lower center", ncols=3)
    return figure


def _mark_cut(
    axes: Axes, rows: pd.DataFrame, column: str, limits: tuple[float, float], right: float, **style
) -> None:
    """Draw a triangle at the end of the scale for each value beyond it, so many points `right`."""
    apart = ScaledTranslation(right / 72, 0, axes.figure.dpi_scale_trans)
    for limit, is_cut, marker in (
        (limits[0], rows[column] < limits[0], "v"),
        (limits[1], rows[column] > limits[1], "^"),
    ):
        for week in rows.loc[is_cut, "piece"]:
            axes.plot(week, limit, marker, transform=axes.transData + apart, zorder=3,
                      clip_on=False, **style)  # fmt: skip
