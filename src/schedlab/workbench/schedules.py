"""Figure of a schedule on processors, with the number of waiting jobs below it."""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from schedlab.report.figures.gantt import HEAVY, bars_of
from schedlab.report.figures.style import BLUE, ORANGE, titled

HOUR = 3600


def draw_schedule(
    bars: pd.DataFrame,
    queue: pd.DataFrame,
    processors: int,
    span: tuple[float, float],
    note: str,
    marked: int | None = None,
) -> Figure:
    """Draw which processors ran which job at which time; darker bars waited longer.

    All times are in seconds. `bars` has a row for each range of processors of a job: job, low,
    high, start, end and wait. `queue` has time and waiting, the number of waiting jobs from then
    on. `span` is the beginning and end of the figure, `note` its title, and `marked` a job of
    `bars` to outline.
    """
    wait = bars["wait"].to_numpy(dtype=float) / HOUR
    # long waits are rare: half of the shades are for waits up to a tenth of the longest
    norm = mpl.colors.PowerNorm(0.3, 0, max(wait.max(initial=0), 1e-9))
    map_ = mpl.colormaps["Blues"]
    shades = mpl.colors.ListedColormap(map_(np.linspace(0.25, 1, 256)))
    heavy = len(bars) > HEAVY
    with titled(4.6, note) as figure:
        top, below = figure.subplots(2, sharex=True, height_ratios=[4, 1])
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
