"""Draw the figures of kellari2025 with a number in every cell: heatmaps and correlations."""

from collections.abc import Iterable, Mapping
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Patch

from schedlab.cosched.pool import STAND_IN, Pool, printed_name, processes_class
from schedlab.report.comparison import compare_table, published_of, reasons_of
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import SMALL, titled
from schedlab.report.items import From, Item, item, resource
from schedlab.report.parts import Table
from schedlab.studies.kellari2025.inputs import Speeds

REFERENCE = "bt.D.256"  # the application whose pairs Table 4.1 lists
TABLE41 = ["compact_B", "co_A_B", "co_B_A"]


def table4_1(pool: Pool) -> pd.DataFrame:
    """Return every pair of bt.D.256 in the columns of Table 4.1; nan for unmeasured pairs."""
    place = int(pool.index([REFERENCE])[0])
    return pd.DataFrame(
        {
            "name_A": REFERENCE,
            "procs_A": pool.procs[place],
            "compact_A": pool.compact[place],
            "name_B": pool.names,
            "procs_B": pool.procs,
            "compact_B": pool.compact,
            "co_A_B": pool.coscheduled[place],
            "co_B_A": pool.coscheduled[:, place],
        }
    )


def compare_table4_1(
    published: pd.DataFrame, computed: pd.DataFrame, label: str, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every published number of Table 4.1 with the computed one.

    The model in place of a pool is made from Table 4.1, so nothing is compared on it.
    """
    by_name = computed.set_index(computed["name_B"].map(printed_name))
    missing = dict.fromkeys(TABLE41, f"made of {STAND_IN} itself")
    return compare_table(
        published[TABLE41],
        by_name,
        reasons,
        ("name_B", "column"),
        missing=missing if label.startswith(STAND_IN) else {},
    )


def table4_2(sizes: pd.DataFrame, pool: Pool) -> pd.DataFrame:
    """Return the benchmarks' problem sizes, and how many applications of a class the pool has."""
    kinds = pd.Series([tuple(name.split(".")[:2]) for name in pool.names]).value_counts()
    counts = {
        f"applications_{problem}": [
            int(kinds.get((benchmark.lower(), problem.upper()), 0))
            for benchmark in sizes["benchmark"]
        ]
        for problem in "de"
    }
    return sizes.assign(**counts)


def by_processes(pool: Pool) -> pd.DataFrame:
    """Return the data of figure 4.6: every ordered pair with the class of its process count."""
    frame = pool.to_frame()
    return frame.assign(processes=[processes_class(procs) for procs in frame["procs_A"]])


def strongest(table: pd.DataFrame) -> str:
    """Return the two metrics with the strongest correlation, positive or negative."""
    values = table.to_numpy(dtype=float).copy()
    values[np.tril_indices(len(values))] = np.nan
    place = np.nanargmax(np.abs(values))
    row, column = np.unravel_index(place, values.shape)
    return (
        f"The strongest correlation is between {table.index[row]} and {table.columns[column]} "
        f"({values[row, column]:+.2f})"
    )


def best_pairs(pairs: pd.DataFrame) -> str:
    """Return which application gains most, and which loses most, by sharing with another.

    Expects name_A, name_B and speedup_A_B: of A when it shares with B, nan if not measured.
    """
    measured = pairs.dropna(subset="speedup_A_B")
    best, worst = (measured.loc[measured["speedup_A_B"].agg(end)] for end in ("idxmax", "idxmin"))
    return (
        f"{best['name_A']} gains most next to {best['name_B']} ({best['speedup_A_B']:.2f}); "
        f"{worst['name_A']} loses most next to {worst['name_B']} ({worst['speedup_A_B']:.2f})"
    )


UNKNOWN = "#d9d9d9"
#: columns of panels of pairs
PANEL_COLUMNS = 2


@item(
    *("table4_1", "table4_1_comparison", "table4_2"),
    *(Item("fig4_6", "figure"), Item("fig4_6_panels", "figure")),
    section="Chapter 4",
)  # fmt: skip
def show_pool(
    pool: Speeds,
    sizes: Annotated[
        pd.DataFrame,
        From(resource("table4_2.tsv"), lambda path: pd.read_csv(path, sep="\t", dtype=str)),
    ],
    published: Annotated[pd.DataFrame, published_of("table4_1")],
    reasons: Annotated[pd.DataFrame, reasons_of("table4_1")],
) -> dict[str, Table | Picture]:
    """Return Tables 4.1 and 4.2, the comparison of the first, and both parts of figure 4.6."""
    on = f"{pool.label}: {len(pool)} applications, {pool.measured.sum()} of {len(pool) ** 2} "
    on += "ordered pairs measured."
    part = table4_1(pool)
    tables = {
        "table4_1": part,
        "table4_1_comparison": compare_table4_1(published, part, pool.label, reasons),
        "table4_2": table4_2(sizes, pool),
    }
    pairs = by_processes(pool)
    return {name: Table(table, facts={"on": on}) for name, table in tables.items()} | {
        "fig4_6": Picture(draw_heatmap(pairs), pairs),
        "fig4_6_panels": Picture(draw_heatmap_panels(pairs), pairs),
    }


def draw_correlations(tables: Mapping[str, pd.DataFrame], note: str) -> Figure:
    """Draw correlation matrices side by side, without symmetric halves; figures 6.14, 6.15."""
    first = next(iter(tables.values()))
    with titled(4.2 if len(tables) > 1 else 5, strongest(first), note) as figure:
        panels = figure.subplots(1, len(tables), squeeze=False, sharey=True)[0]
        for axes, (title, table) in zip(panels, tables.items(), strict=True):
            lower = np.tril(np.ones(table.shape, dtype=bool), -1)
            image = axes.imshow(table.where(lower).iloc[1:, :-1], cmap="RdBu_r", vmin=-1, vmax=1)
            _annotate(axes, image, SMALL)
            axes.set_xticks(range(len(table) - 1), table.columns[:-1], rotation=40, ha="right")
            axes.set_yticks(range(len(table) - 1), table.index[1:])
            axes.set_title(title)
            _bare(axes)
        figure.colorbar(image, ax=list(panels), shrink=0.7, label="coefficient",
                        location="bottom", aspect=40)  # fmt: skip
    return figure


def _annotate(axes: Axes, image: AxesImage, size: float = 7.5) -> None:
    """Write every number into its cell, in white on dark cells."""
    for (row, column), value in np.ndenumerate(image.get_array().filled(np.nan)):
        if not np.isnan(value):
            red, green, blue, _ = image.cmap(image.norm(value))
            color = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else "black"
            axes.text(
                column, row, _two_digits(value), ha="center", va="center", size=size, color=color
            )


def _two_digits(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def _bare(axes: Axes) -> None:
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def draw_heatmap(pairs: pd.DataFrame) -> Figure:
    """Draw the speedups of all pairs of a pool, by groups of process counts; figure 4.6."""
    wide, groups = _speedups(pairs)
    with titled(6.6, best_pairs(pairs), _what_is_shown(pairs)) as figure:
        axes = figure.subplots()
        image = _heat(axes, wide, _scale(wide))
        edge = -0.5
        for members in list(groups.values())[:-1]:
            edge += len(members)
            axes.axhline(edge, color="black", linewidth=0.7)
            axes.axvline(edge, color="black", linewidth=0.7)
        figure.colorbar(image, ax=axes, shrink=0.6, label="speedup over running alone")
        measured = pairs["measured"].all() or not pairs["speedup_A_B"].isna().any()
        if not measured:
            figure.legend(handles=[Patch(facecolor=UNKNOWN, label="not measured")],
                          loc="outside lower right")  # fmt: skip
    return figure


def draw_heatmap_panels(pairs: pd.DataFrame) -> Figure:
    """Draw the speedups of pairs within each group of process counts; the panels of figure 4.6."""
    wide, groups = _speedups(pairs)
    rows = -(-len(groups) // PANEL_COLUMNS)
    within = pairs[_group_of(pairs["name_A"], groups) == _group_of(pairs["name_B"], groups)]
    with titled(0.8 + 2.9 * rows, best_pairs(within), _what_is_shown(pairs)) as figure:
        panels = figure.subplots(rows, PANEL_COLUMNS, squeeze=False).ravel()
        for panel, (processes, members) in zip(panels, groups.items(), strict=False):
            group_speedups = wide.loc[members, members]
            _annotate(panel, _heat(panel, group_speedups, _scale(wide)), SMALL)
            panel.set_title(f"{processes} processes")
        for panel in panels[len(groups) :]:
            panel.set_axis_off()
    return figure


def _speedups(pairs: pd.DataFrame) -> tuple[pd.DataFrame, dict[int, list[str]]]:
    order = pairs.drop_duplicates("name_A").sort_values(["processes", "name_A"], kind="stable")
    names = list(order["name_A"])
    wide = pairs.pivot(index="name_A", columns="name_B", values="speedup_A_B")
    groups = {processes: list(part) for processes, part in order.groupby("processes")["name_A"]}
    return wide.loc[names, names], groups


def _group_of(names: pd.Series, groups: Mapping[int, Iterable[str]]) -> pd.Series:
    return names.map({name: group for group, members in groups.items() for name in members})


def _what_is_shown(pairs: pd.DataFrame) -> str:
    return f"{pairs['pool'].iloc[0]}: speedup of the row next to the column"


def _scale(wide: pd.DataFrame) -> TwoSlopeNorm:
    low, high = np.nanmin(wide.to_numpy()), np.nanmax(wide.to_numpy())
    return TwoSlopeNorm(1, min(low, 0.99), max(high, 1.01))


def _heat(axes: Axes, table: pd.DataFrame, norm: TwoSlopeNorm) -> AxesImage:
    axes.set_facecolor(UNKNOWN)
    image = axes.imshow(table, cmap="PuOr_r", norm=norm)
    axes.set_xticks(range(len(table)), table.columns, rotation=90, size=SMALL)
    axes.set_yticks(range(len(table)), table.index, size=SMALL)
    _bare(axes)
    return image
