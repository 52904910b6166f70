"""Draw figures 1 to 3 and 6 to 8 of klusacek2016: both schedulers on whole logs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from schedlab.report.figures.distributions import draw_heights, is_wide
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import colors_of, legend_below, titled
from schedlab.report.items import item
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016 import figure_data
from schedlab.studies.klusacek2016.evidence import NAMES, ORIG, PLAN, Evidence, read_evidence
from schedlab.studies.klusacek2016.inputs import NodeJobs, NodeRows, NodeStarts

OLD, NEW = NAMES[ORIG], NAMES[PLAN]
WORDS = {"utilisation": "utilization", "wait": "mean wait", "slowdown": "slowdown", "nuwt": "NUWT"}


def changed(bars: pd.DataFrame) -> str:
    """Return by how many percent Plan-RS changes each metric, for each kind of users."""
    by_users = []
    for users, user_bars in bars.groupby("users", sort=False):
        wide = user_bars.pivot(index="measure", columns="scheduler", values="value")
        wide = wide.reindex(dict.fromkeys(user_bars["measure"]))
        wide = wide[wide[OLD] > 0].dropna()
        parts = [
            f"{WORDS[measure]} {_percent(100 * (row[NEW] / row[OLD] - 1))} %"
            for measure, row in wide.iterrows()
        ]
        by_users.append(f"{', '.join(parts)} ({users} users)")
    return f"{NEW} against {OLD}: {'; '.join(by_users)}"


def _percent(change: float) -> str:
    """Write a change in whole per cent; only a change to 0 is −100."""
    return f"{max(change, -99.9):+.1f}" if -100 < change < -99.5 else f"{round(change):+,d}"


def waits_less(classes: pd.DataFrame) -> str:
    """Return how many classes of jobs wait less; columns by, class, scheduler, hours."""
    wide = classes.pivot(index=["by", "class"], columns="scheduler", values="hours")
    less = int((wide[NEW] < wide[OLD]).sum())
    return f"{NEW} waits less than {OLD} in {less} of {len(wide)} classes of jobs"


def complaints(users: pd.DataFrame) -> str:
    """Return the number of complaints; one column per scheduler, one row per user."""
    return f"{users[OLD].sum():,.0f} complaints under {OLD}, {users[NEW].sum():,.0f} under {NEW}"


COLORS = colors_of((NAMES[ORIG], NAMES[PLAN]))
HOUR = 3600
#: label of each panel of bars with its unit, and the divisor of its values
PANELS = {
    "utilisation": ("utilization (%)", 0.01),
    "wait": ("mean wait (h)", HOUR),
    "slowdown": ("mean bounded slowdown", 1),
    "nuwt": ("mean NUWT", 1),
}
USERS = {"recorded": "recorded users", "reacting": "reacting users"}
#: hours up to which the axis of waits by class is linear, and its ticks
SHORTEST = 1 / 60
WAITS = {0: "0", 1 / 60: "1 min", 1 / 6: "10 min", 1: "1 h", 10: "10 h", 100: "100 h"}
#: color of the line between the waits of a class
LINE = "#c9c9c9"
BY = {"processors": "processors", "walltime": "requested time"}


def draw_bars(table: pd.DataFrame, title: str) -> Figure:
    """Draw utilization, wait and slowdown of both schedulers, from `figure_data.bars`; figure 1."""
    measures = list(dict.fromkeys(table["measure"]))
    with titled(2.9, changed(table), title) as figure:
        for axes, measure in zip(figure.subplots(1, len(measures)), measures, strict=True):
            draw_measure(axes, table, measure)
        legend_below(figure, axes, 2)
    return figure


def draw_measure(axes: Axes, table: pd.DataFrame, measure: str) -> None:
    """Draw a bar per scheduler, for each kind of users; dots if the values are far apart."""
    metric_rows = table[table["measure"] == measure]
    label, unit = PANELS[measure]
    users = list(dict.fromkeys(metric_rows["users"]))
    dots = is_wide(metric_rows["value"])
    top = 0.0
    for place, (name, color) in enumerate(COLORS.items()):
        rows = metric_rows[metric_rows["scheduler"] == name].set_index("users").loc[users]
        x = np.arange(len(users)) + 0.4 * (place - 0.5)
        value, reach = rows["value"] / unit, (rows["over_seeds"] / unit).fillna(0)
        draw_heights(axes, x, value, 0.36, color, name, dots)
        wide = reach > 0
        below = np.minimum(reach, value)
        axes.errorbar(x[wide], value[wide], [below[wide], reach[wide]], fmt="none",
                      ecolor="#222222", elinewidth=0.9, capsize=3)  # fmt: skip
        texts = [_with_spread(*each) for each in zip(value, rows["spread"] / unit, strict=True)]
        # a dash for a mean that does not exist is at zero
        for x_place, text, end in zip(x, texts, (value + reach).fillna(0), strict=True):
            axes.annotate(text, (x_place, end), (0, 5 if dots else 2), textcoords="offset points",
                          ha="center", va="bottom", size=7)  # fmt: skip
        top = max(top, float((value + reach).max()))
    axes.set_xticks(range(len(users)), [USERS[one].replace(" ", "\n") for one in users])
    if dots:
        lowest = metric_rows.loc[metric_rows["value"] > 0, "value"].min() / unit
        # equal spaces on a logarithmic axis, with that of two lines of text above
        axes.set(ylim=(lowest / 3, 12 * top), xlim=(-0.6, len(users) - 0.4))
    else:
        axes.set_ylim(0, 1.25 * top or 1)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.set_ylabel(label)


def _with_spread(mean: float, spread: float) -> str:
    """Write a mean, and below it the standard deviation over jobs or users, if there is one."""
    return _three_digits(mean) + ("" if np.isnan(spread) else f"\n± {_three_digits(spread)}")


def _three_digits(value: float) -> str:
    """Write three significant digits, and all digits before the point.

    >>> _three_digits(3384.4), _three_digits(44.06), _three_digits(0.00383)
    ('3,384', '44.1', '0.00383')
    """
    if np.isnan(value):
        return "–"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def draw_classes(table: pd.DataFrame, title: str) -> Figure:
    """Draw the mean wait of classes of jobs, from `figure_data.by_class`; figure 2."""
    with titled(4.6, waits_less(table), title) as figure:
        for axes, (by, label) in zip(figure.subplots(2, 1), BY.items(), strict=True):
            class_rows = table[table["by"] == by]
            names = list(dict.fromkeys(class_rows["class"]))
            for place, (name, color) in enumerate(COLORS.items()):
                rows = class_rows[class_rows["scheduler"] == name].set_index("class").loc[names]
                axes.plot(
                    range(len(names)), rows["hours"], "oD"[place], ms=5, color=color, label=name
                )
            ends = class_rows.groupby("class")["hours"].agg(["min", "max"]).loc[names]
            axes.vlines(range(len(names)), *ends.to_numpy().T, color=LINE, linewidth=1, zorder=1)
            axes.set_yscale("symlog", linthresh=SHORTEST)
            axes.set_yticks(list(WAITS), list(WAITS.values()))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.set_ylim(0, 1.5 * max(class_rows["hours"].max(), SHORTEST))
            ticks = [f"{one}\n{count:,}" for one, count in zip(names, rows["jobs"], strict=True)]
            axes.set_xticks(range(len(names)), ticks)
            axes.set_xlabel(f"{label} (below: number of jobs)")
            axes.set_ylabel("mean wait")
        legend_below(figure, axes, 2)
    return figure


def draw_waits(table: pd.DataFrame, cdf: pd.DataFrame, title: str) -> Figure:
    """Draw wait, slowdown and the cumulative distribution of waits; figure 6."""
    with titled(3.0, changed(table), title) as figure:
        wait, slowdown, shares = figure.subplots(1, 3, width_ratios=[1, 1, 1.8])
        draw_measure(wait, table, "wait")
        draw_measure(slowdown, table, "slowdown")
        draw_shares(shares, cdf, "wait (h)", "share of the jobs (%)")
        shares.set_xscale("symlog", linthresh=0.1)
        ticks = [0, 0.1, 1, 10, 100, 1000]
        shares.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        legend_below(figure, wait, 2)
    return figure


def draw_shares(axes: Axes, cdf: pd.DataFrame, label: str, of: str) -> None:
    """Draw cumulative shares of both schedulers, up to where both reach 100 %."""
    for name, color in COLORS.items():
        shares = cdf[cdf["scheduler"] == name]
        axes.step(shares["value"], 100 * shares["share"], where="post", color=color, label=name)
    full = cdf.loc[cdf["value"] > cdf.loc[cdf["share"] < 1, "value"].max(), "value"]
    axes.set_xlim(0, full.min() if len(full) else None)
    axes.set_ylim(None, 101)
    axes.set(xlabel=label, ylabel=of)


WEEK = 7 * 24
#: numbers of processors whose lines of acceptable waits are labeled
LABELED = (1, 4, 16, 256)


def draw_fairness(
    table: pd.DataFrame, users: pd.DataFrame, cdf: pd.DataFrame, title: str
) -> Figure:
    """Draw mean NUWT, NUWT of each user, and its cumulative distribution; figures 3 and 7."""
    with titled(3.0, changed(table), title) as figure:
        mean, by_user, shares = figure.subplots(1, 3, width_ratios=[1, 1.7, 1.7])
        draw_measure(mean, table, "nuwt")
        _draw_users(by_user, users)
        by_user.set_yscale("symlog", linthresh=1e-4)
        by_user.set(xlabel="user, by NUWT under Orig-BF", ylabel="NUWT")
        draw_shares(shares, cdf, "NUWT", "share of the users (%)")
        shares.set_xscale("symlog", linthresh=1e-4)
        legend_below(figure, mean, 2)
    return figure


def draw_complaints(
    tolerance: pd.DataFrame, users: pd.DataFrame, sizes: pd.DataFrame, title: str
) -> Figure:
    """Draw acceptable waits, complaints by user, and their sizes; figure 8."""
    complaining = users[(users[list(COLORS)] > 0).any(axis=1)]
    with titled(3.2, complaints(complaining), title) as figure:
        acceptable, by_user, ordered = figure.subplots(1, 3)
        _draw_tolerance(acceptable, tolerance)
        _draw_users(by_user, complaining)
        by_user.set(
            xlabel="user, by complaints under Orig-BF", ylabel="complaints (mean over seeds)"
        )
        for name, color in COLORS.items():
            rows = sizes[sizes["scheduler"] == name]
            ordered.plot(rows["rank"], rows["size"], "o-", ms=3, color=color, label=name)
        ordered.xaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
        ordered.set(xlabel="complaint, the largest first", ylabel="wait over acceptable wait")
        legend_below(figure, ordered, 2)
    return figure


def _draw_users(axes: Axes, users: pd.DataFrame) -> None:
    places = np.arange(1, len(users) + 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    for (name, color), size in zip(COLORS.items(), (5, 3.5), strict=True):
        axes.plot(places, users[name], "o", ms=size, mew=0, color=color, label=name)


def _draw_tolerance(axes: Axes, tolerance: pd.DataFrame) -> None:
    groups = list(tolerance.groupby("processors"))
    colors = mpl.colormaps["viridis"](np.linspace(0, 0.9, len(groups)))  # by processors
    for (procs, group), color in zip(groups, colors, strict=True):
        axes.plot(group["walltime"], group["acceptable"], color=color)
        if procs in LABELED:
            axes.annotate(f"{procs}", (group["walltime"].iloc[-1], group["acceptable"].iloc[-1]),
                          (3, 0), textcoords="offset points", va="center", size=7)  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="requested time (h)", ylabel="acceptable wait (h)")
    ticks = [1, 3, 7, 24, WEEK]
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.set_title("lines: processors", loc="right", fontsize=7.5, fontweight="normal")


#: a figure, and the data that it draws
Drawn = tuple[Figure, pd.DataFrame]


@item(
    "fig1", "fig2", "fig3", "fig6", "fig7", "fig8",
    kind="figure", section="Whole logs", rule="draw_plans", apart=True,
)  # fmt: skip
def draw_plans(item: str, rows: NodeRows, jobs: NodeJobs, starts: NodeStarts) -> Picture:
    """Draw both schedulers on a whole log."""
    return Picture(*drawn(item, read_evidence(rows, jobs, starts)))


def title_of(evidence: Evidence) -> str:
    """Return a title: log, label, number of jobs and seeds."""
    seeds = len(evidence.runs[PLAN])
    return (
        f"{evidence.row['workload']}, {evidence.row['label']}, {len(evidence):,} jobs, "
        f"{seeds} seeds of Plan-RS"
    )


def fig1(logs: Sequence[Evidence]) -> Drawn:
    """Draw utilization, wait and slowdown, with recorded and with reacting users."""
    table = figure_data.bars(logs, ["utilisation", "wait", "slowdown"])
    return draw_bars(table, f"{logs[0].row['workload']}; ±: standard deviation of jobs"), table


def fig2(logs: Sequence[Evidence]) -> Drawn:
    """Draw the mean wait by processors and by requested time."""
    table = figure_data.by_class(logs[0])
    return draw_classes(table, title_of(logs[0])), table


def together(**panels: pd.DataFrame) -> pd.DataFrame:
    """Return the tables of several panels in one table, with a column that names the panel."""
    return pd.concat([table.assign(panel=name) for name, table in panels.items()])


def fairness(evidence: Evidence) -> Drawn:
    """Draw normalized user wait times."""
    table, users = figure_data.bars([evidence], ["nuwt"]), figure_data.by_user(evidence, "nuwt")
    shares = figure_data.cumulative(evidence, "nuwt")
    data = together(mean=table, users=users, shares=shares)
    title = f"{title_of(evidence)}; ±: standard deviation of users"
    return draw_fairness(table, users, shares, title), data


def fig6(logs: Sequence[Evidence]) -> Drawn:
    """Draw wait and slowdown of reacting users, and the distribution of waits."""
    table = figure_data.bars([logs[1]], ["wait", "slowdown"])
    shares = figure_data.cumulative(logs[1], "wait")
    title = f"{title_of(logs[1])}; ±: standard deviation of jobs"
    return draw_waits(table, shares, title), together(means=table, shares=shares)


def fig8(logs: Sequence[Evidence]) -> Drawn:
    """Draw the tolerance of users, and the number and size of their complaints."""
    users, sizes = figure_data.by_user(logs[1], "complaints"), figure_data.complaint_sizes(logs[1])
    tolerance = figure_data.tolerance()
    title = f"{title_of(logs[1])}; last panel: the first of them"
    data = together(tolerance=tolerance, users=users, sizes=sizes)
    return draw_complaints(tolerance, users, sizes, title), data


#: how to draw each figure from the experiments with recorded and with reacting users, by node
FIGURES: dict[str, Callable[[Sequence[Evidence]], Drawn]] = {
    "fig1": fig1,
    "fig2": fig2,
    "fig3": lambda logs: fairness(logs[0]),
    "fig6": fig6,
    "fig7": lambda logs: fairness(logs[1]),
    "fig8": fig8,
}


def drawn(figure: str, logs: Sequence[Evidence]) -> Drawn:
    """Draw a figure; if a log is not available, draw a note without numbers."""
    if not all(map(len, logs)):
        return log_not_available(logs[0].row["source"]), pd.DataFrame({"log": [NOT_AVAILABLE]})
    return FIGURES[figure](logs)
