"""The comparison of found expressions: statistics, the reference, Holm, and what is shown."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from schedlab.core.intervals import holm
from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.files.config import read_yaml
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from schedlab.report.words import filled
from schedlab.studies.programs import items, trial
from schedlab.studies.site.example import make_example

ADVICE = {"longest_wait": 3, "allow_youth": False}
WORDS = read_yaml(Path(__file__).parents[4] / "resources/programs/words.yaml")
TEXTS = {"fcfs": "s", "saf": "r * n", "spf": "r", "w_train": "r + n", "found 3": "sqrt(r) * n"}
TEXTS |= {"found 5": "r * n * n", "rl_hpc2n": "rl_hpc2n"}


def measured_of(factors, noise=0.02, count=12, longest=None):
    """Metrics of windows: those of EASY times a factor by scheduler."""
    stream, rows = np.random.default_rng(5), []
    for part, log in (("training", "A"), ("later", "A"), ("other", "B"), ("other", "C")):
        for window in range(count):
            easy = stream.uniform(10, 20, 2)
            for name, factor in ({"fcfs": 1.0} | factors).items():
                values = easy * factor * np.exp(stream.normal(0, noise, 2) * (name != "fcfs"))
                wait = (longest or {}).get((part, log, name), 100_000.0)
                rows.append((part, log, window, name, TEXTS[name], *values, wait))
    return pd.DataFrame(rows, columns=list(trial.COLUMNS))


FACTORS = {"saf": 0.7, "spf": 0.8, "w_train": 0.5, "found 3": 0.6, "found 5": 0.7}


def test_ratios_are_geometric_means_of_both_metrics_and_logs():
    table = items.standing_of(measured_of(FACTORS, noise=0), 3)
    for name, factor in FACTORS.items():
        assert table.loc[name, ["training", "later", "other", "held_out"]].tolist() == (
            pytest.approx([factor] * 4)
        )
        assert table.loc[name, "later_low"] == pytest.approx(factor)
    assert table["size"].to_dict() == {
        **{"saf": 3, "spf": 1, "w_train": 3, "found 3": 4, "found 5": 5}
    }


def test_every_log_of_a_part_counts_equally():
    measured = measured_of(FACTORS, noise=0)
    # three windows of log C, in which SAF is bad
    is_c = (measured["log"] == "C") & (measured["scheduler"] == "saf")
    measured.loc[is_c, ["bsld", "response"]] *= 2
    measured = measured[(measured["log"] != "C") | (measured["window"] < 3)]
    table = items.standing_of(measured, 3)
    assert table.loc["saf", "other"] == pytest.approx(np.sqrt(0.7 * 1.4))
    assert table.loc["saf", "held_out"] == pytest.approx(np.cbrt(0.7 * 0.7 * 1.4))


def test_reference_is_the_best_known_policy_in_training_without_long_waits():
    assert set(items.standing_of(measured_of(FACTORS), 3)["reference"]) == {"saf"}
    for waits, expected in ((299_000.0, "saf"), (301_000.0, "spf")):
        longest = {("training", "A", "saf"): waits}
        table = items.standing_of(measured_of(FACTORS, longest=longest), 3)
        assert set(table["reference"]) == {expected}
        assert table.loc["saf", "too_long_training"] == (expected == "spf")
        assert table.loc["saf", "too_long"] == 0


def test_networks_have_no_size_and_are_no_reference():
    measured = measured_of({"saf": 0.9, "rl_hpc2n": 0.5, "found 3": 0.8})
    table = items.standing_of(measured, 3)
    assert set(table["reference"]) == {"saf"}
    assert np.isnan(table.loc["rl_hpc2n", "size"])
    assert table.loc["rl_hpc2n", ["label", "expression"]].tolist() == ["RL-HPC2N", ""]
    assert table.loc["rl_hpc2n", "held_out"] == pytest.approx(0.5, rel=0.05)
    items.draw_sizes(table)


def test_chances_are_adjusted_over_the_found_expressions(monkeypatch):
    raw = []

    def recorded(chances):
        raw.extend(chances)
        return holm(chances)

    monkeypatch.setattr(items, "holm", recorded)
    table = items.standing_of(measured_of(FACTORS), 3)
    assert len(raw) == 2
    assert table["chance"].dropna().to_dict() == {
        name: pytest.approx(chance)
        for name, chance in zip(("found 3", "found 5"), holm(np.array(raw)), strict=True)
    }
    # one differs from SAF, the other does not
    assert table.loc["found 3", "chance"] < 0.001
    assert table.loc["found 5", "chance"] > 0.05


@pytest.mark.parametrize(
    ("factors", "starts", "holds"),
    [
        ({}, "1 of 2 reported expressions beats SAF", "none is worse"),
        ({"found 3": 0.7}, "None of 2 reported expressions beats SAF", "none is worse"),
        ({"found 3": 0.6, "found 5": 0.6}, "2 of 2 reported expressions beat SAF", "none is"),
        ({"found 3": 0.9, "found 5": 0.9}, "None of 2 reported expressions beats", "2 are worse"),
    ],
)
def test_sentence_is_made_from_the_numbers(factors, starts, holds):
    front = pd.DataFrame({"size": [3], "evaluations": [123_456]})
    site = pd.DataFrame(columns=list(trial.SITE_COLUMNS))
    made = items.compare_programs(measured_of(FACTORS | factors), front, site, ADVICE)
    text = filled(WORDS["texts"]["finding"], made["finding"].facts)
    assert text.startswith(starts)
    assert holds in text
    assert "on 36 windows of 3 parts of logs" in text
    assert "123,456 windows" in text
    assert list(made["programs"].rows["label"][:1]) == ["w_train"]


def test_without_logs_everything_says_so():
    made = items.compare_programs(pd.DataFrame(), pd.DataFrame(), pd.DataFrame(), ADVICE)
    text = filled(WORDS["texts"]["finding"], made["finding"].facts)
    assert text == "No log of the search is available."
    assert "log not available" in made["fig_programs"].figure.texts[0].get_text()


def test_without_the_other_logs_only_later_windows_are_judged():
    measured = measured_of(FACTORS, noise=0)
    front, site = pd.DataFrame({"evaluations": [1]}), pd.DataFrame(columns=["scheduler"])
    for parts, is_available in ((["training", "later"], True), (["training"], False)):
        some = measured[measured["part"].isin(parts)]
        made = items.compare_programs(some, front, site, ADVICE)
        assert made["finding"].facts["available"] == is_available
        if is_available:
            rows = made["programs"].rows
            assert rows["other"].isna().all()
            assert rows["held_out"].tolist() == rows["later"].tolist()


def test_best_of_each_class_of_sizes_is_reported():
    front = pd.DataFrame({"size": [1, 3, 4, 9, 10], "expression": list("abcde")})
    assert trial.reported(front)["name"].tolist() == ["found 3", "found 4", "found 9", "found 10"]


@pytest.fixture(scope="module")
def logs():
    def jobs_of(seed):
        stream, count = np.random.default_rng(seed), 600
        runtime = stream.integers(10, 4000, count)
        submit = np.sort(stream.integers(0, count * 400, count))
        return Jobs(np.arange(count), submit, runtime, 2 * runtime, stream.integers(1, 9, count))

    nothing = Jobs([], [], [], [], [])
    return {"A": (jobs_of(1), 10), "B": (jobs_of(2), 10), "C": (nothing, 10)}


SETTINGS = {
    "training": ["A"],
    "test": ["B", "C"],
    "windows": {"jobs": 100, "training_jobs": 100, "warm_up": 20, "slowdown": 1, "training": 1},
}


def test_training_windows_are_in_first_halves_and_missing_logs_are_left_out(logs):
    (window,) = trial.training_windows(logs, SETTINGS)
    assert (window.log, window.jobs.number.tolist()) == ("A", list(range(120)))
    assert trial.training_windows({"A": logs["C"]}, SETTINGS) == []


@pytest.mark.slow
def test_every_scheduler_runs_on_every_window(logs):
    front = pd.DataFrame({"size": [3], "expression": ["n * r"], "score": [-0.1]})
    measured = trial.judge(front, logs, SETTINGS, ADVICE, 5)
    assert list(measured.columns) == list(trial.COLUMNS)
    assert (measured["scheduler"].value_counts() == 1 + 3 + 3).all()
    assert set(measured["scheduler"]) == {"fcfs", *trial.KNOWN, "found 3"}
    wide = measured.pivot(index=["part", "log", "window"], columns="scheduler", values="bsld")
    # an expression that is a known policy has its metrics
    assert wide["found 3"].equals(wide["saf"].rename("found 3"))
    # jobs wait for more than two days here
    assert not np.array_equal(wide["saf_2d"], wide["saf"])
    parts = [(*key, len(rows)) for key, rows in wide.groupby(["part", "log"])]
    assert parts == [("later", "A", 3), ("other", "B", 3), ("training", "A", 1)]
    # the windows of the second half are of one run over the whole log
    jobs, processors = logs["B"]
    schedule = simulate(Run(jobs, processors, get("saf"), get("saf")))
    piece = slice(400, 500)
    part = Schedule(schedule.start[piece], schedule.end[piece])
    assert wide.loc["other", "B", 400]["saf"] == average_bounded_slowdown(jobs.take(piece), part)
    mixed = measured[measured["scheduler"] == "w_train"].groupby("log")["expression"].nunique()
    assert mixed.to_dict() == {"A": 1, "B": 1}
    again = trial.judge(front, logs, SETTINGS, ADVICE, 5, threads=2)
    assert again.equals(measured)


def test_windows_in_which_no_job_waits_are_left_out(logs):
    front = pd.DataFrame({"size": [3], "expression": ["n * r"], "score": [-0.1]})
    busy = SETTINGS | {"windows": SETTINGS["windows"] | {"slowdown": 1e9}}
    assert trial.judge(front, logs, busy, ADVICE, 5).empty


def test_orders_run_in_both_slurms_and_the_dialect_refuses_those_of_time(root, tmp_path):
    make_example(tmp_path, days=2, jobs=40)
    cell = f"site+slurm_conf={tmp_path}/slurm.conf+accounts={tmp_path}/accounts.txt"
    site = dialect_of(cell).site
    frame = pd.read_parquet(tmp_path / "log.parquet")
    jobs = Jobs.from_frame(frame.assign(estimate=frame["requested_time"])).rebased()
    rows = trial.try_on_site({"area": "r * n", "time": "r - w"}, site, jobs)
    assert rows[["slurm", "scheduler"]].to_numpy().tolist() == [
        *(["slurm", "FCFS"], ["slurm", "area"]),
        *(["site", "Slurm 22.05"], ["site", "area"], ["site", "time"]),
    ]
    assert (rows["bsld"] >= 1).all()
