"""The figure of a calibration: waits by week, recorded and simulated, and missing nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from schedlab.report.figures.style import AMBER, BLACK, BLUE, GREY, QUIET, titled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedlab.traces.slurm.node_changes import Clock

HOUR, WEEK = 3600, 604_800
#: waits are drawn from this one on, in hours
LEAST = 1 / 60


def draw_calibration(
    weeks: pd.DataFrame, changes: pd.DataFrame, clock: Clock, median: float
) -> Figure:
    """Draw mean waits by week, recorded and simulated, and missing nodes below them.

    `weeks` and `changes` are those of `schedlab.studies.site.calibration.Calibration`; `median` is
    its median error.
    """
    held_out = int(weeks["is_held_out"].sum())
    error = f"{100 * median:.0f}\u00a0%"
    finding = f"Simulated mean waits are {error} from the recorded ones in the median week"
    if not held_out:
        finding = "The log has no held-out week with enough jobs"
    setting = f"The site's own settings; {held_out} held-out weeks decide."
    with titled(3.9, finding, setting) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
        # each week is drawn in its middle
        at = _days(weeks["begin"] + WEEK // 2, clock)
        for name, color, marker in (("recorded", BLACK, "o"), ("simulated", BLUE, "s")):
            values = np.maximum(weeks[name] / HOUR, LEAST)
            above.plot(at, values, color=color, marker=marker, ms=3.5, lw=1.2, label=name)
        above.set(yscale="log", ylabel="mean wait, h")
        above.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        if held_out:
            begin = weeks.loc[weeks["is_held_out"], "begin"].min()
            above.axvline(_days(begin, clock), color=QUIET, lw=0.9, ls="--")
        _draw_missing(below, changes, clock, int(weeks["begin"].max()) + WEEK)
        for begin, end in _spans(changes, clock, int(weeks["begin"].max()) + WEEK):
            above.axvspan(_days(begin, clock), _days(end, clock), color=AMBER, alpha=0.25, lw=0)
        if clock.origin is not None:
            locator = AutoDateLocator(minticks=3, maxticks=8)
            below.xaxis.set_major_locator(locator)
            below.xaxis.set_major_formatter(ConciseDateFormatter(locator))
        else:
            below.set_xlabel("days of the log")
        handles = [*above.get_legend_handles_labels()[0], Patch(color=AMBER, alpha=0.6)]
        labels = ["recorded", "simulated", "nodes missing"]
        handles.append(Line2D([], [], color=QUIET, lw=0.9, ls="--"))
        figure.legend(
            handles, [*labels, "first held-out week"], loc="outside lower center", ncols=4
        )
    return figure


def _draw_missing(axes, changes: pd.DataFrame, clock: Clock, last: int) -> None:
    """Draw how many processors are missing over time."""
    steps: dict[int, int] = {0: 0, last: 0}
    for (begin, end), count in zip(
        _spans(changes, clock, last), changes["processors"].astype(float), strict=True
    ):
        steps[begin] = steps.get(begin, 0) + int(count)
        steps[end] = steps.get(end, 0) - int(count)
    times = sorted(steps)
    level = np.cumsum([steps[time] for time in times])
    axes.fill_between(_days(np.array(times), clock), level, step="post", color=AMBER, alpha=0.6)
    axes.set(ylabel="processors", ylim=(0, max(1, level.max()) * 1.1))
    if not len(changes):
        axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", va="center", color=GREY)


def _spans(changes: pd.DataFrame, clock: Clock, last: int) -> list[tuple[int, int]]:
    """Return begin and end of rows in seconds; those without an end last to the end of the log."""
    return [
        (clock.second(str(begin)), clock.second(str(end)) if str(end) else last)
        for begin, end in zip(changes["from"], changes["until"].fillna(""), strict=True)
    ]


def _days(seconds, clock: Clock):
    """Return dates for seconds of the log, in the site's zone; days if its dates are unknown."""
    if clock.origin is None:
        return np.asarray(seconds) / 86_400
    dates = pd.to_datetime(np.atleast_1d(seconds) + clock.origin, unit="s", utc=True)
    local = dates.tz_convert(clock.zone).tz_localize(None)
    return local if np.ndim(seconds) else local[0]
