"""Metrics of three jobs, computed by hand."""

import numpy as np
import pytest

from referee_case import JOBS, RUNS, replay, run, summarized, waits
from schedlab.core.jobs import Schedule
from schedlab.studies.referee import metrics
from schedlab.studies.referee.metrics import (
    differences_of,
    evaluate_windows,
    figures_of,
    ranking,
    runs_of,
)
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, PHASES, REAL, SLURM
from schedlab.studies.referee.windows import NODES


@pytest.fixture
def simulated(monkeypatch):
    """Make every simulator start jobs a given time after submission; return the requests."""
    asked = []

    def stand_in(jobs, processors, policy, how, phase):
        asked.append((processors, policy.name, how, phase))
        start = jobs.submit + {EASY: 10, CONSERVATIVE: 20, SLURM: 30}[how] + phase
        return Schedule(start, start + jobs.runtime)

    monkeypatch.setattr(metrics, "simulate_window", stand_in)
    return asked


def test_waits_begin_at_the_planned_submission_and_makespans_end_last():
    figures = figures_of(JOBS, RUNS)
    assert figures["wait"].tolist() == pytest.approx([70, 80, 60, 220 / 3, 75, 80])
    assert figures["makespan"].tolist() == [200, 220, 190, 200, 210, 210]


def test_starts_are_compared_with_every_real_run_and_real_pairs_once():
    table = differences_of(RUNS)
    keys = list(zip(table["scheduler"], table["run"], table["repetition"], strict=True))
    assert keys == [
        (REAL, 1, 2),
        (EASY, 0, 1),
        (EASY, 0, 2),
        (CONSERVATIVE, 0, 1),
        (CONSERVATIVE, 0, 2),
        (SLURM, 0, 1),
        (SLURM, 0, 2),
        (SLURM, 5, 1),
        (SLURM, 5, 2),
    ]
    apart = [10, 10, 20, 110 / 3, 40, 5, 5, 10, 20 / 3]
    assert table["difference"].tolist() == pytest.approx(apart)
    assert table["correlation"].tolist() == pytest.approx([1, 1, 1, 0.5, 0.5, 1, 1, 1, 1])


def test_deviations_and_spreads_are_in_percent_of_the_real_mean():
    table = summarized()
    assert table.index.tolist() == [REAL, EASY, CONSERVATIVE, SLURM]
    assert table["runs"].tolist() == [2, 1, 1, 2]
    assert table["wait"].tolist() == pytest.approx([75, 60, 220 / 3, 77.5])
    assert table["wait_deviation"].tolist() == pytest.approx([0, -20, -20 / 9, 10 / 3])
    assert table["wait_spread"].tolist() == pytest.approx([40 / 3, 0, 0, 20 / 3])
    assert table.loc[SLURM, ["wait_low", "wait_high"]].tolist() == [75, 80]
    assert table.loc[REAL, ["makespan_low", "makespan_high"]].tolist() == [200, 220]
    assert table["makespan_deviation"].tolist() == pytest.approx([0, -200 / 21, -100 / 21, 0])
    assert table["makespan_spread"].tolist() == pytest.approx([200 / 21, 0, 0, 0])
    assert table["difference"].tolist() == pytest.approx([10, 15, 115 / 3, 20 / 3])
    assert table["correlation"].tolist() == pytest.approx([1, 1, 0.5, 1])


@pytest.mark.parametrize(
    ("start", "inside"),
    [
        ((0, 90, 150), True),  # 70 s, as the lowest real run
        ((0, 90, 149), False),
        ((0, 100, 170), True),  # 80 s, as the highest
        ((0, 100, 171), False),
    ],
)
def test_inside_is_from_the_lowest_to_the_highest_real_run(start, inside):
    assert summarized(RUNS | {(EASY, 0): run(*start)}).loc[EASY, "wait_inside"] == inside


def test_single_repetition_has_no_spread_and_no_difference():
    table = summarized({key: one for key, one in RUNS.items() if key != (REAL, 2)})
    assert table.loc[REAL, "wait_spread"] == 0
    assert np.isnan(table.loc[REAL, "difference"])
    assert table.loc[EASY, "difference"] == 10


def test_settings_are_ranked_by_the_mean_over_runs():
    """The second real run has another order; so has the dialect's first phase."""
    table = ranking(
        waits(
            fcfs={REAL: [30, 50], EASY: [3], CONSERVATIVE: [1], SLURM: [3, 3]},
            sqf={REAL: [10, 20], EASY: [1], CONSERVATIVE: [2], SLURM: [2, 1]},
            mixed={REAL: [20, 10], EASY: [2], CONSERVATIVE: [3], SLURM: [1, 2.5]},
        )
    ).set_index("scheduler")
    # sqf and mixed are equal on the real Slurm: the order of the settings decides
    assert table.loc[REAL, "order"] == "sqf < mixed < fcfs"
    assert table.loc[EASY, ["order", "same"]].tolist() == ["sqf < mixed < fcfs", True]
    assert table.loc[CONSERVATIVE, ["order", "same"]].tolist() == ["fcfs < sqf < mixed", False]
    assert table["agreeing"].tolist() == [1, 1, 0, 1]
    assert table["runs"].tolist() == [2, 1, 1, 2]


def test_a_run_that_some_setting_lacks_is_not_counted():
    table = ranking(waits(fcfs={REAL: [10, 20], EASY: [1]}, sqf={REAL: [20], EASY: [2]}))
    assert table["runs"].tolist() == [1, 1]
    assert table["agreeing"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("means", "tau"), [((1, 2, 3), 1), ((1, 3, 2), 1 / 3), ((2, 3, 1), -1 / 3), ((3, 2, 1), -1)]
)
def test_tau_counts_pairs_ranked_as_on_the_real_slurm(means, tau):
    table = ranking(
        waits(
            fcfs={REAL: [10], EASY: [means[0]]},
            sqf={REAL: [20], EASY: [means[1]]},
            mixed={REAL: [30], EASY: [means[2]]},
        )
    ).set_index("scheduler")
    assert table["tau"].tolist() == pytest.approx([1, tau])
    assert table["same"].tolist() == [True, tau == 1]


def test_every_window_is_simulated_under_every_setting_by_all(simulated):
    replays = {
        ("A", "sqf"): [replay(0, 90, 150), replay(0, 100, 170)],
        ("A", "fcfs"): [replay(0, 90, 150)],
    }
    figures, summaries, rankings = evaluate_windows({"A": JOBS}, replays)
    assert simulated[0] == (NODES, "sqf", EASY, 0)
    assert [one[2:] for one in simulated[:8]] == [
        (EASY, 0),
        (CONSERVATIVE, 0),
        *((SLURM, phase) for phase in PHASES),
    ]
    assert len(simulated) == 16
    assert len(figures) == 2 + 8 + 1 + 8
    waited = summaries.set_index(["log", "setting", "scheduler"])["wait"]
    assert waited["A", "sqf", REAL] == 75
    assert waited["A", "fcfs", REAL] == 70
    assert waited["A", "fcfs", SLURM] == 30 + np.mean(PHASES)
    assert rankings.columns[0] == "log"
    assert rankings["order"][0] == "fcfs < sqf"


@pytest.mark.parametrize(
    ("column", "said"), [("number", "number is 9, not 2"), ("procs", "procs is 9, not 32")]
)
def test_a_replay_of_other_jobs_is_refused(column, said):
    other = replay(0, 90, 150)
    other.loc[1, column] = 9
    with pytest.raises(ValueError, match=f"setting sqf, repetition 2: job 2: {said}"):
        runs_of(JOBS, "sqf", [replay(0, 90, 150), other])


def test_a_replay_that_lacks_jobs_is_refused():
    with pytest.raises(ValueError, match="setting sqf, repetition 1: 2 jobs of 3"):
        runs_of(JOBS, "sqf", [replay(0, 90, 150).head(2)])


def test_overlapping_runs_are_not_inside_if_their_mean_is_outside():
    """Runs of 60 and 76 s on average: some of what they span is real, their mean of 68 s is not."""
    low, high = run(0, 80, 130), run(0, 90, 168)
    table = summarized(RUNS | {(SLURM, 0): low, (SLURM, 5): high})
    assert table.loc[SLURM, ["wait_low", "wait", "wait_high"]].tolist() == [60, 68, 76]
    assert not table.loc[SLURM, "wait_inside"]
