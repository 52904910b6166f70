"""Boxplots draw the computed values."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba

from schedlab.comparison.sequences import run_policies
from schedlab.learning.distributions import correlations
from schedlab.learning.tuples import MEAN_SCORE
from schedlab.policies import get
from schedlab.report.figures.picture import save
from schedlab.report.figures.style import COLORS
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.figures import boxplots, scores, sites
from schedlab.studies.carastan2017.figures.boxplots import draw_boxplots
from schedlab.studies.carastan2017.figures.scores import (
    draw_convergence,
    draw_examples,
    draw_samplers,
)
from schedlab.studies.carastan2017.figures.windows import choose_window, explore_window
from schedlab.studies.carastan2017.tables import table4 as tables_experiments
from table4_case import LOG_ON_MODEL, experiments, printed_values, sequences


def boxes(values) -> pd.DataFrame:
    return boxplots.boxes_of(tables_experiments.sheet_frame(experiments()), sequences(values))


def boxes_of_six(values) -> pd.DataFrame:
    """The same with each sequence twice: more than a box needs."""
    drawn = sequences(values)
    twice = pd.concat([drawn, drawn.assign(piece=drawn["piece"] + 3)])
    return boxplots.boxes_of(tables_experiments.sheet_frame(experiments()), twice)


def texts(figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


@pytest.mark.slow
def test_panels_are_on_the_papers_axis_and_a_logarithmic_one_with_points_of_few_sequences():
    drawn = boxes(printed_values())
    figure = draw_boxplots(drawn)
    assert [axes.get_yscale() for axes in figure.axes] == ["linear", "log"] * 2
    axes = figure.axes[0]
    assert axes.get_ylim()[0] == 0
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == ["FCFS", "WFP", "UNI", "SPT", "F4", "F3", "F2", "F1"]
    assert not axes.patches
    points = [marks for marks in axes.collections if isinstance(marks, PathCollection)]
    assert sum(len(marks.get_offsets()) for marks in points) == 3 * 16
    alone = draw_boxplots(drawn[drawn["dialect"] == "full"])
    assert len(alone.legends[0].get_texts()) == 3


def test_medians_are_drawn_at_their_values():
    axes = draw_boxplots(boxes(printed_values())).axes[0]
    orange = to_rgba(COLORS["median"])
    medians = [lines for lines in axes.collections if tuple(lines.get_edgecolor()[0]) == orange]
    heights = {round(float(y), 2) for lines in medians for [_, y], _ in lines.get_segments()}
    assert set(printed_values()["model_artefact"]) <= heights


def test_box_and_whiskers_of_a_policy_are_drawn_over_its_place_at_their_values():
    frame = boxes_of_six(printed_values())
    axes = draw_boxplots(frame).axes[0]
    panel = frame[frame["panel"].eq(frame["panel"].iloc[0]) & frame["dialect"].eq("artefact")]
    drawn = [box for box in axes.patches if box.get_edgecolor() == axes.patches[0].get_edgecolor()]
    assert [box.get_y() for box in drawn] == pytest.approx([*panel["q1"]])
    assert [box.get_y() + box.get_height() for box in drawn] == pytest.approx([*panel["q3"]])
    lines = [lines for lines in axes.collections if isinstance(lines, LineCollection)]
    segments = [segment.tolist() for each in lines for segment in each.get_segments()]
    places = [round(float(box.get_x() + box.get_width() / 2), 9) for box in drawn]
    for x, box in zip(places, panel.itertuples(), strict=True):
        for near, far in ((box.q1, box.whisker_low), (box.q3, box.whisker_high)):
            assert [[x, near], [x, far]] in segments
            caps = [one for one in segments if one[0][1] == one[1][1] == far]
            assert any(left < x < right for (left, _), (right, _) in caps)
    [points, *_] = [each for each in axes.collections if isinstance(each, PathCollection)]
    values = [float(one) for joined in panel["values"] for one in joined.split(";") if one]
    assert [y for _, y in points.get_offsets().tolist()] == values
    assert sorted({x for x, _ in points.get_offsets().tolist()}) == places


def test_sequences_above_the_linear_axis_are_marked_at_its_edge():
    values = printed_values()
    frame = sequences(values)
    high = frame["experiment"].eq("model_artefact") & frame["policy"].eq("f1")
    frame.loc[high, "avebsld"] = [1e6, 20, 30]
    extra = frame[frame["experiment"] == "model_artefact"].assign(piece=9, avebsld=20.0)
    frame = pd.concat([frame, extra, extra.assign(piece=10), extra.assign(piece=11)])
    figure = draw_boxplots(boxplots.boxes_of(tables_experiments.sheet_frame(experiments()), frame))
    assert figure.axes[0].get_ylim()[1] < 1e6
    marks = [line for line in figure.axes[0].lines if line.get_marker() == "^"]
    assert [float(line.get_ydata()[0]) for line in marks] == [figure.axes[0].get_ylim()[1]]
    assert figure.axes[1].get_ylim()[1] > 1e6


def test_panel_without_its_log_is_marked_and_the_others_are_drawn():
    values = {name: row for name, row in printed_values().items() if name.startswith("model")}
    figure = draw_boxplots(boxes(values))
    assert len(figure.axes) == 3
    assert NOT_AVAILABLE in texts(figure)


@pytest.mark.slow
def test_long_names_do_not_run_into_each_other():
    values = sequences(printed_values())
    frame = pd.concat([values, values[values["policy"] == "f1"].assign(policy="smallest_area")])
    sheet = tables_experiments.sheet_frame(experiments())
    labels = draw_boxplots(boxplots.boxes_of(sheet, frame, ["smallest_area"])).axes[
        1].get_xticklabels()  # fmt: skip
    assert {label.get_rotation() for label in labels} == {30}
    assert [label.get_text() for label in labels][-2:] == ["F1", "smallest_area"]
    assert {label.get_rotation() for label in draw_boxplots(boxes(printed_values())).axes[
        1].get_xticklabels()} == {0}  # fmt: skip


def boxes_of_panels(second):
    rows = [("a", "full", "F1", 3, 1.0), ("a", "full", "F2", 3, 2.0)]
    rows += [("b", "full", "F1", 3, second), ("b", "full", "F2", 3, 2.0)]
    rows += [("c", "full", "F1", 3, 1.0), ("c", "full", "F2", 3, 2.0), ("d", "full", "", 0, None)]
    frame = pd.DataFrame(rows, columns=["panel", "dialect", "policy", "n", "median"])
    return frame.assign(title="Workload model, aggressive backfilling")


@pytest.mark.parametrize(("second", "count"), [(1.999, 3), (2.001, 2)])
def test_the_policy_with_most_of_the_lowest_medians_is_counted(second, count):
    assert boxplots.lowest(boxes_of_panels(second)) == (
        "Lowest median of 2 policies on the workload model, aggressive backfilling: "
        f"F1 in {count} of 3 panels (whole queue)"
    )


def test_titles_of_traces_and_of_missing_logs_name_what_runs():
    traces = boxes_of_panels(1.0).assign(title="CTC SP2 workload trace, runtime estimates e")
    setting = "on workload traces, runtime estimates e: "
    assert boxplots.lowest(traces).startswith(f"Lowest median of 2 policies {setting}")
    models = traces.assign(title=LOG_ON_MODEL)
    assert "on model workloads, actual runtimes r: " in boxplots.lowest(models)
    missing = boxplots.lowest(traces.query("n == 0"))
    assert missing == f"Medians {setting}log not available"


def test_spread_of_scores_is_in_percent_of_the_mean():
    rows = pd.DataFrame({"sampler": ["uniform"] * 3, "score": [1 / 32, 1.5 / 32, 0.5 / 32]})
    assert scores.spread(rows) == "Scores of tasks vary by 50 % of the mean (uniform)"


def test_noise_is_that_of_the_most_trials():
    rows = pd.DataFrame({"sampler": "uniform", "trials": [10, 2000], "deviation": [0.5, 0.02]})
    assert scores.noise(rows) == "With 2,000 trials a score’s noise is 2 % (uniform) of its mean"


def cells(windows, low, high):
    row = {"regime": "actual", "trained": "s", "tested": "s", "status": ""}
    return pd.DataFrame([row | {"windows": windows, "low": low, "high": high}])


@pytest.mark.parametrize(
    ("windows", "low", "high", "words"),
    [
        (6, 0.5, 0.999, "better at 1 and worse at 0"),
        (6, 0.5, 1.0, "no significant difference at 1 site (actual)"),
        (6, 1.001, 2.0, "better at 0 and worse at 1"),
        (6, 1.0, 2.0, "no significant difference at 1 site (actual)"),
        (5, 0.5, 0.999, "too few windows at each site (actual)"),
    ],
)
def test_sites_differ_significantly_only_with_enough_windows(windows, low, high, words):
    assert words in sites.significant(cells(windows, low, high))


@pytest.mark.parametrize(("late", "count"), [(2.1, 1), (1.9, 0)])
def test_scores_that_rise_with_a_feature_are_counted(late, count):
    """The score at the largest run time is compared with 2, the one at the smallest."""
    planes = [("runtime", "procs"), ("procs", "submit"), ("submit", "runtime")]
    rows = [
        {"id": "F1", "x": x, "y": y, "runtime": runtime, "procs": procs, "submit": submit}
        | {"score": late if runtime else 2.0}
        for x, y in planes
        for runtime, procs, submit in [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1)]
    ]
    assert scores.rising(pd.DataFrame(rows)) == (
        f"Of 1 functions the score rises with run time in {count}, processors in 0 and submit "
        "time in 0"
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


SETTINGS = {
    "processors": 8,
    "decisions": "estimate",
    "backfill": "easy",
    "dialect": "full",
    "tau": 10,
    "head": 2,
    "pieces": (0, 1, 2),
}


@pytest.mark.parametrize(
    ("fcfs", "others", "expected"),
    [
        ([5, 1, 9], {"spt": [4, 4, 4], "f1": [9, 3, 3]}, ("f1", 0)),
        ([5, 1, 9], {"spt": [4, 4, 4], "f1": [9, 4, 3]}, ("spt", 0)),  # equal: the first
        ([4, 8, 2, 6], {"f1": [1, 1, 1, 1]}, ("f1", 0)),  # 4 and 6 in the middle: the lower
        ([7, 7, 7], {"f1": [9, 9, 9]}, ("f1", 1)),  # worse than FCFS, and equal windows
    ],
)
def test_the_window_is_fcfss_median_and_the_policy_the_best_of_the_others(fcfs, others, expected):
    rows = [("fcfs", piece, value) for piece, value in enumerate(fcfs)]
    rows += [
        (name, piece, each) for name, values in others.items() for piece, each in enumerate(values)
    ]
    metrics = pd.DataFrame(rows, columns=["policy", "piece", "avebsld"])
    assert choose_window(metrics) == expected


def pieces():
    rng = np.random.default_rng(2)
    runtime = rng.integers(1, 500, 90)
    return pd.DataFrame(
        {
            "piece": np.repeat([0, 1, 2], 30),
            "number": np.arange(90),
            "submit": np.sort(rng.integers(0, 4000, 90)),
            "runtime": runtime,
            "estimate": runtime * 2,
            "procs": rng.integers(1, 8, 90),
        }
    )


def test_the_page_shows_the_window_as_it_was_simulated(tmp_path):
    frame = pieces()
    policies = {name: get(name) for name in ("fcfs", "spt", "f1")}
    metrics = run_policies(frame, "mine", SETTINGS, policies)
    best, window = choose_window(metrics)
    path = tmp_path / "page.html"
    explore_window(frame, metrics, SETTINGS, "A row", path)
    page = path.read_text()
    facts = json.loads(re.search(r'<script id="facts"[^>]*>(.*?)</script>', page)[1])
    assert [each["name"] for each in facts["schedules"]] == ["FCFS", get(best).label]
    assert f"Window {window} (from 0)" in page
    assert "30 jobs on 8 processors" in page
    assert '<a href="../carastan2017.html">' in page
    assert "demonstration" not in page
    explore_window(frame, metrics, SETTINGS, LOG_ON_MODEL, path)
    assert "; a demonstration on a model workload, whose jobs are drawn" in path.read_text()


def test_unavailable_log_is_named_on_the_page(tmp_path):
    empty = run_policies(pieces().iloc[:0], "mine", SETTINGS, {"fcfs": get("fcfs")})
    explore_window(pieces().iloc[:0], empty, SETTINGS, "A row", tmp_path / "page.html")
    assert "A row: log not available" in (tmp_path / "page.html").read_text()
