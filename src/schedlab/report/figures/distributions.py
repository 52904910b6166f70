"""Marks for the values of groups: a box or points, a bar or a dot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from schedlab.report.figures.style import COLORS

#: fewer values have no quartiles to speak of: they are points without a box
FEWEST_IN_BOX = 5
#: bars begin at 0: with values further apart, the small ones are not seen
MOST_RATIO = 100


def draw_boxes(
    axes: Axes,
    groups: Sequence[ArrayLike],
    places: Iterable[float],
    width: float,
    colors: Sequence[str],
    points: bool = True,
) -> None:
    """Draw the quartiles, whiskers and median of each group.

    A group of fewer than `FEWEST_IN_BOX` values has no box: only its median and its points. Without
    `points`, the caller draws these and outliers.
    """
    for values, place, color in zip(map(np.asarray, groups), places, colors, strict=True):
        if len(values) < FEWEST_IN_BOX:
            if points:
                axes.plot(np.full(len(values), place), values, "o", ms=3, color=color, mew=0)
            ends = [place - width / 2, place + width / 2]
            axes.plot(ends, [np.median(values)] * 2 if len(values) else [np.nan] * 2,
                      color=COLORS["median"], linewidth=1.8, zorder=2)  # fmt: skip
            continue
        axes.boxplot([values], positions=[place], widths=width, patch_artist=True,
                     showfliers=points, manage_ticks=False,
                     boxprops={"facecolor": (color, 0.3), "edgecolor": color},
                     medianprops={"color": COLORS["median"], "linewidth": 1.8},
                     whiskerprops={"color": color}, capprops={"color": color},
                     flierprops={"marker": ".", "ms": 3, "mfc": color, "mec": "none"})  # fmt: skip


def is_wide(values: ArrayLike) -> bool:
    """Return whether the positive values are too far apart for bars, by `MOST_RATIO`.

    >>> is_wide([4, 3375]), is_wide([40, 3375, 0, np.nan]), is_wide([])
    (True, False, False)
    """
    positive = np.asarray(values, dtype=float)
    positive = positive[positive > 0]
    return positive.size > 0 and bool(positive.max() > MOST_RATIO * positive.min())


def draw_heights(
    axes: Axes, x: ArrayLike, values: ArrayLike, width: float, color: str, label: str, dots: bool
) -> None:
    """Draw values as bars from 0, or as `dots` on a logarithmic axis if `is_wide` says so."""
    if dots:
        axes.set_yscale("log")
        axes.plot(x, values, "o", ms=6, color=color, label=label)
    else:
        axes.bar(x, values, width, color=color, label=label)
