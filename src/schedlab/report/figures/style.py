"""House style of figures, and how to save them so that equal data give equal files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from textwrap import wrap

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from schedlab.files.io import whole

# Okabe and Ito's palette: distinguishable with every kind of color vision.
BLUE, GREEN, ORANGE, GREY = "#0072B2", "#009E73", "#D55E00", "#8a8a8a"
PURPLE, AMBER, SKY = "#CC79A7", "#E69F00", "#56B4E9"
# For more names than the palette has colors; both are darker than any of its colors.
BROWN, VIOLET, BLACK = "#8C564B", "#6A3D9A", "black"
#: colors of series without a name in `COLORS`, such as user-defined policies, in their order
SERIES = (BLUE, ORANGE, GREEN, PURPLE, AMBER, SKY, BLACK, BROWN, VIOLET)
PUBLISHED = "published"
#: color of everything with a name that figures compare. A name has the same color in all figures;
#: names that share a color differ in their markers or are never in one figure.
COLORS = {
    # values
    PUBLISHED: BLACK, "median": ORANGE, "mean": PURPLE, "better": GREEN, "worse": ORANGE,
    # schedulers and orders of a queue
    "FCFS": GREY, "SAF": BLUE, "Orig-BF": GREY, "Plan-RS": BLUE, "Conservative": AMBER,
    "EASY": ORANGE, "EASY-Co": ORANGE, "SJF": BLUE, "SJF-Co": BLUE, "SJF-Filler": BLUE,
    "Filler": GREEN, "Pop-Filler": GREEN, "Popularity": GREEN, "LJF": PURPLE, "LJF-Co": PURPLE,
    "LAF-Co": BLACK, "textbook EASY": ORANGE, "textbook conservative": AMBER,
    "dialect slurm": BLUE, "real Slurm": BLACK, "as in the log": BLACK,
    # weights of a mixed policy, and how they are found
    "w*": GREEN, "w*_train": AMBER, "w_greedy": PURPLE, "xNES, three features": BLUE,
    "xNES, six features": ORANGE,
    # dialects of a queue, and samplers of trials
    "artefact": BLUE, "full": GREEN, "uniform": GREEN,
    # searches of plans
    "Random Search": BLUE, "simulated annealing": ORANGE, "tabu search": GREEN,
    "worst jobs first": PURPLE,
    # predictors of waits, and how a learner chooses
    "ASA": PURPLE, "ASA, falling rates": SKY, "no estimates": GREY, "last wait": AMBER,
    "running median": GREEN, "running median, censored": GREEN, "quantile bound": ORANGE,
    "quantile bound, censored": ORANGE, "quantile regression": VIOLET,
    "regression bound": VIOLET, "sbatch --test-only": BROWN, "queue simulation": BLUE,
    "perfect knowledge": BLACK, "Greedy": ORANGE, "default": GREY, "tuned": PURPLE,
    # tariffs of shared nodes, and guards against indefinite waits
    "plain": GREY, "discount": ORANGE, "work": BLUE,
    "no guard": ORANGE, "threshold": BLUE, "age": GREEN,
}  # fmt: skip
# Color of text outside the data: dark enough to be read on white.
QUIET = "#5b6672"
# Inches: the text width of a page, and of one of two columns. At this size text has its true size.
WIDE, NARROW = 7.0, 3.4
# Points of the smallest text of a figure, and of the finding above it.
SMALL, FINDING = 7.0, 9.0
# A hyphen before a number is a minus.
HYPHEN_MINUS = re.compile(r"(?<![\w.–\-])-(?=\d)")
# Mean widths of letters relative to the font size, bold and regular.
BOLD_LETTER, LETTER = 0.67, 0.56


def colors_of(names: Iterable[str]) -> dict[str, str]:
    """Return the colors of names, from `COLORS`, in the order of the names."""
    return {name: COLORS[name] for name in names}


def house_style() -> AbstractContextManager:
    """Return a context in which matplotlib draws in the house style."""
    with as_file(files("schedlab.report.figures") / "schedlab.mplstyle") as path:
        return matplotlib.rc_context(fname=path)


@contextmanager
def as_saved(figure: Figure) -> Iterator[None]:
    """Give a figure the house style and the resolution of its .png, for a while."""
    screen_dpi = figure.dpi
    with house_style():
        try:
            figure.dpi = matplotlib.rcParams["savefig.dpi"]
            yield
        finally:
            figure.dpi = screen_dpi


def canvas(height: float, width: float = WIDE) -> Figure:
    """Return an empty figure of a house width (`WIDE`, `NARROW`) and a height in inches."""
    return Figure(figsize=(width, height), layout="constrained")


def entitle(figure: Figure, finding: str, setting: str = "") -> None:
    """Write the finding above a figure, and below it what was run, small and grey.

    The figure is from `canvas`; its layout leaves space for the text. The finding is a sentence
    from the data of the figure; `setting` is what was run, and on which data.
    """
    finding, setting = (HYPHEN_MINUS.sub("−", text) for text in (finding, setting))
    width = 72 * figure.get_figwidth()
    above = wrap(finding, int(width / (BOLD_LETTER * FINDING)), break_on_hyphens=False)
    below = wrap(setting, int(width / (LETTER * SMALL)), break_on_hyphens=False)
    # blank lines reserve the space of the setting, which has another size and color
    title = figure.suptitle("\n".join([*above, *(" " for _ in below)]), x=0.006, ha="left",
                            size=FINDING, weight="bold", linespacing=1.25)  # fmt: skip
    figure.add_artist(Annotation("\n".join(below), (0, 0), xycoords=title, ha="left", va="bottom",
                                 size=SMALL, color=QUIET))  # fmt: skip


@contextmanager
def titled(height: float, finding: str, setting: str = "") -> Iterator[Figure]:
    """Yield an empty figure of the full width with its title, to draw on in the house style."""
    with house_style():
        figure = canvas(height)
        entitle(figure, finding, setting)
        yield figure


def mark_published(
    axes: Axes,
    places: Sequence[float],
    values: Sequence[float],
    half_width: float,
    numbers: Iterable[str] = (),
    across: bool = False,
) -> list[Line2D]:
    """Mark published numbers by black ticks, and return the entry of a legend for them."""
    at, value = (np.asarray(each, dtype=float) for each in (places, values))
    shown = np.isfinite(value)
    if not shown.any():
        return []
    at, value = at[shown], value[shown]
    ticks = {"color": COLORS[PUBLISHED], "linewidth": 1.3 if across else 1.1}
    draw = axes.vlines if across else axes.hlines
    drawn = draw(value, at - half_width, at + half_width, zorder=1.9, **ticks)
    drawn.set_gid(
        "\n".join(name for name, is_shown in zip(numbers, shown, strict=False) if is_shown)
    )
    if across:
        ticks = {"color": COLORS[PUBLISHED], "marker": "|", "ms": 9, "mew": 1.3, "ls": ""}
    return [Line2D([], [], label=PUBLISHED, **ticks)]


def numbers_of(figure: Figure) -> list[tuple[str, float, float, float, float]]:
    """Return the published numbers that a figure marks, and the areas of the figure about them.

    An area is left, top, width and height in per cent of the figure: a tick, as high (across: as
    wide) as its axes. Ticks outside the limits of an axis have an area too.
    """
    areas = []
    for ticks in figure.findobj(LineCollection):
        names = (ticks.get_gid() or "").split("\n")
        if names == [""]:
            continue
        frame = ticks.axes.bbox
        for name, path in zip(names, ticks.get_paths(), strict=True):
            (x0, y0), (x1, y1) = ticks.axes.transData.transform(path.vertices)
            if x0 == x1:
                x0, x1 = frame.x0, frame.x1
            else:
                y0, y1 = frame.y0, frame.y1
            corners = figure.transFigure.inverted().transform([(x0, y0), (x1, y1)])
            left, low = 100 * corners.min(axis=0)
            right, high = 100 * corners.max(axis=0)
            area = (left, 100 - high, right - left, high - low)
            areas.append((name, *(round(float(end), 2) for end in area)))
    return areas


def _title_of(figure: Figure) -> str:
    """Return the title of a figure in one line; of a figure that is only a note, the note."""
    texts = [figure.get_suptitle()] if figure.axes else [text.get_text() for text in figure.texts]
    return " ".join(" ".join(texts).split())


def has_color_scale(figure: Figure) -> bool:
    """Return whether colors of a figure show values, so that lightness has a meaning."""
    return any(
        isinstance(artist, ScalarMappable) and artist.get_array() is not None
        for artist in figure.findobj()
    )


def legend_below(figure: Figure, axes: Axes, columns: int = 0) -> None:
    """Explain the marks of `axes` below the figure, in one row unless `columns` are given."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns or len(labels))


def save_one(figure: Figure, path: str | Path) -> None:
    """Save `figure` atomically in the format of its suffix, without the time of day."""
    with whole(path) as draft:
        draft.write_bytes(drawn_as(figure, draft.suffix.removeprefix(".")))


def drawn_as(figure: Figure, suffix: str) -> bytes:
    """Return the content of a file of `figure` in the format of a suffix."""
    undated = {"pdf": {"CreationDate": None, "Producer": None}, "svg": {"Date": None}}
    png_facts = {"Software": None, "Title": _title_of(figure)}
    content = BytesIO()
    with house_style():
        if engine := figure.get_layout_engine():
            if figure.axes:  # one that only states that a log is not available has none
                with as_saved(figure):
                    engine.execute(figure)
            figure.set_layout_engine(None)
        if numbers := numbers_of(figure):
            png_facts["Numbers"] = json.dumps(numbers)
        if has_color_scale(figure):
            png_facts["Scale"] = "color"
        figure.savefig(content, format=suffix, metadata=undated.get(suffix, png_facts))
    return content.getvalue()
