"""Draw figures 4 to 9 of carastan2017: boxplots of the average bounded slowdown over sequences.

Each panel is drawn twice. The small one has the paper's axis, linear from zero, to compare boxes
and distances with the published figure. The large one has a logarithmic axis that also shows the
small boxes. The linear axis ends a little above the highest whisker; a triangle at its upper edge
marks sequences above it, which the logarithmic axis shows.
"""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cbook import boxplot_stats
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.sheets import cells_of
from schedlab.files.stand_ins import is_stand_in, kind_of
from schedlab.report.figures.distributions import FEWEST_IN_BOX
from schedlab.report.figures.picture import Picture, mark_missing
from schedlab.report.figures.style import COLORS, GREY, QUIET, mark_published, titled
from schedlab.report.items import From, Given, Study, item
from schedlab.report.words import joined, most_often
from schedlab.studies.carastan2017.inputs import (
    BOXES,
    DRAWING,
    LEARNED_FULL,
    Own,
    Published4,
    Source,
    drawn,
    end_of,
    further_of,
    simulations,
)
from schedlab.studies.carastan2017.names import DIALECT_WORDS, POLICY_COLUMNS
from schedlab.studies.carastan2017.published import add_published
from schedlab.studies.carastan2017.tables.table4 import read_experiments


def boxes_of(
    sheet: pd.DataFrame, sequences: pd.DataFrame, custom: Iterable[str] = ()
) -> pd.DataFrame:
    """Return the boxes_of of a boxplot figure: one row per experiment and policy."""
    custom = tuple(custom)
    labels = POLICY_COLUMNS | {name: name for name in custom}
    rows = []
    for name, experiment in sheet.iterrows():
        head = {
            "experiment": name,
            "panel": experiment["figure"][-1],
            "title": experiment["label"],
            "dialect": experiment["dialect"],
        }
        run = sequences[sequences["experiment"] == name].sort_values("piece")
        if run.empty:
            rows.append(head | {"policy": "", "n": 0})
        for policy, label in labels.items() if len(run) else ():
            values = run.loc[run["policy"] == policy, "avebsld"].to_numpy(dtype=float)
            if len(values) or policy not in custom:
                rows.append(head | {"policy": label} | _box(values))
    return pd.DataFrame(rows)


def _box(values: np.ndarray) -> dict:
    stats = boxplot_stats(values, whis=1.5)[0]
    return {
        "n": len(values),
        "q1": stats["q1"],
        "median": stats["med"],
        "q3": stats["q3"],
        "whisker_low": stats["whislo"],
        "whisker_high": stats["whishi"],
        "outliers": _join_numbers(np.sort(stats["fliers"])),
        "values": _join_numbers(values),
    }


def _join_numbers(values: Iterable[float]) -> str:
    return ";".join(f"{value:.6f}" for value in values)


def lowest(boxes: pd.DataFrame) -> str:
    """Return for each dialect which policy has the lowest median in most panels."""
    titles = boxes["title"]
    of_logs = titles.str.contains(" trace, ").any() or any(map(is_stand_in, titles))
    on = kind_of(titles, "workload traces") if of_logs else "the workload model"
    setting = f"on {on}, {joined(dict.fromkeys(titles.str.rpartition(', ')[2]))}"
    ran = boxes[boxes["n"] > 0]
    if ran.empty:
        return f"Medians {setting}: {NOT_AVAILABLE}"
    winners = []
    for dialect, dialect_boxes in ran.groupby("dialect", sort=False):
        best = dialect_boxes.loc[dialect_boxes.groupby("panel")["median"].idxmin(), "policy"]
        most, count = most_often(best)
        each = " each" if " and " in most else ""
        seen = DIALECT_WORDS[dialect].removeprefix("with the ")
        winners.append(f"{most} in {count} of {len(best)} panels{each} ({seen})")
    return f"Lowest median of {ran['policy'].nunique()} policies {setting}: {', '.join(winners)}"


DIALECTS = {
    "artefact": (COLORS["artefact"], "published simulator: window of 32 tasks"),
    "full": (COLORS["full"], "whole queue visible"),
}
BOX_WIDTH = 0.34
BEYOND = "beyond the linear axis"
TICK = 0.46  # half of the width of a published median
PANEL_HEIGHT = 2.0  # inches
LINEAR, LOGARITHMIC = 1, 2.3  # widths
TITLE_LETTERS = 56  # per line above the larger axes
MISSING_HEIGHT = 0.8  # inches
LONGEST_NAME = 6  # characters that fit below a box; names of user-defined policies may be longer


def _figures(study: Study) -> list[str]:
    ends = ["", *(f"_{end}" for end in further_of(study) if end != LEARNED_FULL)]
    return [f"{box}{end}" for end in ends for box in BOXES]


@item(_figures, kind="figure", section="Figures", rule="draw_boxplots", apart=True, **DRAWING)
def figures_of_boxes(
    rows: Annotated[
        Sequence[Mapping],
        Given(lambda study, item: [cells_of(row) for row in drawn(study.sheet, item)]),
    ],
    runs: Annotated[
        Sequence[str],
        From(
            lambda study, item: simulations(
                study, drawn(study.rows, item), *end_of(study, item)[0]
            ),
            list,
        ),
    ],
    own: Own,
    source: Source,
    printed: Published4,
) -> Picture:
    """Draw one figure with its panels; `own` are further policies, which get boxes too."""
    sheet, sequences = read_experiments(rows, runs, source)
    boxes = add_published(boxes_of(sheet, sequences, own), sheet, printed)
    return Picture(draw_boxplots(boxes), boxes)


def draw_boxplots(boxes: pd.DataFrame) -> Figure:
    """Draw the panels of one figure, a row of two axes each; a note if the log is not available."""
    panels = [panel for _, panel in boxes.groupby("panel")]
    places = {name: place for place, name in enumerate(filter(None, boxes["policy"].unique()))}
    heights = [PANEL_HEIGHT if (panel["n"] > 0).any() else MISSING_HEIGHT for panel in panels]
    with titled(sum(heights) + 0.8, lowest(boxes)) as figure:
        figure.get_layout_engine().set(h_pad=0.06, hspace=0.02)
        widths = (LINEAR, LOGARITHMIC)
        grid = figure.add_gridspec(len(panels), 2, height_ratios=heights, width_ratios=widths)
        entries: dict[str, Line2D] = {}
        for row, panel in enumerate(panels):
            if (panel["n"] > 0).any():
                axes = (figure.add_subplot(grid[row, column]) for column in (0, 1))
                entries |= {one.get_label(): one for one in _draw_panel(*axes, panel, places)}
            else:
                axes = figure.add_subplot(grid[row, :])
                axes.set_title(_title(panel))
                mark_missing(axes)
        figure.align_ylabels()
        handles = [*_legend_handles(boxes), *entries.values()]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _title(panel: pd.DataFrame) -> str:
    return f"{panel['panel'].iloc[0]}) {panel['title'].iloc[0]}"


def _draw_panel(
    linear: Axes, logarithmic: Axes, panel: pd.DataFrame, places: Mapping[str, int]
) -> list[Line2D]:
    """Draw the same boxes on the paper's axis and on a logarithmic axis."""
    panel = panel[panel["n"] > 0]
    linear.set_title("linear, as published", color=QUIET, weight="normal", size=7.5)
    logarithmic.set_title(fill(_title(panel), TITLE_LETTERS, break_on_hyphens=False))
    linear.set_ylabel("average bounded slowdown")
    for axes in (linear, logarithmic):
        axes.set_xticks(range(len(places)), places)
        if axes is linear:
            axes.tick_params(axis="x", labelrotation=90)
        elif max(map(len, places)) > LONGEST_NAME:
            for label in axes.get_xticklabels():
                label.set(rotation=30, rotation_mode="anchor", ha="right")
        axes.set_xlim(-0.6, len(places) - 0.4)
        for dialect in DIALECTS:
            _draw_boxes(axes, panel[panel["dialect"] == dialect], dialect, places)
        published = _mark_published(axes, panel, places)
    _logarithmic_axis(logarithmic, panel)
    return [*published, *_linear_axis(linear, panel, places)]


def _mark_published(axes: Axes, panel: pd.DataFrame, places: Mapping[str, int]) -> list[Line2D]:
    """Mark the published medians, one for the boxes of a policy in both dialects."""
    if "published" not in panel:
        return []
    medians = panel.drop_duplicates("policy")
    at, numbers = medians["policy"].map(places), medians["number"]
    return mark_published(axes, at, medians["published"], TICK, numbers)


def _draw_boxes(axes: Axes, boxes: pd.DataFrame, dialect: str, places: Mapping[str, int]) -> None:
    color, _ = DIALECTS[dialect]
    positions = np.array([_position(places[policy], dialect) for policy in boxes["policy"]])
    line = {"color": color, "linewidth": 0.9}
    has_box = (boxes["n"] >= FEWEST_IN_BOX).to_numpy()
    at, large = positions[has_box], boxes[has_box]
    for near, far in (("q1", "whisker_low"), ("q3", "whisker_high")):
        axes.vlines(at, large[near], large[far], **line)
        axes.hlines(large[far], at - BOX_WIDTH / 4, at + BOX_WIDTH / 4, **line)
    axes.bar(at, large["q3"] - large["q1"], BOX_WIDTH, large["q1"], zorder=2,
             facecolor=(color, 0.25), edgecolor=color, linewidth=0.9)  # fmt: skip
    axes.hlines(boxes["median"], positions - BOX_WIDTH / 2, positions + BOX_WIDTH / 2,
                color=COLORS["median"], linewidth=1.8, zorder=2.1)  # fmt: skip
    values = [_numbers(joined) for joined in boxes["values"]]
    counts = [len(each) for each in values]
    # alone, points are larger
    sizes = np.repeat(np.where(has_box, 5, 16), counts)
    axes.scatter(np.repeat(positions, counts), np.concatenate([[], *values]), s=sizes, color=color,
                 alpha=0.55, linewidths=0, zorder=3)  # fmt: skip


def _position(place: int, dialect: str) -> float:
    return place + (-0.2 if dialect == "artefact" else 0.2)


def _numbers(joined: str) -> np.ndarray:
    return np.array([float(value) for value in joined.split(";") if value])


def _linear_axis(axes: Axes, panel: pd.DataFrame, places: Mapping[str, int]) -> list[Line2D]:
    """Set the paper's axis from zero to above the highest whisker, and mark values beyond it."""
    highest = panel["whisker_high"].max()
    if "published" in panel:
        highest = max(highest, panel["published"].fillna(0).max())
    top = 1.2 * highest
    axes.set_ylim(0, top)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    entries: list[Line2D] = []
    for box in panel.itertuples():
        if (_numbers(box.values) > top).any():
            color = DIALECTS[box.dialect][0]
            position = _position(places[box.policy], box.dialect)
            axes.plot(position, top, marker="^", ms=4, color=color, clip_on=False)
            entries = [Line2D([], [], color=GREY, marker="^", ms=4, ls="", label=BEYOND)]
    return entries


def _logarithmic_axis(axes: Axes, panel: pd.DataFrame) -> None:
    """Set a logarithmic axis that begins at 1, the minimum of a bounded slowdown."""
    highest = max(_numbers(joined).max() for joined in panel["values"])
    axes.set_yscale("log")
    axes.set_ylim(0.9, 1.6 * highest)
    axes.yaxis.set_major_locator(LogLocator(10))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _legend_handles(boxes: pd.DataFrame) -> list[Patch | Line2D]:
    dialects = set(boxes["dialect"])
    patches = [
        Patch(facecolor=(color, 0.25), edgecolor=color, label=words)
        for dialect, (color, words) in DIALECTS.items()
        if dialect in dialects
    ]
    median = Line2D([], [], color=COLORS["median"], linewidth=1.8, label="median")
    point = Line2D([], [], color=GREY, marker="o", ms=3.5, linestyle="", label="one sequence")
    return [*patches, median, point]
