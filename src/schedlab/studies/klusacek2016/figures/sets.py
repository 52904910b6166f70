"""Draw Table 1 of klusacek2016: computed and published changes on busy intervals."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from schedlab.files.stand_ins import short_name
from schedlab.report.comparison import published_of, reasons_of
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import BLUE, GREY, mark_published, titled
from schedlab.report.items import Item, item
from schedlab.report.parts import Table
from schedlab.report.scoreboard import JOINT
from schedlab.report.verdicts import is_compared
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.inputs import Facts, Names, Periods, given, results_of, rows_of
from schedlab.studies.klusacek2016.tables.sets import compare_table1, over_periods, table1


def within_intervals(compared: pd.DataFrame) -> str:
    """Return how many published changes lie within the range of many busy intervals.

    Sets that did not run on the paper's log are left out, and logs with too few intervals.
    """
    comparable = compared[is_compared(compared) & compared["low"].notna()]
    if comparable.empty:
        waits = compared.loc[compared["column"] == "WT", "computed"]
        return (
            f"The mean wait falls in {(waits < 0).sum()} of {len(waits)} sets, none of which has "
            "the paper’s log and a range of busy intervals"
        )
    inside = comparable["published"].astype(float).between(comparable["low"], comparable["high"])
    return (
        f"{inside.sum()} of {len(comparable)} published changes lie within the range of 95 % of "
        "the busy intervals of their log"
    )


PANELS = {"WT": "change of mean wait (%)", "SD": "change of mean slowdown (%)"}
#: half of the height of a band and of a published number
HALF = 0.32


@item(
    "table1", "table1_comparison", "table1_periods", Item("fig_table1", "figure"),
    section="Table 1", rule="make_plans_table1",
)  # fmt: skip
def make_table1(
    rows: Annotated[Facts, rows_of("table1")],
    jobs: Annotated[list[str], results_of("jobs", "table1")],
    starts: Annotated[list[str], results_of("starts", "table1")],
    logs: Annotated[
        Sequence[str], given(lambda study: [row.source for row in study.of_item("periods")])
    ],
    periods: Periods,
    published: Annotated[pd.DataFrame, published_of("table1")],
    reasons: Annotated[pd.DataFrame, reasons_of("table1")],
    names: Names,
) -> dict[str, Table | Picture]:
    """Return Table 1, its figure and comparison, and a summary of many intervals of `logs`."""
    ran = read_evidence(rows, jobs, starts)
    many = dict(zip(logs, periods, strict=True))
    compared = compare_table1(published, ran, many, reasons)
    title = "Plan-RS against Orig-BF, conservative backfilling in order of arrival."
    return {
        "table1": Table(table1(ran)),
        "fig_table1": Picture(draw_changes(compared, title, names), compared),
        "table1_comparison": Table(compared),
        "table1_periods": Table(over_periods(many)),
    }


def draw_changes(compared: pd.DataFrame, note: str, names: Mapping[str, str]) -> Figure:
    """Draw the changes of Table 1 by set, and the published ones if the paper's log ran."""
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
            Line2D([], [], color=BLUE, marker="o", ms=5, ls="", label="computed")
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
