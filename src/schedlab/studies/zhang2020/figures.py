"""Figure of zhang2020: the neural policy against heuristics, with one choice changed at a time."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from schedlab.files.stand_ins import short_name
from schedlab.report.figures.style import BLUE, ORANGE, titled
from schedlab.studies.zhang2020.runs import BASE, VARIANTS

#: what a variant changes
LABELS = {
    BASE: "as published",
    "easy": "EASY backfilling",
    "ran": "only jobs that ran",
    "easy_ran": "EASY, only jobs that ran",
    "shuffled": "users, groups, executables of other jobs",
    "ran_shuffled": "the same, only jobs that ran",
    "sampled": "sampled from the softmax",
    "exact": "requests equal to run times",
    "length_256": "windows of 256 jobs",
    "length_4096": "windows of 4,096 jobs",
}
SERIES = {"F1": (BLUE, -0.13), "SJF": (ORANGE, 0.13)}
ROW, AROUND = 0.36, 1.6  # inches


def draw_choices(table: pd.DataFrame, title: str) -> Figure:
    """Draw a panel per log: ratio to F1 and to SJF by choice, with 95 % intervals."""
    logs, names = list(dict.fromkeys(table["log"])), [variant.name for variant in VARIANTS]
    ends = table[[f"{base}_{end}" for base in SERIES for end in ("low", "high")]]
    is_wide = ends.max(axis=None) > 20 * ends.min(axis=None)
    with titled(AROUND + ROW * len(VARIANTS), title) as figure:
        panels = figure.subplots(1, len(logs), sharex=True, sharey=True, squeeze=False)[0]
        for axes, log in zip(panels, logs, strict=True):
            rows = table[table["log"] == log]
            places = [names.index(name) for name in rows["variant"]]
            for base, (color, shift) in SERIES.items():
                ratio = rows[f"to_{base}"].to_numpy()
                ends = [ratio - rows[f"{base}_low"], rows[f"{base}_high"] - ratio]
                heights = [place + shift for place in places]
                axes.errorbar(ratio, heights, xerr=ends, fmt="o", color=color, markersize=3.5,
                              elinewidth=1, label=f"RL / {base}")  # fmt: skip
            axes.axvline(1, color="#4a4a4a", linewidth=0.8, zorder=0)
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1,) if is_wide else (1, 2, 5)))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.set_title(short_name(log), fontsize=8)
            axes.set_xlabel("ratio of means", fontsize=8)
            axes.grid(True, axis="x")
        panels[0].set_yticks(range(len(VARIANTS)), [LABELS[name] for name in names])
        panels[0].set_ylim(len(VARIANTS) - 0.5, -0.5)
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower left", ncols=2)
    return figure
