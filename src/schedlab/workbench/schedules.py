"""Figure of a schedule on processors, with the number of waiting jobs below it."""

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from schedlab.report.figures.gantt import HEAVY, bars_of
from schedlab.report.figures.style import AMBER, BLACK, BLUE, GREEN, GREY, ORANGE, SMALL, titled

HOUR = 3600
#: inches of the tallest figure
TALLEST = 9.0
#: color of what keeps jobs from nodes, see `Rows`
AWAY = {
    "drained": GREY,
    "down": BLACK,
    "maintenance": AMBER,
    "reserved": GREEN,
}


@dataclass(frozen=True, eq=False)
class Rows:
    """Nodes as rows of a figure, from the top.

    `groups` are name, first row and row behind the last of partitions; `names` of nodes may be "".
    `away` has row, start, end and what (a key of `AWAY`), in seconds.
    """

    groups: Sequence[tuple[str, int, int]]
    names: Sequence[str]
    away: pd.DataFrame


def draw_schedule(
    bars: pd.DataFrame,
    queue: pd.DataFrame,
    processors: int,
    span: tuple[float, float],
    note: str,
    marked: int | None = None,
    rows: Rows | None = None,
) -> Figure:
    """Draw which processors ran which job at which time; darker bars waited longer.

    All times are in seconds. `bars` has a row for each range of processors of a job: job, low,
    high, start, end and wait. `queue` has time and waiting, the number of waiting jobs from then
    on. `span` is the beginning and end of the figure, `note` its title, and `marked` a job of
    `bars` to outline. With `rows` the bars are on nodes.
    """
    wait = bars["wait"].to_numpy(dtype=float) / HOUR
    # long waits are rare: half of the shades are for waits up to a tenth of the longest
    norm = mpl.colors.PowerNorm(0.3, 0, max(wait.max(initial=0), 1e-9))
    map_ = mpl.colormaps["Blues"]
    shades = mpl.colors.ListedColormap(map_(np.linspace(0.25, 1, 256)))
    heavy = len(bars) > HEAVY
    height = 4.6 if rows is None else float(np.clip(3 + 0.04 * processors, 4.6, TALLEST))
    with titled(height, note) as figure:
        top, below = figure.subplots(2, sharex=True, height_ratios=[height - 0.9, 0.9])
        corners = bars_of(bars["start"] / HOUR, bars["end"] / HOUR, bars["low"], bars["high"])
        # thin lines between adjacent bars, which may have the same shade
        edges = {"linewidths": 0} if heavy else {"linewidths": 0.3, "edgecolors": "white"}
        bars_collection = PolyCollection(corners, array=wait, cmap=shades, norm=norm, **edges)
        bars_collection.set_rasterized(heavy)
        top.add_collection(bars_collection)
        if marked is not None:
            mine = corners[(bars["job"] == marked).to_numpy()]
            top.add_collection(
                PolyCollection(mine, facecolors="none", edgecolors=ORANGE, linewidths=1.5)
            )
        top.set_ylim(0, processors)
        top.set(ylabel="processor")
        top.grid(False)
        if rows is not None:
            _draw_rows(top, rows, processors)
        figure.colorbar(bars_collection, ax=top, label="waited (h)")
        # waiting jobs within the span, from its beginning on
        in_span = queue[
            queue["time"].between(queue["time"][queue["time"] <= span[0]].max(), span[1])
        ]
        below.step(queue["time"] / HOUR, queue["waiting"], where="post", color=BLUE, linewidth=1)
        below.set(xlabel="hours from the first submission", ylabel="waiting jobs")
        below.set_ylim(0, 1.05 * max(in_span["waiting"].max(), 1))
        below.set_xlim(span[0] / HOUR, span[1] / HOUR)
    return figure


def _draw_rows(axes: Axes, rows: Rows, nodes: int) -> None:
    """Name nodes and partitions, and shade nodes that are away."""
    axes.set_ylim(nodes, 0)
    axes.set(ylabel="")
    named = [row for row, name in enumerate(rows.names) if name]
    axes.set_yticks([row + 0.5 for row in named], [rows.names[row] for row in named], size=SMALL)
    middles = [(low + high) / 2 for _, low, high in rows.groups]
    if not named:
        axes.set_yticks(middles, [f"{name} ({high - low})" for name, low, high in rows.groups])
    for place, (name, low, _) in enumerate(rows.groups):
        axes.axhline(low, color=BLACK, linewidth=0.6)
        if named:
            spot = {"ha": "right", "va": "center", "rotation": 90, "size": SMALL}
            axes.annotate(name, (-0.1, middles[place]), xycoords=("axes fraction", "data"), **spot)
    handles = []
    for what, color in AWAY.items():
        part = rows.away[rows.away["what"] == what]
        if not len(part):
            continue
        corners = bars_of(part["start"] / HOUR, part["end"] / HOUR, part["row"], part["row"] + 1)
        shade = {"facecolors": color, "alpha": 0.35, "linewidths": 0, "zorder": 0.5}
        axes.add_collection(PolyCollection(corners, rasterized=len(part) > HEAVY, **shade))
        handles.append(Patch(color=color, alpha=0.35, label=what))
    if handles:
        place = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": len(handles)}
        axes.legend(handles=handles, borderaxespad=0.2, **place)
