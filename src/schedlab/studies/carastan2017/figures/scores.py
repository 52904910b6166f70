"""Draw figures 1 and 2 of carastan2017, and the origin of the published scores."""

from functools import partial
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from schedlab.learning.distributions import correlations, examples
from schedlab.learning.tuples import MEAN_SCORE
from schedlab.report.comparison import read_published
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import (
    COLORS,
    GREY,
    PUBLISHED,
    colors_of,
    legend_below,
    titled,
)
from schedlab.report.items import From, item, resource
from schedlab.studies.carastan2017.figures.findings import corrected, noise, spread
from schedlab.studies.carastan2017.inputs import DRAWING, scores

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
    printed: Annotated[
        pd.DataFrame, From(resource("published.tsv"), lambda path: read_published(path, "fig2"))
    ],
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
    """Draw one pair of scores, one point per task, with their correlation."""
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
    """Draw the probability that the artefact's shuffle puts each place first, and mean scores."""
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
