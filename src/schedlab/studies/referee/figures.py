"""The referee's figure: compare simulators with a real Slurm on the same windows."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from schedlab.report.figures.style import COLORS, GREY, titled
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, LABELS, REAL, SLURM
from schedlab.studies.referee.windows import COUNT, NODES

MARKERS = {EASY: "s", CONSERVATIVE: "D", SLURM: "o"}
#: horizontal offsets of the schedulers at a setting's place; a gray band shows the real runs
OFFSETS = {REAL: -0.27, SLURM: -0.09, EASY: 0.09, CONSERVATIVE: 0.27}
HALF = 0.42
ROWS = {
    "wait": "mean wait (s)",
    "makespan": "makespan, from\nreal Slurm's (%)",
    "difference": "starts apart from\nreal Slurm's (s)",
}


def draw_referee(figures: pd.DataFrame, summaries: pd.DataFrame) -> Figure:
    """Draw mean waits, makespans and differences of starts, by window and order."""
    logs = list(dict.fromkeys(summaries["log"]))
    settings = list(dict.fromkeys(summaries["setting"]))
    with titled(5.8, _finding(summaries), _setting(figures)) as figure:
        grid = figure.subplots(len(ROWS), len(logs), squeeze=False, sharex=True)
        for column, log in zip(grid.T, logs, strict=True):
            log_summaries, runs = (table[table["log"] == log] for table in (summaries, figures))
            for axes, name in zip(column, ROWS, strict=True):
                _panel(axes, name, settings, log_summaries, runs)
            column[0].set_title(log)
        for row, label in zip(grid, ROWS.values(), strict=True):
            row[0].set_ylabel(label)
        figure.legend(handles=_handles(), loc="outside lower center", ncols=3)
    return figure


def _panel(
    axes: Axes, name: str, settings: list[str], summaries: pd.DataFrame, runs: pd.DataFrame
) -> None:
    """Draw one metric of a window under every setting."""
    for setting, table in summaries.groupby("setting", sort=False):
        place, rows = settings.index(setting), table.set_index("scheduler")
        alone = runs[runs["setting"] == setting]
        real = rows.loc[REAL]
        if name == "difference":
            _bar(axes, place, (0, real[name]))
        else:
            unit_of = _in_percent(real) if name == "makespan" else lambda seconds: seconds
            _bar(axes, place, (unit_of(real[f"{name}_low"]), unit_of(real[f"{name}_high"])))
            ends = [place - HALF, place + HALF]
            axes.plot(ends, [unit_of(real[name])] * 2, color=COLORS[LABELS[REAL]], lw=0.8, zorder=2)
            points = unit_of(alone.loc[alone["scheduler"] == REAL, name])
            axes.plot([place + OFFSETS[REAL]] * len(points), points, "kx", ms=4, mew=1, zorder=3)
        for how, marker in MARKERS.items():
            at, row = place + OFFSETS[how], rows.loc[how]
            value = row[name]
            if name != "difference":
                value = unit_of(value)
                span = [unit_of(row[f"{name}_low"]), unit_of(row[f"{name}_high"])]
                axes.plot([at, at], span, color=COLORS[LABELS[how]], lw=2, alpha=0.6, zorder=3)
            axes.plot(at, value, marker, color=COLORS[LABELS[how]], ms=4.5, zorder=4)
    labels = [SETTINGS[setting].label for setting in settings]
    axes.set_xticks(range(len(settings)), labels)
    axes.set_xlim(-0.55, len(settings) - 0.45)
    if name == "makespan":
        axes.margins(y=0.12)
    else:
        axes.set_ylim(0, 1.12 * axes.dataLim.ymax)


def _in_percent(real: pd.Series):
    """Return a function that converts a makespan to its deviation from the real mean, in %."""
    return lambda seconds: 100 * (seconds / real["makespan"] - 1)


def _bar(axes: Axes, place: int, span: tuple[float, float]) -> None:
    axes.fill_between([place - HALF, place + HALF], *span, color=GREY, alpha=0.3, lw=0, zorder=1)


def _handles() -> list[Line2D | Patch]:
    points = [
        Line2D([], [], color=COLORS[LABELS[how]], marker=marker, ls="", ms=4.5, label=LABELS[how])
        for how, marker in MARKERS.items()
    ]
    points[-1].set_label(f"{LABELS[SLURM]}, bar: phases of its passes")
    return [
        Line2D([], [], color="black", marker="x", lw=0.8, ms=4, label="real Slurm: runs, mean"),
        Patch(color=GREY, alpha=0.3, lw=0, label="spread of the real runs"),
        *points,
    ]


def _finding(summaries: pd.DataFrame) -> str:
    """Return the mean deviations of mean waits, for the Slurm dialect and for textbook EASY."""
    off = summaries.groupby("scheduler")["wait_deviation"].agg(lambda one: one.abs().mean())
    spread = summaries.loc[summaries["scheduler"] == REAL, "wait_spread"].mean()
    return (
        f"On average the dialect slurm is {off[SLURM]:.1f} % off a real Slurm's mean wait, "
        f"textbook EASY {off[EASY]:.1f} %; runs of the real Slurm differ by {spread:.1f} %"
    )


def _setting(figures: pd.DataFrame) -> str:
    real = figures[figures["scheduler"] == REAL]
    repetitions = real["run"].nunique()
    return (
        f"{COUNT} jobs of each log on {NODES} processors, in two and a half hours; "
        f"{repetitions} {'repetition' if repetitions == 1 else 'repetitions'} on a real Slurm. "
        "Numbers above are means over windows and orders, of absolute deviations. Bottom: mean "
        "over jobs; the band is a real run from another."
    )
