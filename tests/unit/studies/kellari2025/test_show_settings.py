"""The .csv of a changed setting has the numbers that its figure draws."""

import numpy as np
import pandas as pd
import pytest

from docs_case import ROOT
from schedlab.files.config import read_yaml
from schedlab.files.io import write_parquet
from schedlab.report.parts import write_items
from schedlab.studies.kellari2025.figures.beyond import show_settings
from schedlab.studies.kellari2025.tables.chapter6 import read_runs

NOTE = read_yaml(ROOT / "resources/kellari2025/words.yaml")["notes"]["show_settings"]
LABELS = {"base": "as it was", "new": "changed"}
ENDS = ("change", "low", "high")
SCHEDULERS = {"Conservative": 90.0, "EASY": 60.0, "SJF": 20.0}


def runs(workloads, outlier):
    """Runs in two settings, of which the second has half the slowdown.

    With an outlier, one workload has by far the largest slowdowns, of SJF the largest.
    """
    stream = np.random.default_rng(5)
    rows = [
        (experiment, scheduler, workload, level * factor * (1 + 0.05 * stream.normal()))
        for experiment, factor in (("base", 1.0), ("new", 0.5))
        for scheduler, level in SCHEDULERS.items()
        for workload in range(workloads)
    ]
    frame = pd.DataFrame(rows, columns=["experiment", "scheduler", "workload", "slowdown"])
    if outlier:
        frame.loc[(frame["scheduler"] == "SJF") & (frame["workload"] == 0), "slowdown"] = 6400.0
        frame.loc[(frame["scheduler"] == "EASY") & (frame["workload"] == 0), "slowdown"] = 6000.0
    frame["makespan"] = 1000 + frame["slowdown"]
    return frame.assign(slowed=0.0, utilisation=0.9, job_speedup=1.0, jobs=40, pool="a pool")


@pytest.fixture
def show(tmp_path):
    """Return the table as it is written, its figure, its sentences and the whole text."""

    def run(held_against=None, workloads=4, outlier=False, labels=LABELS):
        path = tmp_path / "runs.parquet"
        write_parquet(runs(workloads, outlier), path)
        item = "beyond_arrivals" if held_against else "beyond_matching"
        table, picture, said = show_settings(item, read_runs([path]), labels)
        outputs = {f"out_{kind}": tmp_path / f"out.{kind}" for kind in ("csv", "md", "txt")}
        write_items({"out": (table, said)}, outputs, words={"out": {"note": NOTE}})
        texts = [outputs[f"out_{kind}"].read_text() for kind in ("txt", "md")]
        return pd.read_csv(outputs["out_csv"]), picture.figure, *texts

    return run


@pytest.mark.parametrize("held_against", [None, "EASY"])
def test_table_has_the_values_that_the_figure_draws(show, held_against):
    table, figure, *_ = show(held_against)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    suffix = f"_against_{held_against}" if held_against else ""
    for axes, metric in zip(figure.axes, ("slowdown", "makespan_speedup"), strict=True):
        marks = [line for line in axes.lines if line.get_label() in set(table["setting"])]
        bars = [lines.get_segments() for lines in axes.collections]
        assert marks
        assert len(bars) == len(marks)
        for line, segments in zip(marks, bars, strict=True):
            own = table[table["setting"] == line.get_label()].set_index("scheduler").loc[names]
            written = own[[f"{metric}_{end}{suffix}" for end in ENDS]].to_numpy()
            if axes.get_xlabel().endswith("ratio"):  # of a large change, in percent in the table
                written = 1 + written / 100
            assert line.get_xdata() == pytest.approx(written[:, 0], abs=1e-5)
            ends = np.array([segment[:, 0] for segment in segments])
            assert ends == pytest.approx(written[:, 1:], abs=1e-5)


def test_the_note_states_what_changes_are_compared_with(show):
    table, _, said, page = show("EASY")
    assert "compared with EASY in the same setting (columns against_…) and the first" in page
    assert table.loc[table["scheduler"] == "EASY", "slowdown_change_against_EASY"].isna().all()
    assert said.startswith("Mean slowdown is lower than EASY's in all 2 settings for SJF;")
    *_, page = show()
    assert "changes in percent compared with the first setting, as it was." in page


def test_an_interval_without_ends_is_empty(show):
    table, _, said, page = show("EASY", workloads=1)
    row = table[table["scheduler"] == "SJF"].iloc[0]
    assert row["slowdown_change_against_EASY"] < 0
    assert np.isnan(row["slowdown_low_against_EASY"])
    assert "inf" not in page
    assert "in no setting for Conservative, SJF" in said


@pytest.mark.parametrize(
    "words", ["", ", whose log has a name", ", model, 256 processors (stands in for KTH-SP2)" * 2]
)
def test_the_legend_stays_within_the_figure(show, words):
    labels = {experiment: f"{label}, load 0.8{words}" for experiment, label in LABELS.items()}
    _, figure, *_ = show("EASY", labels=labels)
    figure.canvas.draw()
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1
