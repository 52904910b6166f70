"""Figure of ratios to EASY, a column per metric, for each scheduler that survives."""

from collections.abc import Mapping
from textwrap import fill

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from schedlab.comparison.standing import BETTER, WORSE, Standing
from schedlab.comparison.tables import YES
from schedlab.core.metrics import METRICS
from schedlab.report.figures.style import colors_of, titled
from schedlab.report.words import joined, number_of

SHADES = colors_of((BETTER, WORSE))
SETTING = "Ratios to EASY, better and worse after Holm’s correction at 5 %; sorted by mean rank."
#: largest number of survivors that a title lists
MOST_NAMED = 6
#: letters that the name of a metric has space for, above its column
COLUMN = 16


def draw_survivors(standings: Mapping[str, Standing], survivors: pd.DataFrame) -> Figure:
    """Draw ratios to EASY by metric, colored where they differ significantly from 1."""
    with titled(1.6 + 0.19 * len(survivors), surviving(survivors), SETTING) as figure:
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
                axes.text(column, row, text, ha="center", va="center", fontsize=7.5)
        names = [METRICS[name].label for name in standings]
        axes.set_xticks(range(len(names)), [fill(name, COLUMN) for name in names])
        axes.xaxis.tick_top()
        axes.tick_params(axis="both", length=0)
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
        handles = [Patch(color=shade, alpha=0.25, lw=0, label=one) for one, shade in SHADES.items()]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def surviving(survivors: pd.DataFrame) -> str:
    """Return which schedulers survive; columns scheduler and survives.

    Of more than `MOST_NAMED` the sentence has the number and the first ones in the order of ranks.
    """
    names = list(survivors.loc[survivors["survives"] == YES, "scheduler"])
    count = f"{len(names)} of {number_of(len(survivors), 'scheduler')}"
    first = f", first of all {joined(names[:MOST_NAMED])}" if len(names) > MOST_NAMED else ""
    named = f": {joined(names)}" if 0 < len(names) <= MOST_NAMED else first
    return f"{count} improve more metrics than they worsen, and lose in none{named}"
