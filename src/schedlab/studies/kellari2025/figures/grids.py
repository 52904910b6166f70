"""Draw the figures of kellari2025 with a number in every cell: heatmaps and correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Patch

from schedlab.report.figures.style import SMALL, titled
from schedlab.studies.kellari2025.figures.findings import best_pairs, strongest

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

UNKNOWN = "#d9d9d9"


def draw_correlations(tables: Mapping[str, pd.DataFrame], note: str) -> Figure:
    """Draw correlation matrices side by side; figures 6.14 and 6.15."""
    first = next(iter(tables.values()))
    with titled(0.7 + 5 * len(tables), strongest(first), note) as figure:
        for axes, (title, table) in zip(
            figure.subplots(len(tables), 1, squeeze=False)[:, 0], tables.items(), strict=True
        ):
            image = axes.imshow(table, cmap="RdBu_r", vmin=-1, vmax=1)
            _annotate(axes, image)
            axes.set_xticks(range(len(table)), table.columns, rotation=40, ha="right")
            axes.set_yticks(range(len(table)), table.index)
            axes.set_title(title)
            _bare(axes)
        figure.colorbar(image, ax=figure.axes, shrink=0.7, label="coefficient")
    return figure


def _annotate(axes: Axes, image: AxesImage, size: float = 7.5) -> None:
    """Write every number into its cell, in white on dark cells."""
    for (row, column), value in np.ndenumerate(image.get_array().filled(np.nan)):
        if not np.isnan(value):
            red, green, blue, _ = image.cmap(image.norm(value))
            color = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else "black"
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", size=size, color=color)


def _bare(axes: Axes) -> None:
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def draw_heatmaps(pairs: pd.DataFrame) -> Figure:
    """Draw the speedups of a pool, whole and by process count; figure 4.6.

    `pairs` are from `Pool.to_frame`, with the column processes: the process count of the group that
    the row's application belongs to (a power of two).
    """
    order = pairs.drop_duplicates("name_A").sort_values(["processes", "name_A"], kind="stable")
    names = list(order["name_A"])
    wide = pairs.pivot(index="name_A", columns="name_B", values="speedup_A_B")
    wide = wide.loc[names, names]
    speedups = wide.to_numpy()[~np.isnan(wide.to_numpy())]
    norm = TwoSlopeNorm(1, min(speedups.min(), 0.99), max(speedups.max(), 1.01))
    groups = dict(list(order.groupby("processes")["name_A"]))
    whole = f"{pairs['pool'].iloc[0]}: speedup of the row next to the column"
    with titled(14.5, best_pairs(pairs), whole) as figure:
        upper, lower = figure.subfigures(2, 1, height_ratios=[1, 1.12])
        axes = upper.subplots()
        image = _heat(axes, wide, norm)
        edge = -0.5
        for members in list(groups.values())[:-1]:
            edge += len(members)
            axes.axhline(edge, color="black", linewidth=0.7)
            axes.axvline(edge, color="black", linewidth=0.7)
        upper.colorbar(image, ax=axes, shrink=0.6, label="speedup over running alone")
        measured = pairs["measured"].all() or not pairs["speedup_A_B"].isna().any()
        if not measured:
            upper.legend(handles=[Patch(facecolor=UNKNOWN, label="not measured")],
                        loc="outside lower right")  # fmt: skip
        columns = 2
        rows = -(-len(groups) // columns)
        panels = lower.subplots(rows, columns, squeeze=False).ravel()
        for panel, (processes, members) in zip(panels, groups.items(), strict=False):
            group_speedups = wide.loc[members, members]
            _annotate(panel, _heat(panel, group_speedups, norm), SMALL)
            panel.set_title(f"{processes} processes")
        for panel in panels[len(groups) :]:
            panel.set_axis_off()
    return figure


def _heat(axes: Axes, table: pd.DataFrame, norm: TwoSlopeNorm) -> AxesImage:
    axes.set_facecolor(UNKNOWN)
    image = axes.imshow(table, cmap="PuOr_r", norm=norm)
    axes.set_xticks(range(len(table)), table.columns, rotation=90, size=SMALL)
    axes.set_yticks(range(len(table)), table.index, size=SMALL)
    _bare(axes)
    return image
