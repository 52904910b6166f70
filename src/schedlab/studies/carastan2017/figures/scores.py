"""Draw figures 1 to 3 of carastan2017, and the origin of the published scores."""

from functools import partial
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from schedlab.learning.distributions import correlations, examples
from schedlab.learning.regression import (
    COEFFICIENTS,
    FEATURES,
    distinct_functions,
    form_of,
    read_distribution,
)
from schedlab.learning.tuples import MEAN_SCORE
from schedlab.report.comparison import published_of
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import COLORS, GREY, PUBLISHED, colors_of, legend_below, titled
from schedlab.report.items import From, item
from schedlab.report.words import joined
from schedlab.studies.carastan2017.inputs import DRAWING, scores
from schedlab.studies.carastan2017.names import BEST, IDS, PUBLISHED_SCORES
from schedlab.studies.carastan2017.tables.table3 import in_digits
from schedlab.traces.records import unaltered

#: features of a function, in words
FEATURE_WORDS = {"runtime": "run time", "procs": "processors", "submit": "submit time"}


def spread(examples: pd.DataFrame) -> str:
    """Return how far scores are from their mean; columns sampler, score."""
    deviation = examples.groupby("sampler", sort=False)["score"].std() / MEAN_SCORE
    spreads = [f"{100 * value:.0f} % of the mean ({name})" for name, value in deviation.items()]
    return f"Scores of tasks vary by {' and '.join(spreads)}"


def noise(convergence: pd.DataFrame) -> str:
    """Return the noise that remains with the most trials; columns sampler, trials, deviation."""
    trials = convergence["trials"].max()
    last = convergence[convergence["trials"] == trials]
    mean_deviation = last.groupby("sampler", sort=False)["deviation"].mean()
    deviations = [f"{100 * value:.2g} % ({name})" for name, value in mean_deviation.items()]
    return f"With {trials:,} trials a score’s noise is {' and '.join(deviations)} of its mean"


def corrected(correlations: pd.DataFrame) -> str:
    """Return how published and uniform scores correlate; columns simulated, published, median."""
    uniform = correlations[correlations["simulated"] == "uniform"]
    medians = uniform.set_index("published")["median"]
    return (
        f"Published and simulated scores correlate with r = {medians['published']:.2f}; corrected "
        f"for the artefact’s shuffle, with r = {medians['corrected']:.2f}"
    )


def rising(surfaces: pd.DataFrame) -> str:
    """Return with which features the scores of how many functions rise, from the drawn planes.

    A score rises if it is higher on average at the feature's largest value than at its smallest.
    """
    functions = surfaces["id"].nunique()
    counts = []
    for feature, words in FEATURE_WORDS.items():
        planes = surfaces[(surfaces["x"] == feature) | (surfaces["y"] == feature)]
        ends = [
            planes[planes[feature] == value].groupby("id")["score"].mean()
            for value in (planes[feature].min(), planes[feature].max())
        ]
        counts.append(f"{words} in {(ends[1] > ends[0]).sum()}")
    return f"Of {functions} functions the score rises with {joined(counts)}"


SAMPLERS = colors_of(("uniform", "artefact"))
WORDS = {
    "uniform": "uniform permutations, mean per first task",
    "artefact": "artefact's shuffle, sum per first task",
}
PAIR_TITLES = {
    ("uniform", "published"): "as published",
    ("uniform", "corrected"): "published over 32 P(t first)",
    ("artefact", "published"): "artefact's shuffle",
}
PAIR_LABELS = {
    "uniform": "simulated score, uniform",
    "artefact": "simulated score, artefact's shuffle",
    "published": "published score",
    "corrected": "published score / 32 P(t first)",
}


figures = partial(item, kind="figure", section="Figures", **DRAWING)


@figures("fig1", rule="draw_fig1")
def fig1(
    uniform: Annotated[pd.DataFrame, scores("uniform")],
    artefact: Annotated[pd.DataFrame, scores("artefact")],
) -> Picture:
    """Draw tuples from flat to steep, with both samplers."""
    shown = examples(uniform, artefact)
    return Picture(draw_examples(shown), shown)


@figures("fig2", rule="draw_fig2")
def fig2(
    deviations: Annotated[pd.DataFrame, scores("convergence")],
    printed: Annotated[pd.DataFrame, published_of("fig2")],
) -> Picture:
    """Draw the deviations, with the published one."""
    published = printed["normalised standard deviation"]
    figure = draw_convergence(deviations, (int(published.index[0]), float(published.iloc[0])))
    return Picture(figure, deviations)


@figures("fig_samplers", rule="draw_samplers")
def fig_samplers(
    joined: Annotated[
        pd.DataFrame, From(lambda *_: "<results>/scores/published_beside_ours.parquet")
    ],
) -> Picture:
    """Draw published scores against computed ones, with the correlations."""
    table = correlations(joined)
    return Picture(draw_samplers(joined, table), table)


def draw_examples(examples: pd.DataFrame) -> Figure:
    """Draw trial score distributions, one panel per tuple; figure 1."""
    if examples.empty:
        return log_not_available("the workload of the tuples")
    numbers = examples["tuple"].unique()
    with titled(4.4, spread(examples)) as figure:
        shape = 2, -(-len(numbers) // 2)
        panels = figure.subplots(*shape, sharex=True, sharey=True, squeeze=False)
        for axes, number in zip(np.ravel(panels), numbers, strict=False):
            axes.set_title(f"tuple {number}")
            axes.axhline(MEAN_SCORE, color="black", linewidth=1)
            for sampler, tasks in examples[examples["tuple"] == number].groupby("sampler"):
                color = SAMPLERS[sampler]
                axes.vlines(tasks["task"] + 1, MEAN_SCORE, tasks["score"], color=color,
                            linewidth=0.8, alpha=0.35)  # fmt: skip
                axes.plot(tasks["task"] + 1, tasks["score"], color=color, marker="o", ms=3,
                          linestyle="", label=WORDS[sampler])  # fmt: skip
            axes.set_xticks([1, 8, 16, 24, 32])
        for axes in panels[-1]:
            axes.set_xlabel("task of Q, by submission")
        for axes in panels[:, 0]:
            axes.set_ylabel("score (mean 1/32)")
        legend_below(figure, np.ravel(panels)[0], 2)
    return figure


def draw_convergence(convergence: pd.DataFrame, published: tuple[int, float] | None) -> Figure:
    """Draw the normalized standard deviation of the scores by the number of trials; figure 2."""
    if convergence.empty:
        return log_not_available("the workload of the tuple")
    with titled(4, noise(convergence)) as figure:
        axes = figure.subplots()
        for sampler, rows in convergence.groupby("sampler", sort=False):
            spread = rows.groupby("trials")["deviation"].agg(["min", "mean", "max"])
            color = SAMPLERS[sampler]
            axes.fill_between(spread.index, spread["min"], spread["max"], color=color,
                              alpha=0.15, linewidth=0)  # fmt: skip
            axes.plot(spread.index, spread["mean"], color=color, marker="o", ms=3,
                      label=WORDS[sampler])  # fmt: skip
        counts = np.sort(convergence["trials"].unique())
        axes.plot(counts, np.sqrt(1 / MEAN_SCORE / counts), color=GREY, linestyle="--",
                  linewidth=1, label="√(32 / trials): the noise of counting")  # fmt: skip
        if published:
            axes.plot(*published, color=COLORS[PUBLISHED], marker="x", ms=7, mew=1.5, linestyle="",
                      label=PUBLISHED)  # fmt: skip
        axes.set(xscale="log", yscale="log", xlabel="trials")
        axes.set_ylabel("standard deviation of the score / (1/32)")
        ticks = sorted({*counts.tolist(), *([published[0]] if published else [])})
        axes.set_xticks(ticks, [_thousands(count) for count in ticks])
        axes.xaxis.set_minor_locator(NullLocator())
        for which in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
            which(FuncFormatter(_one_two_five))
        legend_below(figure, axes, 2)
    return figure


def _thousands(count: int) -> str:
    return f"{count // 1000}k" if count % 1000 == 0 else f"{count:,}"


def _one_two_five(value: float, _: int) -> str:
    """Label 1, 2 and 5 of every decade."""
    lead = value / 10 ** np.floor(np.log10(value))
    return f"{value:g}" if np.isclose(lead, (1, 2, 5)).any() else ""


def draw_samplers(scores: pd.DataFrame, correlations: pd.DataFrame) -> Figure:
    """Draw published scores against scores of the same tuples simulated with either sampler."""
    if scores.empty:
        return log_not_available("the published score distribution or its workload")
    with titled(6.4, corrected(correlations)) as figure:
        panels = figure.subplots(2, 2)
        for axes, row in zip(np.ravel(panels), correlations.itertuples(), strict=False):
            _scatter(axes, scores, row)
        _first_places(panels[1, 1], scores)
        legend_below(figure, panels[1, 1])
    return figure


def _scatter(axes: Axes, scores: pd.DataFrame, row: object) -> None:
    axes.set_title(PAIR_TITLES[row.simulated, row.published])
    points = axes.scatter(scores[row.simulated], scores[row.published], c=scores["task"] + 1, s=5,
                          cmap="viridis", linewidths=0, alpha=0.7, rasterized=True)  # fmt: skip
    values = scores[[row.simulated, row.published]].to_numpy()
    ends = [values.min(), values.max()]
    axes.plot(ends, ends, color=GREY, linewidth=0.8, zorder=0)
    axes.set(xlabel=PAIR_LABELS[row.simulated], ylabel=PAIR_LABELS[row.published])
    room = 0.04 * (ends[1] - ends[0])
    axes.set(xlim=(ends[0] - room, ends[1] + room), ylim=(ends[0] - room, ends[1] + room))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))
    text = (
        f"r = {row.median:.3f} (median of {row.tuples} tuples)\n"
        f"quartiles {row.low:.3f} to {row.high:.3f}\nall tasks {row.pooled:.3f}"
    ).replace("-", "−")
    axes.text(0.03, 0.97, text, transform=axes.transAxes, va="top", fontsize=7.5)
    axes.figure.colorbar(points, ax=axes, label="place of the task in Q", aspect=30)


def _first_places(axes: Axes, scores: pd.DataFrame) -> None:
    by_place = scores.groupby("task")[["p_first", "published", "uniform"]].mean() / MEAN_SCORE
    axes.set_title("by place, means over the tuples")
    axes.axhline(1, color="black", linewidth=0.8)
    place = by_place.index + 1
    axes.plot(place, by_place["p_first"], color=GREY, linewidth=2.5,
              label="32 P(t first)")  # fmt: skip
    axes.plot(place, by_place["published"], color=COLORS[PUBLISHED], marker="o", ms=4, linestyle="",
              label="32 × published score")  # fmt: skip
    axes.plot(place, by_place["uniform"], color=COLORS["uniform"], marker="o", ms=3, linestyle="",
              label="32 × simulated score, uniform")  # fmt: skip
    agreement = by_place["p_first"].corr(by_place["published"])
    axes.text(0.03, 0.03, f"P(t first) and published score: r = {agreement:.3f}",
              transform=axes.transAxes, fontsize=7.5)  # fmt: skip
    axes.set(xlabel="place of the task in Q", xticks=[1, 8, 16, 24, 32])


# The two features that each panel of figure 3 varies, and the fixed third one.
PANELS = {
    "a": ("runtime", "procs", "submit"),
    "b": ("runtime", "submit", "procs"),
    "c": ("procs", "submit", "runtime"),
}
SURFACE_COLUMNS = ["panel", "id", "function", "x", "y", "fixed", *FEATURES, "score"]


def surfaces(fits: pd.DataFrame, distribution: pd.DataFrame, points: int = 48) -> pd.DataFrame:
    """Return the scores of the four best functions on planes of two features; figure 3."""
    if fits.empty:
        return pd.DataFrame(columns=SURFACE_COLUMNS)
    axes = {
        name: np.linspace(distribution[name].min(), distribution[name].quantile(0.99), points)
        for name in FEATURES
    }
    frames = []
    for name, (_, fit) in zip(IDS, distinct_functions(fits).head(BEST).iterrows(), strict=True):
        for panel, (x, y, fixed) in PANELS.items():
            grid_x, grid_y = (grid.ravel() for grid in np.meshgrid(axes[x], axes[y]))
            frame = pd.DataFrame({x: grid_x, y: grid_y, fixed: distribution[fixed].mean()})
            coefficients = fit[COEFFICIENTS].to_numpy(dtype=float)
            values = (frame[feature].to_numpy() for feature in FEATURES)
            frame["score"] = form_of(fit).predict(coefficients, *values) + fit["c0"]
            frames.append(frame.assign(panel=panel, id=name, function=fit["formula"], x=x, y=y,
                                       fixed=fixed))  # fmt: skip
    return pd.concat(frames, ignore_index=True)[SURFACE_COLUMNS]


# Even steps of lightness for every kind of color vision; its dark end is low.
SCALE = "cividis"
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
    x, y = plane["x"].iloc[0], plane["y"].iloc[0]
    values = plane.pivot(index=y, columns=x, values="score")
    mesh = axes.pcolormesh(
        *(values.columns, values.index, values.to_numpy()),
        norm=scale,
        cmap=SCALE,
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
    fixed = part["fixed"].iloc[0]
    plane = f"{LETTERS[fixed]} = {part[fixed].iloc[0]:,.0f}"
    panel, y = part["panel"].iloc[0], part["y"].iloc[0]
    axes.set_ylabel(f"{panel}) {plane}\n{LABELS[y]}")
