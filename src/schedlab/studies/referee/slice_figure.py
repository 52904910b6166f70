"""The figure of a site's slice: waits by QOS, and how far runs are from each other."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from schedlab.report.figures.style import COLORS, PURPLE, titled
from schedlab.studies.referee.slice_runs import LABELS, PASSES, PHASES, REAL

MARKERS = {REAL: "x", PHASES: "o", PASSES: "D"}
TONES = {REAL: COLORS["real Slurm"], PHASES: COLORS["dialect slurm"], PASSES: PURPLE}
OFFSETS = {REAL: -0.22, PHASES: 0.0, PASSES: 0.22}


def draw_slice(distances: pd.DataFrame, waits: pd.DataFrame, jobs: int, nodes: int) -> Figure:
    """Draw mean waits of each run by QOS, and the distances between runs."""
    mean = distances.groupby("kind")["mean"].mean()
    finding = (
        f"Two real runs differ by {mean[REAL]:.0f} s a job; the simulation differs from a real run "
        f"by {mean[PHASES]:.0f} s with unknown phases and {mean[PASSES]:.0f} s with recorded passes"
    )
    setting = (
        f"A slice of a university's cluster: {jobs} jobs on {nodes} nodes, on a real Slurm and "
        "simulated with the same submissions and run times. Left: mean wait of each run; right: "
        "mean over jobs of the absolute difference of waits, of each pair of runs."
    )
    with titled(3.6, finding, setting) as figure:
        left, right = figure.subplots(1, 2, width_ratios=[1.6, 1])
        _waits(left, waits)
        _distances(right, distances)
        handles, labels = left.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(LABELS))
    return figure


def _waits(axes: Axes, waits: pd.DataFrame) -> None:
    """Draw the mean wait of every run, by QOS in the order of the real ones."""
    real = waits[waits["kind"] == REAL].groupby("qos")["wait"].mean()
    order = [*real.drop("all").sort_values().index, "all"]
    for kind, label in LABELS.items():
        part = waits[waits["kind"] == kind]
        places = part["qos"].map(order.index) + OFFSETS[kind]
        name = "a real run" if kind == REAL else label
        axes.plot(places, part["wait"], MARKERS[kind], color=TONES[kind], ms=4, alpha=0.8,
                  ls="", label=name)  # fmt: skip
    axes.set_xticks(range(len(order)), [name.replace("-", "-\n") for name in order])
    axes.set_yscale("log")
    axes.set_ylabel("mean wait (s)")


def _distances(axes: Axes, distances: pd.DataFrame) -> None:
    """Draw the distance of every pair of runs, with the mean of each kind."""
    for place, kind in enumerate(LABELS):
        part = distances.loc[distances["kind"] == kind, "mean"]
        axes.plot([place] * len(part), part, MARKERS[kind], color=TONES[kind], ms=4, alpha=0.8)
        axes.plot([place - 0.3, place + 0.3], [part.mean()] * 2, color=TONES[kind], lw=1.5)
    axes.set_xticks(range(len(LABELS)), ["two real\nruns", "phases", "recorded\npasses"])
    axes.set_xlim(-0.5, len(LABELS) - 0.5)
    axes.set_ylim(0, 1.15 * max(distances["mean"]))
    axes.set_ylabel("waits apart (s)")
