"""Draw figure 3 of carastan2017: scores of the four best functions by their features.

Each column is a function, each row a pair of the features run time, processors and submit time.
Darker is a lower score, which is a higher priority. The functions of a row share one color scale.
"""

from typing import Annotated

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from schedlab.learning.regression import read_distribution
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import titled
from schedlab.report.items import From, item
from schedlab.studies.carastan2017.figures.findings import rising
from schedlab.studies.carastan2017.inputs import DRAWING
from schedlab.studies.carastan2017.sources import PUBLISHED_SCORES
from schedlab.studies.carastan2017.tables.digits import in_digits
from schedlab.studies.carastan2017.tables.surfaces import surfaces
from schedlab.traces.records import unaltered

# Even steps of lightness for every kind of color vision; its dark end is low.
COLORS = "cividis"
LABELS = {
    "runtime": "run time r (1000 s)",
    "procs": "processors n",
    "submit": "submit time s (1000 s)",
}
THOUSANDS = {"runtime", "submit"}
LETTERS = {"runtime": "r", "procs": "n", "submit": "s"}


@item("fig3", kind="figure", section="Figures", rule="draw_fig3", **DRAWING)
def fig3(
    functions: Annotated[pd.DataFrame, From(lambda *_: "<results>/policies/published.parquet")],
    distribution: Annotated[
        str, From(lambda *_: f"resources/raw/{PUBLISHED_SCORES}.swf", unaltered)
    ],
) -> Picture:
    """Draw the surfaces of the functions fitted as in the paper to the distribution."""
    of_paper = functions[functions["fitter"] == "paper"]
    points = surfaces(of_paper, read_distribution(distribution))
    return Picture(draw_surfaces(points), in_digits(points, {"score": ".9f"}))


def draw_surfaces(surfaces: pd.DataFrame) -> Figure:
    """Draw the scores of the functions on the three planes, from `tables.surfaces.surfaces`."""
    if surfaces.empty:
        return log_not_available("the distribution")
    with titled(6.1, rising(surfaces)) as figure:
        panels = list(surfaces["panel"].unique())
        names = list(surfaces["id"].unique())
        grid = figure.subplots(len(panels), len(names), squeeze=False, sharey="row")
        for row, panel in zip(grid, panels, strict=True):
            part = surfaces[surfaces["panel"] == panel]
            scale = Normalize(part["score"].min(), part["score"].max())
            for axes, name in zip(row, names, strict=True):
                mesh = _draw_plane(axes, part[part["id"] == name], scale)
            _say_plane(row[0], part)
            bar = figure.colorbar(mesh, ax=list(row), aspect=14, pad=0.01)
            bar.set_label("fitted score\n(dark: runs first)")
            bar.locator = MaxNLocator(5)
            bar.outline.set_visible(False)
        for axes, name in zip(grid[0], names, strict=True):
            function = surfaces.loc[surfaces["id"] == name, "function"].iloc[0]
            in_lines = function.replace(" + ", "\n+ ", 1)
            axes.set_title(f"{name}\n{in_lines}", fontsize=7, loc="center")
    return figure


def _draw_plane(axes: Axes, plane: pd.DataFrame, scale: Normalize) -> QuadMesh:
    """Draw one function on one plane, with lines of equal score."""
    x, y = plane["x"].iloc[0], plane["y"].iloc[0]
    values = plane.pivot(index=y, columns=x, values="score")
    mesh = axes.pcolormesh(
        *(values.columns, values.index, values.to_numpy()),
        norm=scale,
        cmap=COLORS,
        shading="nearest",
        rasterized=True,
    )
    axes.contour(values.columns, values.index, values.to_numpy(), levels=6, colors="white",
                 linewidths=0.6, alpha=0.7)  # fmt: skip
    axes.set_xlabel(LABELS[x])
    axes.grid(False)
    for axis, feature in ((axes.xaxis, x), (axes.yaxis, y)):
        axis.set_major_locator(MaxNLocator(3))
        if feature in THOUSANDS:
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1000:g}"))
    return mesh


def _say_plane(axes: Axes, part: pd.DataFrame) -> None:
    """Label the row at its first axes: panel, fixed feature and y axis."""
    fixed = part["fixed"].iloc[0]
    plane = f"{LETTERS[fixed]} = {part[fixed].iloc[0]:,.0f}"
    panel, y = part["panel"].iloc[0], part["y"].iloc[0]
    axes.set_ylabel(f"{panel}) {plane}\n{LABELS[y]}")
