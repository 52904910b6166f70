"""Draw Table 1 of klusacek2016: computed and published changes on busy intervals."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from schedlab.files.stand_ins import short_name
from schedlab.report.figures.style import BLUE, GREY, mark_published, titled
from schedlab.report.scoreboard import JOINT
from schedlab.report.verdicts import is_compared
from schedlab.studies.klusacek2016.figures.findings import within_intervals

PANELS = {"WT": "change of mean wait (%)", "SD": "change of mean slowdown (%)"}
#: half of the height of a band and of a published number
HALF = 0.32


def draw_changes(compared: pd.DataFrame, note: str, names: Mapping[str, str]) -> Figure:
    """Draw the changes of Table 1 by set, from `tables.sets.compare_table1`.

    A published number is drawn if its set ran on the paper's log; `note` describes the run. `names`
    are those of the sets of models that replace logs, by set.
    """
    sets = list(dict.fromkeys(compared["set"]))
    with titled(1.5 + 0.27 * len(sets), within_intervals(compared), note) as figure:
        for axes, (column, label) in zip(
            figure.subplots(1, len(PANELS), sharey=True), PANELS.items(), strict=True
        ):
            rows = compared[compared["column"] == column].set_index("set").loc[sets]
            places = np.arange(len(sets))
            axes.barh(places, rows["high"] - rows["low"], 2 * HALF, rows["low"], color=GREY,
                      alpha=0.3)  # fmt: skip
            axes.plot(rows["computed"], places, "o", ms=5, color=BLUE)
            printed = rows["published"].astype(float).where(is_compared(rows))
            numbers = [JOINT.join(("table1", name, column)) for name in sets]
            published = mark_published(axes, places, printed, HALF, numbers, across=True)
            axes.axvline(0, color="black", lw=0.8)
            axes.grid(axis="x")
            axes.grid(axis="y", visible=False)
            axes.set_xlabel(label)
        labels = [_label_of(*one, names) for one in rows["ran_on"].items()]
        figure.axes[0].set_yticks(places, labels)
        figure.axes[0].set_ylim(len(sets) - 0.5, -0.5)
        handles: list[Artist] = [
            Line2D([], [], color=BLUE, marker="o", ms=5, ls="", label="computed"),
        ]
        if compared["low"].notna().any():
            handles.append(Patch(color=GREY, alpha=0.3, label="95 % of busy intervals"))
        handles += published
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _label_of(name: str, source: str, names: Mapping[str, str]) -> str:
    """Name a set, and the log that it ran on if that is another one."""
    if name in names:
        return short_name(names[name])
    return name if source in ("", name.split(" set ")[0]) else f"{name} [{source}]"
