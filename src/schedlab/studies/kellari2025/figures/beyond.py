"""Draw the figures beyond kellari2025: changed settings, tariffs and predicted pairs."""

from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from schedlab.core.machine import Machine
from schedlab.core.streams import generator
from schedlab.cosched import pairs, pricing
from schedlab.cosched.pricing import TARIFFS
from schedlab.files.stand_ins import short_name
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import (
    BLUE,
    GREEN,
    ORANGE,
    SERIES,
    colors_of,
    legend_below,
    titled,
)
from schedlab.report.items import From, Given, Item, item
from schedlab.report.parts import Data, Table, Words
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import as_list, filled
from schedlab.studies.kellari2025 import beyond
from schedlab.studies.kellari2025.beyond import ALIKE, ENDS, HIGHER, LOWER, sides
from schedlab.studies.kellari2025.inputs import LARGE, SMALL, Labels, Runs, Speeds, as_nodes, kept
from schedlab.studies.kellari2025.sheet import PAPER

# The largest number of settings that a title lists.
MOST_SETTINGS = 4


def moved(changes: pd.DataFrame, against: str) -> str:
    """Return for how many schedulers mean slowdown changes significantly in each setting."""
    if changes.empty:
        return f"There is nothing to compare with {against}"
    compared = sides(changes)
    settings = changes["setting"].nunique()
    if settings > MOST_SETTINGS:
        return (
            f"Against {against}, mean slowdown is significantly lower in "
            f"{compared.eq(LOWER).sum()} and higher in {compared.eq(HIGHER).sum()} of "
            f"{len(changes)} pairs of scheduler and setting"
        )
    counts = compared.ne(ALIKE).groupby(changes["setting"], sort=False).agg(["sum", "size"])
    parts = [f"{row['sum']} of {row['size']} ({name})" for name, row in counts.iterrows()]
    return f"Against {against} mean slowdown differs significantly for {', '.join(parts)}"


#: settings that are changed one at a time: title, and the scheduler to compare with
CHANGED = {
    "beyond_estimates": ("Without knowing run times", None),
    "beyond_matching": ("Which nodes a job takes", None),
    "beyond_arrivals": ("Jobs that arrive over time", "EASY"),
}
OWN = ("Your settings", None)
TARIFF_COLORS = colors_of(TARIFFS)
PANELS = {"slowdown": "mean slowdown", "makespan_speedup": "makespan speedup"}
# Settings have no order, so they have distinct colors and markers, not shades of one color.
SETTINGS = tuple(zip(SERIES, "osD^vPX", strict=False))
# Characters of legend labels that fit in one row below a figure, and inches per row.
LEGEND_WIDTH, LEGEND_ROW = 105, 0.17
# Percent of change, and of the upper end of its interval, above which a figure shows ratios on a
# logarithmic axis.
LARGEST_CHANGE, LARGEST_END = 60, 100


@item(
    lambda study: [*CHANGED, *(["own"] if study.of_item("own") else [])],
    kind="unshown figure text", section="Beyond the thesis", apart=True, **SMALL,
)  # fmt: skip
def show_settings(
    item: str, runs: Runs, labels: Labels, words: Words
) -> tuple[Table, Picture, str]:
    """Show the effect of changed settings in a table, sentences and a figure."""
    title, compared_with = CHANGED.get(item, OWN)
    table = beyond.by_setting(runs, labels)
    reference = table["setting"].iloc[0]
    comparison = f"the first setting, {reference}"
    changes = table[table["setting"].ne(reference) & table["scheduler"].ne(NOT_AVAILABLE)]
    known = beyond.effects_of(table)
    if compared_with:
        reference, comparison = compared_with, f"{compared_with} in the same setting"
        changes = beyond.gaps(runs, labels, reference)
        known = beyond.sides_of(changes, labels, reference)
        table = beyond.with_gaps(table, changes, reference)
        comparison += " (columns against_…) and the first setting"
    count, size = runs["workload"].nunique(), runs["jobs"].iloc[0]
    on = f"{count} workloads of {size} jobs on {runs['pool'].iloc[0]}"
    facts = {"title": title, "on": on, "comparison": comparison}
    said = filled(words[item]["sentence"], known)
    # The interval over a single workload is infinite.
    table = table.replace([np.inf, -np.inf], np.nan)
    figure = draw_settings(changes, reference, f"{title} ({on})")
    return Table(table, 3, facts, as_list(said)), Picture(figure), said


@item(
    Item("beyond_pricing", "unshown figure text"), Item("beyond_pricing_applications", "data"),
    section="Beyond the thesis", **LARGE,
)  # fmt: skip
def show_pricing(
    jobs: Annotated[pd.DataFrame, From(lambda study, _: kept(study, "pricing"))],
    machine: Annotated[Machine, Given(lambda study, _: study.row("pricing").machine, as_nodes)],
    words: Words,
) -> dict[str, Data | tuple[Table, Picture, str]]:
    """Show what jobs that share nodes are charged under three tariffs."""
    charged = pricing.charges(jobs, machine)
    table = pricing.by_scheduler(charged)
    shared = charged[charged["scheduler"] != "EASY"]
    applications = pricing.by_application(shared)
    on = f"{jobs['workload'].nunique()} workloads on {jobs['pool'].iloc[0]}"
    said = filled(words["beyond_pricing"]["sentence"], {"tariffs": beyond.prices_of(table)})
    first, more = said.partition("\n")[0], as_list(said)
    figure = draw_pricing(table, applications, first, f"Pricing of shared nodes ({on})")
    captioned = (Table(table, facts={"on": on}, more=more), Picture(figure), said)
    return {"beyond_pricing": captioned, "beyond_pricing_applications": Data(applications)}


@item(
    Item("beyond_pairs", "table figure text"), Item("beyond_pairs_effect", "data"),
    section="Beyond the thesis", **SMALL,
)  # fmt: skip
def show_pairs(
    pool: Speeds, runs: Runs, labels: Labels, words: Words
) -> dict[str, Data | tuple[Table, Picture, str]]:
    """Predict unmeasured pairs, with the error of each method and its effect on schedules."""
    measured = np.where(pool.measured, pool.speedup, np.nan)
    hidden = pairs.cross_validate(measured, generator(PAPER, "pairs"))
    errors = pairs.errors(hidden)
    effect = beyond.by_setting(runs, labels)
    on = f"{pool.label}, {pool.measured.sum()} of {len(pool) ** 2} ordered pairs measured"
    known = {"errors": beyond.errors_of(errors), **beyond.effects_of(effect)}
    said = filled(words["beyond_pairs"]["sentence"], known)
    first, more = said.partition("\n")[0], as_list(said)
    figure = draw_pairs(hidden, errors, first, f"Prediction of unmeasured pairs ({on})")
    captioned = (Table(errors, 3, {"on": on}, more), Picture(figure), said)
    return {"beyond_pairs": captioned, "beyond_pairs_effect": Data(effect)}


def draw_settings(changes: pd.DataFrame, against: str, note: str) -> Figure:
    """Draw paired changes of mean slowdown and makespan speedup by scheduler and setting."""
    as_ratio = _exceed(changes)
    settings = list(dict.fromkeys(changes["setting"]))
    schedulers = list(dict.fromkeys(changes["scheduler"]))
    longest = max((len(short_name(name)) for name in settings), default=1)
    columns = max(1, min(3, LEGEND_WIDTH // longest))
    more_rows = -(-len(settings) // columns) - -(-len(settings) // 3)
    height = 1.3 + len(schedulers) * (0.16 + 0.075 * len(settings)) + LEGEND_ROW * more_rows
    offsets = np.linspace(-0.32, 0.32, len(settings)) if len(settings) > 1 else [0.0]
    with titled(height, moved(changes, against), note) as figure:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (metric, label) in zip(panels, PANELS.items(), strict=True):
            for number, (setting, offset) in enumerate(zip(settings, offsets, strict=True)):
                color, marker = SETTINGS[number % len(SETTINGS)]
                rows = changes[changes["setting"] == setting].set_index("scheduler")
                rows = rows.reindex(schedulers).replace([-np.inf, np.inf], np.nan)
                change, low, high = (rows[f"{metric}_{end}"] for end in ENDS)
                if as_ratio:
                    change, low, high = (1 + part / 100 for part in (change, low, high))
                place = np.arange(len(schedulers)) + offset
                axes.hlines(place, low, high, color=color, linewidth=1.1)
                axes.plot(change, place, marker, ms=3.4, mew=0, color=color,
                          label=short_name(setting))  # fmt: skip
            axes.axvline(1 if as_ratio else 0, color="black", linewidth=0.8)
            for place in np.arange(len(schedulers) - 1) + 0.5:
                axes.axhline(place, color="#dddddd", linewidth=0.6, zorder=0.5)
            if as_ratio:
                # an interval whose lower end is not positive ends at the edge
                axes.set_xscale("log", nonpositive="clip")
                low, high = axes.get_xlim()
                steps = LogLocator(10, (1, 2, 5), numticks=12)
                axes.xaxis.set_major_locator(
                    steps if high > 5 * low else MaxNLocator(5, steps=(1, 2, 5, 10))
                )
                axes.xaxis.set_minor_locator(NullLocator())
                axes.xaxis.set_major_formatter("{x:g}")
            axes.grid(axis="x")
            axes.grid(axis="y", visible=False)
            axes.set_xlabel(f"{label}: {'ratio' if as_ratio else 'change (%)'}")
        panels[0].set_yticks(range(len(schedulers)), schedulers)
        panels[0].set_ylim(len(schedulers) - 0.5, -0.5)
        handles, labels = panels[0].get_legend_handles_labels()
        title = f"against {against}; lines: 95 % intervals of paired changes"
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, title=title)
    return figure


def _exceed(changes: pd.DataFrame) -> bool:
    """Return whether a mean change, up or down, or the end of an interval is above its limit."""
    means, _, highs = (
        changes[[f"{metric}_{end}" for metric in PANELS]].astype(float).replace(np.inf, np.nan)
        for end in ENDS
    )
    is_above = means.abs() > LARGEST_CHANGE, highs > LARGEST_END
    return any(each.any(axis=None) for each in is_above)


def draw_pricing(
    schedulers: pd.DataFrame, applications: pd.DataFrame, finding: str, note: str
) -> Figure:
    """Draw how many jobs pay more under each tariff, by scheduler, and charges by application."""
    with titled(6, finding, note) as figure:
        grid = figure.add_gridspec(2, 2, height_ratios=[1, 1.1])
        share, income = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        _by_scheduler(share, schedulers, "more", "jobs that pay more (%)", 0.27, as_bars=True)
        _by_scheduler(income, schedulers, "income", "income (% of unshared)", 0.2, as_bars=False)
        income.axhline(100, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        ranges = figure.add_subplot(grid[1, :])
        _ranges(ranges, applications)
        legend_below(figure, share, len(TARIFFS))
    return figure


def _by_scheduler(
    axes: Axes, table: pd.DataFrame, value: str, label: str, apart: float, as_bars: bool
) -> None:
    """Draw a value of each scheduler under each tariff, as bars or dots this far apart."""
    names = list(dict.fromkeys(table["scheduler"]))
    for place, (tariff, color) in enumerate(TARIFF_COLORS.items()):
        values = table[table["tariff"] == tariff].set_index("scheduler")[value].reindex(names)
        x = np.arange(len(names)) + apart * (place - 1)
        if as_bars:
            axes.bar(x, values, 0.25, color=color, label=tariff)
            for zero in x[values.to_numpy() == 0]:
                axes.annotate("0", (zero, 0), (0, 1), textcoords="offset points", size=7,
                              ha="center", color=color)  # fmt: skip
        else:
            axes.plot(x, values, "o", ms=6, mew=0, color=color)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_ylabel(label)


def _ranges(axes: Axes, table: pd.DataFrame) -> None:
    """Draw the 5th to 95th percentile of charge over charge alone; work costs the same alone."""
    plain = table[table["tariff"] == "plain"].sort_values("most")
    names = list(plain["application"])
    shown = {tariff: color for tariff, color in TARIFF_COLORS.items() if tariff != "work"}
    for place, (tariff, color) in enumerate(shown.items()):
        charges = table[table["tariff"] == tariff].set_index("application").loc[names]
        x = np.arange(len(names)) + 0.3 * (place - 0.5)
        axes.vlines(x, charges["least"], charges["most"], color=color, linewidth=2)
        axes.plot(x, charges["middle"], "_", ms=5, color="black", mew=1.4)
    axes.axhline(1, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_ylabel("charge over charge alone\n(5th percentile to 95th, –: median)")
    axes.set_title("by application; for work every job pays what it pays alone")


def draw_pairs(predictions: pd.DataFrame, errors: pd.DataFrame, finding: str, note: str) -> Figure:
    """Draw predicted against actual speedups of hidden pairs, and the error of each method."""
    methods = list(dict.fromkeys(errors["method"]))
    single = predictions[predictions["design"] == "pairs"]
    limits = single["actual"].min() - 0.03, single["actual"].max() + 0.03
    with titled(3.1, finding, note) as figure:
        *panels, rmse = figure.subplots(
            1, len(methods) + 1, width_ratios=[1] * len(methods) + [1.2]
        )
        for axes, method in zip(panels, methods, strict=True):
            method_values = single[single["method"] == method]
            axes.plot(method_values["actual"], method_values["predicted"], "o", ms=2.5, mew=0,
                      color=BLUE, alpha=0.5)  # fmt: skip
            axes.plot(limits, limits, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
            axes.set(xlim=limits, ylim=limits, aspect="equal")
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_locator(MaxNLocator(3))
            axes.set_title(method.replace("_", " "))
        for axes in panels[1:]:
            axes.tick_params(labelleft=False)
        panels[0].set_ylabel("predicted speedup")
        panels[len(panels) // 2].set_xlabel("measured speedup")
        designs = {"pairs": (GREEN, "o", "single pairs hidden"),
                   "groups": (ORANGE, "s", "pairs between groups hidden")}  # fmt: skip
        for offset, (design, (color, marker, label)) in zip((-0.16, 0.16), designs.items(),
                                                            strict=True):  # fmt: skip
            design_errors = errors[errors["design"] == design].set_index("method")
            values = design_errors["rmse"].reindex(methods)
            places = np.arange(len(methods)) + offset
            rmse.plot(values, places, marker, color=color, ms=5, label=label)
        rmse.set_yticks(range(len(methods)), [name.replace("_", " ") for name in methods])
        rmse.set_ylim(len(methods) - 0.5, -0.5)
        rmse.set_xlim(0, 1.08 * errors["rmse"].max())
        rmse.grid(axis="x")
        rmse.set_xlabel("rmse of the speedup")
        legend_below(figure, rmse)
    return figure
