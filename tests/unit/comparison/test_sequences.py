"""Policies on the pieces of an experiment."""

import pandas as pd
import pytest

from schedlab.comparison.sequences import COLUMNS, run_policies, schedules_of
from schedlab.core.jobs import jobs_by_piece
from schedlab.policies import get

SETTINGS = {
    "processors": 2,
    "decisions": "actual",
    "backfill": "none",
    "dialect": "full",
    "tau": 10,
    "head": 0,
    "pieces": (0, 2),
}
POLICIES = {"fcfs": get("fcfs"), "L1": get("r", label="L1")}


@pytest.fixture
def frame():
    """Return three pieces alike: a long job and a short one wait for a job of both processors."""
    jobs = pd.DataFrame(
        {
            "number": [1, 2, 3],
            "submit": [5, 6, 7],
            "runtime": [10, 100, 20],
            "estimate": [10, 100, 300],
            "procs": [2, 2, 2],
        }
    )
    return pd.concat([jobs.assign(piece=piece) for piece in range(3)], ignore_index=True)


def slowdowns(found, policy):
    return found.loc[found["policy"] == policy, "avebsld"].tolist()


def test_every_policy_runs_on_the_selected_pieces(frame):
    found = run_policies(frame, "mine", SETTINGS, POLICIES)
    assert found[["policy", "piece"]].values.tolist() == [
        ["fcfs", 0],
        ["fcfs", 2],
        ["L1", 0],
        ["L1", 2],
    ]
    assert set(found["experiment"]) == {"mine"}
    # waits of 9 and 108 s in order of submission, of 29 and 8 s with the short job first
    assert slowdowns(found, "fcfs")[0] == pytest.approx((1 + 109 / 100 + 128 / 20) / 3)
    assert slowdowns(found, "L1")[0] == pytest.approx((1 + 129 / 100 + 28 / 20) / 3)


def test_decisions_on_estimates_see_the_estimates(frame):
    found = run_policies(frame, "mine", SETTINGS | {"decisions": "estimate"}, POLICIES)
    assert slowdowns(found, "L1") == slowdowns(found, "fcfs")


def test_a_cell_states_how_many_jobs_have_a_reservation():
    """Job 2 needs both of 2 processors; job 3 would run behind its reservation, job 4 in front."""
    columns = {"number": [1, 2, 3, 4], "submit": 0, "runtime": [10, 5, 20, 10], "piece": 0}
    frame = pd.DataFrame(columns | {"procs": [1, 2, 1, 1]}).assign(estimate=lambda x: x["runtime"])
    jobs = jobs_by_piece(frame)[0]
    starts = [
        schedules_of(jobs, SETTINGS | {"backfill": cell}, POLICIES)["fcfs"].start.tolist()
        for cell in ("none", "fit", "easy", "2", "conservative")
    ]
    assert starts == [[0, 10, 15, 15], [0, 20, 0, 10], *[[0, 10, 15, 0]] * 3]


def test_results_do_not_depend_on_threads(frame):
    one, two = (run_policies(frame, "mine", SETTINGS, POLICIES, threads) for threads in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_a_log_that_is_not_available_has_no_rows(frame):
    found = run_policies(frame.iloc[:0], "mine", SETTINGS, POLICIES)
    assert found.empty
    assert list(found) == list(COLUMNS)


def test_a_missing_piece_is_named_with_the_experiment(frame):
    with pytest.raises(ValueError, match="experiment mine: there is no piece 7"):
        run_policies(frame, "mine", SETTINGS | {"pieces": (0, 7)}, POLICIES)


def test_tau_is_the_bound_of_short_run_times(frame):
    """With 50 s the jobs of 10 and 20 s count as if they took 50."""
    found = run_policies(frame, "mine", SETTINGS | {"tau": 50}, POLICIES)
    assert slowdowns(found, "fcfs")[0] == pytest.approx((1 + 109 / 100 + 128 / 50) / 3)


@pytest.mark.parametrize(
    ("head", "wanted"),
    # the first job is of the head in any case; with two the long one starts before the short one
    [(1, (129 / 100 + 28 / 20) / 2), (2, 128 / 20)],
)
def test_the_head_starts_in_order_of_submission_and_is_not_counted(frame, head, wanted):
    found = run_policies(frame, "mine", SETTINGS | {"head": head}, POLICIES)
    assert slowdowns(found, "L1")[0] == pytest.approx(wanted)


def test_schedules_of_a_piece_are_by_policy_and_by_the_settings_of_its_row(frame):
    jobs = jobs_by_piece(frame, clairvoyant=True)[2]
    found = schedules_of(jobs, SETTINGS, POLICIES)
    assert list(found) == ["fcfs", "L1"]
    assert found["fcfs"].start.tolist() == [0, 10, 110]
    assert found["L1"].start.tolist() == [0, 30, 10]
    ahead = schedules_of(jobs, SETTINGS | {"head": 3}, POLICIES)
    assert ahead["L1"].start.tolist() == [0, 10, 110]
