"""The recorded schedule on the arena's windows."""

import pandas as pd
import pytest

from schedlab.arena.recorded import RECORDED, recorded
from schedlab.arena.runs import COLUMNS
from schedlab.arena.sheet import ContestSettings
from schedlab.traces.splitting import DAY

ROW = ContestSettings("toy", "toy", 2, 1, 3, 1, ("fcfs",), 10.0)


def frame():
    """Jobs 1 and 2 of the window, which is from day 3 to 6, 3 of its warm-up, others of none."""
    return pd.DataFrame({
        "number": [4, 3, 2, 1, 5],
        "submit": [0, 5 * DAY // 2, 4 * DAY, 5 * DAY, 8 * DAY],
        "runtime": [DAY, DAY, 100, 50, 9], "estimate": [DAY, DAY, 100, 50, 9],
        "procs": [1, 2, 1, 1, 1], "user": [1, 1, 2, 2, 2],
    })  # fmt: skip


def waits(**changed):
    known = {1: 150, 2: 20, 3: DAY // 4, 4: -1, 5: -1}
    return pd.Series(known | {int(name[1:]): wait for name, wait in changed.items()})


def test_waits_are_those_of_the_log():
    """Slowdowns (150 + 50) / 50 and 120 / 100; three quarters of the warm-up's job reach in."""
    found = recorded(ROW, frame(), waits()).iloc[0]
    assert found[["experiment", "scheduler", "window", "jobs"]].tolist() == ["toy", RECORDED, 1, 2]
    assert found["bsld"] == pytest.approx((4 + 1.2) / 2)
    assert found["wait"] == pytest.approx(85)
    assert found["response"] == pytest.approx((120 * 100 + 200 * 50) / 150)
    assert found["utilisation"] == pytest.approx((3 * DAY // 4 * 2 + 150) / (2 * 3 * DAY))


@pytest.mark.parametrize(("wait", "known"), [(0, True), (-1, False)])
def test_a_window_is_known_if_every_wait_is(wait, known):
    for job in ("j1", "j3"):
        found = recorded(ROW, frame(), waits(**{job: wait})).iloc[0]
        assert found["utilisation":].notna().any() == known
    # the first job of the log is in no window
    assert recorded(ROW, frame(), waits(j4=wait)).iloc[0]["wait"] == pytest.approx(85)


def test_a_job_that_the_file_does_not_have_is_not_known():
    assert pd.isna(recorded(ROW, frame(), waits().drop(2)).iloc[0]["wait"])


def test_a_log_that_is_not_at_hand_has_no_rows():
    found = recorded(ROW, frame().head(0), waits())
    assert found.empty
    assert list(found.columns) == list(COLUMNS)


@pytest.mark.parametrize(("before", "counted"), [(0, 2), (1, 1)])
def test_a_job_that_comes_as_the_window_begins_is_counted(before, counted):
    """Job 2 comes then or a second before, after job 3."""
    jobs = frame()
    jobs.loc[jobs["number"] == 2, "submit"] = 3 * DAY - before
    assert recorded(ROW, jobs, waits()).iloc[0]["jobs"] == counted
