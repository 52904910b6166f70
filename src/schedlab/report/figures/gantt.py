"""Gantt charts and node layouts: the state of all nodes, and the jobs on some of them."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from schedlab.report.figures.style import AMBER, BLUE, GREEN, SERIES, titled

HEAVY = 2000  # from this many rectangles on, the chart is a bitmap inside the .pdf
NEAR = 40  # nodes whose jobs are shown, one line of the figure each
# What nodes do, in the order of `schedlab.cosched.timelines.NODE_STATES`.
STATE_COLORS = ("white", BLUE, GREEN, AMBER)


def draw_gantt(
    lanes: pd.DataFrame, jobs: pd.DataFrame, states: np.ndarray, names: Sequence[str], note: str
) -> Figure:
    """Draw the states of all nodes over time and the jobs of some; figures 4.5, 6.9 and 6.10."""
    last = lanes["end"].max() / 3600
    with titled(5.6, _shares(states, names), note) as figure:
        above, below = figure.subplots(2, 1, sharex=True)
        present_states = [place for place in range(1, len(names)) if (states == place).any()]
        colors = mpl.colors.ListedColormap(STATE_COLORS)
        above.imshow(states, cmap=colors, vmin=-0.5, vmax=len(names) - 0.5, aspect="auto",
                     origin="lower", extent=(0, last, 0, len(states)),
                     interpolation="nearest")  # fmt: skip
        above.grid(False)
        above.set(ylabel="node", title="all nodes, by what they do")
        handles = [Patch(color=STATE_COLORS[place], label=names[place]) for place in present_states]
        above.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5))
        _draw_near(below, lanes[lanes["node"] < NEAR], jobs)
        below.set(xlabel="time (h)", xlim=(0, last), ylabel="node")
    return figure


def _shares(states: np.ndarray, names: Sequence[str]) -> str:
    """Return the share of node time in each state, in per cent, until the end."""
    shares = [100 * (states == place).mean() for place in range(len(names))]
    parts = [f"{share:.0f} % {name}" for name, share in zip(names, shares, strict=True) if share]
    return f"Of the nodes' time: {', '.join(parts)}"


def _draw_near(axes: Axes, lanes: pd.DataFrame, jobs: pd.DataFrame) -> None:
    """Draw the jobs of a few nodes, the halves of a node below each other."""
    benchmarks = jobs["application"].str.partition(".")[0].to_numpy()
    names = sorted(set(benchmarks))
    colors = {name: SERIES[place % len(SERIES)] for place, name in enumerate(names)}
    low = (lanes["node"] + lanes["bottom"]).to_numpy()
    faces = [colors[benchmarks[job]] for job in lanes["job"]]
    bars = bars_of(lanes["start"] / 3600, lanes["end"] / 3600, low, low + lanes["height"])
    axes.add_collection(PolyCollection(bars, facecolors=faces, linewidths=0.3, edgecolors="white",
                                       rasterized=len(lanes) > HEAVY))  # fmt: skip
    top = int(lanes["node"].max()) + 1
    axes.set(ylim=(0, top), title=f"nodes 0 to {top - 1}, by application; half a row: half a node")
    axes.grid(False)
    handles = [Patch(color=color, label=name) for name, color in colors.items()]
    axes.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5))


def bars_of(start, end, low, high) -> np.ndarray:
    """Return the corners of rectangles, shape (n, 4, 2)."""
    start, end, low, high = (np.asarray(values, dtype=float) for values in (start, end, low, high))
    x = np.stack([start, end, end, start], axis=1)
    y = np.stack([low, low, high, high], axis=1)
    return np.stack([x, y], axis=2)
