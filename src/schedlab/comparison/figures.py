"""Figure of ratios to EASY, a column per metric, for each scheduler that survives."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from schedlab.comparison.standing import BETTER, WORSE, Standing
from schedlab.comparison.tables import YES
from schedlab.core.metrics import METRICS
from schedlab.report.figures.style import GREEN, ORANGE, house_style

SHADES = {BETTER: GREEN, WORSE: ORANGE}


def draw_survivors(standings: Mapping[str, Standing], survivors: pd.DataFrame) -> Figure:
    """Draw ratios to EASY by metric, colored where they differ significantly from 1.

    Standings are by metric; `survivors` is from `schedlab.comparison.tables.survivors`.
    """
    with house_style():
        figure = Figure(figsize=(9.5, 1.2 + 0.24 * len(survivors)), layout="constrained")
        axes = figure.subplots()
        for column, (name, standing) in enumerate(standings.items()):
            for row, entry in survivors.iterrows():
                shade = SHADES.get(entry[name])
                if shade:
                    place = (column - 0.5, row - 0.5)
                    axes.add_patch(Rectangle(place, 1, 1, color=shade, alpha=0.25, lw=0))
                ratio = standing.ratios.loc[entry["name"], "ratio"]
                digits = 3 if name == "utilisation" else 2
                text = "" if pd.isna(ratio) else f"{ratio:.{digits}f}"
                axes.text(column, row, text, ha="center", va="center", fontsize=8)
        names = [METRICS[name].label for name in standings]
        axes.set_xticks(range(len(names)), [_fold_label(name) for name in names])
        axes.xaxis.tick_top()
        axes.tick_params(axis="both", labelsize=8, length=0)
        axes.set_yticks(range(len(survivors)), survivors["scheduler"])
        for label, survives in zip(
            axes.get_yticklabels(), survivors["survives"] == YES, strict=True
        ):
            label.set_fontweight("bold" if survives else "normal")
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(survivors) - 0.5, -0.5)
        axes.grid(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure


def _fold_label(label: str) -> str:
    """Break a label in two at the blank nearest to its middle."""
    blanks = [place for place, character in enumerate(label) if character == " "]
    if not blanks:
        return label
    at = min(blanks, key=lambda place: abs(place - len(label) / 2))
    return f"{label[:at]}\n{label[at + 1 :]}"
