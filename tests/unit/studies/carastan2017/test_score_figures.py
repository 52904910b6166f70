"""Figures 1 and 2 and that of the samplers draw the computed values."""

import numpy as np
import pandas as pd
import pytest

from schedlab.learning.distributions import correlations
from schedlab.learning.tuples import MEAN_SCORE
from schedlab.report.figures.picture import save
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.figures.scores import (
    draw_convergence,
    draw_examples,
    draw_samplers,
)

TASKS = 32


def scores_of(sampler, number, slope):
    """Return scores of a tuple that rise with the place of the task; their mean is 1/32."""
    score = MEAN_SCORE * (1 + slope * np.linspace(-1, 1, TASKS))
    columns = {"sampler": sampler, "tuple": number, "task": range(TASKS), "score": score}
    return pd.DataFrame(columns)


@pytest.fixture
def examples():
    samplers = (("uniform", 0.1), ("artefact", -0.2))
    return pd.concat(scores_of(name, number, x) for number in (3, 8) for name, x in samplers)


@pytest.fixture
def convergence():
    rows = [
        (sampler, trials, task, (1 + task) * scale / np.sqrt(trials))
        for sampler, scale in (("uniform", 1.0), ("artefact", 5.0))
        for trials in (1000, 4000)
        for task in range(3)
    ]
    return pd.DataFrame(rows, columns=["sampler", "trials", "task", "deviation"])


@pytest.fixture
def joined():
    """Return two tuples whose published scores are the artefact's, and lean as its shuffle does."""
    place = np.tile(np.arange(TASKS), 2)
    lean = 1.3 - 0.6 * place / TASKS
    uniform = MEAN_SCORE * (1 + 0.2 * np.sin(place + np.repeat([0, 1], TASKS)))
    return pd.DataFrame(
        {
            "tuple": np.repeat([0, 1], TASKS),
            "task": place,
            "published": uniform * lean,
            "p_first": lean * MEAN_SCORE,
            "corrected": uniform,
            "uniform": uniform,
            "artefact": uniform * lean,
        }
    )


def test_a_tuple_has_a_panel_and_a_sampler_its_points(examples):
    figure = draw_examples(examples)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["tuple 3", "tuple 8"]
    mean, *points = figure.axes[0].lines
    assert list(mean.get_ydata()) == [MEAN_SCORE] * 2
    drawn = {line.get_label(): line.get_ydata() for line in points}
    assert len(drawn) == 2
    uniform = next(y for label, y in drawn.items() if label.startswith("uniform"))
    assert uniform == pytest.approx(scores_of("uniform", 3, 0.1)["score"])


def test_convergence_is_drawn_as_mean_and_band(convergence):
    axes = draw_convergence(convergence, (4000, 0.02)).axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    drawn = {line.get_label(): line for line in axes.lines}
    uniform = next(line for label, line in drawn.items() if label.startswith("uniform"))
    assert uniform.get_ydata() == pytest.approx(2 / np.sqrt([1000, 4000]))
    assert (drawn["published"].get_xdata()[0], drawn["published"].get_ydata()[0]) == (4000, 0.02)
    assert len(axes.collections) == 2
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1k", "4k"]
    (legend,) = draw_convergence(convergence, None).legends
    assert "published" not in [text.get_text() for text in legend.get_texts()]
    further = draw_convergence(convergence, (256_000, 0.02)).axes[0]
    assert [label.get_text() for label in further.get_xticklabels()] == ["1k", "4k", "256k"]


def test_samplers_have_a_panel_a_pair_with_their_correlation(joined):
    figure = draw_samplers(joined, correlations(joined))
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert len(panels) == 4
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert sum("r = 1.000 (median of 2 tuples)" in text for text in texts) == 2
    assert panels[0].get_xlim() == panels[0].get_ylim()


@pytest.mark.parametrize(
    "figure",
    [
        draw_examples(pd.DataFrame()),
        draw_convergence(pd.DataFrame(), None),
        draw_samplers(pd.DataFrame(), pd.DataFrame()),
    ],
    ids=["fig1", "fig2", "samplers"],
)
def test_figure_without_its_log_is_marked(figure):
    assert NOT_AVAILABLE in figure.texts[0].get_text()


@pytest.mark.slow
def test_equal_data_give_equal_files(joined, tmp_path):
    for name in "ab":
        figure = draw_samplers(joined, correlations(joined))
        save(figure, tmp_path / f"{name}.pdf", tmp_path / f"{name}.png")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
