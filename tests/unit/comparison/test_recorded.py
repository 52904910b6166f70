"""The recorded schedule on the arena's windows."""

import pandas as pd
import pytest

from schedlab.comparison.recorded_schedule import RECORDED, recorded
from schedlab.comparison.runs import results_of
from schedlab.comparison.settings import ContestSettings
from schedlab.core.splitting import DAY
from schedlab.core.windows import WHOLE

ROW = ContestSettings("toy", "toy", 2, 3, ("fcfs",), 10.0)


def frame():
    """Sixteen days; windows are from day 4 to 7, 10, 13 and 16. Job 3 runs into the first one."""
    return pd.DataFrame({
        "number": [4, 3, 2, 1, 5],
        "submit": [0, 7 * DAY // 2, 4 * DAY, 5 * DAY, 16 * DAY],
        "runtime": [DAY, DAY, 100, 50, 9], "estimate": [DAY, DAY, 100, 50, 9],
        "procs": [1, 2, 1, 1, 1], "user": [1, 1, 2, 2, 2],
    })  # fmt: skip


def waits(**changed):
    known = {1: 150, 2: 20, 3: DAY // 4, 4: -1, 5: -1}
    return pd.Series(known | {int(name[1:]): wait for name, wait in changed.items()})


def first_window(jobs, told):
    found = recorded(ROW, jobs, told).set_index("window")
    return found.loc[1]


def test_waits_are_those_of_the_log():
    """Slowdowns (150 + 50) / 50 and 120 / 100; three quarters of job 3 reach into the window."""
    found = first_window(frame(), waits())
    assert found[["experiment", "scheduler", "jobs"]].tolist() == ["toy", RECORDED, 2]
    assert found["bsld"] == pytest.approx((4 + 1.2) / 2)
    assert found["wait"] == pytest.approx(85)
    assert found["max_wait"] == 150
    assert found["response"] == pytest.approx((120 * 100 + 200 * 50) / 150)
    assert found["utilisation"] == pytest.approx((3 * DAY // 4 * 2 + 150) / (2 * 3 * DAY))


@pytest.mark.parametrize(("wait", "known"), [(0, True), (-1, False)])
def test_a_window_is_known_if_the_wait_of_each_of_its_jobs_is(wait, known):
    assert first_window(frame(), waits(j1=wait))["utilisation":].notna().any() == known
    # a job that was submitted before the window is not asked for
    assert first_window(frame(), waits(j3=wait))["wait"] == pytest.approx(85)


def test_all_windows_together_are_a_separate_row():
    found = recorded(ROW, frame(), waits()).set_index("window")
    assert found.index.tolist() == [WHOLE, 1, 2, 3, 4]
    assert found.loc[WHOLE, ["jobs", "max_wait"]].tolist() == [2, 150]


def test_a_job_that_the_file_does_not_have_is_not_known():
    assert pd.isna(first_window(frame(), waits().drop(2))["wait"])


def test_a_log_that_is_not_available_has_no_rows():
    found = recorded(ROW, frame().head(0), waits())
    assert found.empty
    assert list(found.columns) == list(results_of([]))


@pytest.mark.parametrize(("before", "counted"), [(0, 2), (1, 1)])
def test_job_that_arrives_at_the_window_begin_is_counted(before, counted):
    """Job 2 comes then or a second before, after job 3."""
    jobs = frame()
    jobs.loc[jobs["number"] == 2, "submit"] = 4 * DAY - before
    assert first_window(jobs, waits())["jobs"] == counted


@pytest.mark.parametrize(("wait", "seconds"), [(0, DAY // 2), (-1, 0)])
def test_job_with_a_wait_of_zero_is_busy_and_one_of_unknown_wait_is_not(wait, seconds):
    """Job 3 starts half a day before the window and runs for a day on two processors."""
    found = first_window(frame(), waits(j3=wait))
    assert found["utilisation"] == pytest.approx((seconds * 2 + 150) / (2 * 3 * DAY))
