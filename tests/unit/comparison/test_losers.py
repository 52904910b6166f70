"""Which jobs wait longer than under a reference."""

import numpy as np
import pytest

from schedlab.comparison.losers import FEWEST, find_losers
from schedlab.core.jobs import Jobs, Schedule

HOUR = 3600


def losers_with(wide_wait, wide=FEWEST, users=None):
    """Twenty narrow short jobs that wait 10 s, and wide jobs; by "easy" no job waits 100 s."""
    count = 20 + wide
    procs = np.r_[np.ones(20, int), np.full(wide, 64)]
    estimate = np.r_[np.full(20, HOUR), np.full(wide, HOUR + 1)]
    jobs = Jobs(range(count), [0] * count, estimate, estimate, procs)
    easy = np.r_[np.full(20, 50), np.full(wide, 60)]
    new = np.r_[np.full(20, 10), np.full(wide, wide_wait)]
    schedules = {
        name: Schedule(start, start + jobs.runtime) for name, start in (("easy", easy), ("x", new))
    }
    users = np.ones(count, int) if users is None else users
    table = find_losers("log", jobs, users, schedules, np.ones(count, bool), "easy")
    return table.set_index("scheduler")


def test_the_class_whose_mean_wait_grows_most_is_named():
    found = losers_with(100)
    one = found.loc["x"]
    assert one["group"] == "17–64 processors, 1 to 6 h"
    assert one[["jobs", "wait", "easy_wait"]].tolist() == [FEWEST, 100, 60]
    assert one["longer"] == pytest.approx(FEWEST / (20 + FEWEST))


@pytest.mark.parametrize(("wait", "named"), [(60, False), (61, True)])
def test_a_class_that_waits_no_longer_is_not_named(wait, named):
    assert bool(losers_with(wait).loc["x", "group"]) == named
    assert losers_with(wait).loc["easy", ["longer", "group"]].tolist() == [0, ""]


@pytest.mark.parametrize(("wide", "named"), [(FEWEST - 1, False), (FEWEST, True)])
def test_a_class_of_few_jobs_is_not_named(wide, named):
    assert bool(losers_with(100, wide).loc["x", "group"]) == named


@pytest.mark.slow
def test_the_user_whose_mean_wait_grows_most_is_named_if_known():
    users = np.r_[np.full(20, 4), np.full(FEWEST, 7)]
    one = losers_with(100, users=users).loc["x"]
    assert one[["user", "user_wait", "user_easy_wait"]].tolist() == [7, 100, 60]
    for unknown in (np.full(20 + FEWEST, -1), np.r_[np.full(20, 4), np.full(FEWEST, -1)]):
        one = losers_with(100, users=unknown).loc["x"]
        assert one["user"] == -1
        assert np.isnan(one["user_wait"])
    assert (
        losers_with(100, users=np.r_[np.full(20, 4), np.zeros(FEWEST, int)]).loc["x", "user"] == 0
    )


@pytest.mark.parametrize(
    ("estimate", "words"),
    [(3600, "at most 1 h"), (3601, "1 to 6 h"), (21_601, "6 to 24 h"), (86_401, "over 24 h")],
)
def test_classes_of_requested_time_end_at_whole_hours(estimate, words):
    jobs = Jobs(range(FEWEST), [0] * FEWEST, [1] * FEWEST, [estimate] * FEWEST, [1] * FEWEST)
    zero, one = (Schedule(np.full(FEWEST, at), np.full(FEWEST, at + 1)) for at in (0, 5))
    inside = np.ones(FEWEST, bool)
    found = find_losers("log", jobs, np.full(FEWEST, -1), {"easy": zero, "x": one}, inside, "easy")
    assert found.set_index("scheduler").loc["x", "group"] == f"1 processors, {words}"
