"""Gantt charts and layouts of jobs on nodes, drawn as collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from schedlab.figures.style import house_style

if TYPE_CHECKING:
    pass

HEAVY = 2000  # rectangles from which on a chart is a picture inside the .pdf


def draw_gantt(lanes: pd.DataFrame, jobs: pd.DataFrame, cores: int, note: str) -> Figure:
    """Draw where jobs ran and when; figures 4.5, 6.9 and 6.10.

    Parameters
    ----------
    lanes : DataFrame
        From `schedlab.cosched.timelines.lanes`.
    jobs : DataFrame
        The schedule, with the application of every job.
    cores : int
        Of a node, for the axis.
    note : str
        Title.
    """
    benchmarks = jobs["application"].str.partition(".")[0].to_numpy()
    names = sorted(set(benchmarks))
    colours = {name: mpl.colormaps["tab10"](place) for place, name in enumerate(names)}
    shades = 0.55 + 0.45 * ((np.arange(len(jobs)) * 0.618034) % 1)  # neighbours differ
    with house_style():
        figure = Figure(figsize=(10, 5), layout="constrained")
        axes = figure.subplots()
        low = (lanes["node"] + lanes["bottom"]).to_numpy()
        job = lanes["job"].to_numpy()
        faces = np.array([mpl.colors.to_rgba(colours[benchmarks[each]]) for each in job])
        faces[:, :3] = 1 - (1 - faces[:, :3]) * shades[job][:, None]
        bars = bars_of(lanes["start"] / 3600, lanes["end"] / 3600, low, low + lanes["height"])
        heavy = len(lanes) > HEAVY
        axes.add_collection(PolyCollection(bars, facecolors=faces, linewidths=0, rasterized=heavy))
        axes.set_xlim(0, lanes["end"].max() / 3600)
        axes.set_ylim(0, lanes["node"].max() + 1)
        axes.set(xlabel="time (h)", ylabel=f"node ({cores} cores each)", title=note)
        axes.grid(False)
        handles = [Patch(color=colour, label=name) for name, colour in colours.items()]
        figure.legend(handles=handles, loc="outside right center")
    return figure


def bars_of(start, end, low, high) -> np.ndarray:
    """Corners of rectangles, shape (n, 4, 2)."""
    start, end, low, high = (np.asarray(each, dtype=float) for each in (start, end, low, high))
    x = np.stack([start, end, end, start], axis=1)
    y = np.stack([low, low, high, high], axis=1)
    return np.stack([x, y], axis=2)
