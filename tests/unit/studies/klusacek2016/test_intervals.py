"""Busy intervals of a log: their jobs, those running or waiting at the begin, divided times."""

import numpy as np
import pandas as pd
import pytest

from planning_case import machine_of_clusters
from plans_case import clean_jobs
from schedlab.core.jobs import Jobs
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning
from schedlab.studies.klusacek2016.intervals import (
    AT_ONCE,
    NoIntervalError,
    contention,
    cut_interval,
    divide_times,
    join_requests,
)
from schedlab.studies.klusacek2016.users.requests import requests_of

DAY = 86_400
BEGIN = 10 * DAY
END = BEGIN + 5 * DAY
MACHINE = machine_of_clusters(("a", 4, 1), ("b", 8, 1))
#: submit, start, run time and cluster of each job; those of the interval wait for five days
LOG = [
    (BEGIN - 3000, BEGIN - 3000, 3000, 0),  # 1: ends when it begins
    (BEGIN - 3000, BEGIN - 2000, 2001, 1),  # 2: runs for one second more
    (BEGIN - 20, BEGIN - 1, 500, 0),  # 3: began a second before
    (BEGIN - 10, BEGIN, 700, 0),  # 4: starts just then, and was submitted before
    (BEGIN - 5, BEGIN + 1, 300, 1),  # 5: waits for one second more
    *[(BEGIN, BEGIN + 5 * DAY, 60, 0)] * 3,  # 6, 7, 8: with these it begins
    (END - 1, END - 1, 80, 1),  # 9: the last one in it
    (END, END, 90, 1),  # 10: comes when it has ended
]


def requests_of_log(waits=-1, log=LOG):
    """The log's requests, by default without recorded waits."""
    submit, _, runtime, _ = zip(*log, strict=True)
    places = np.arange(len(log))
    jobs = clean_jobs(
        list(submit),
        list(runtime),
        estimate=np.array(runtime) + 1000,
        procs=places % 2 + 1,
        user=places + 70,
        wait=waits,
    )
    return requests_of(jobs, MACHINE, Planning(mode="nodes"), "TOY", None)


def simulated(log=LOG):
    _, start, _, cluster = zip(*log, strict=True)
    return pd.DataFrame({"start": start, "cluster": cluster})


def test_an_interval_begins_with_the_rest_of_the_running_jobs_ahead_of_all_queues():
    """One has run for 2000 s of 2001, asked for 3001; one for 1 s of 500, asked for 1500.

    A job that starts just when it begins has all of its 700 s left.
    """
    found, counted = cut_interval(requests_of_log(), 1, simulated())
    assert counted.tolist() == [False] * 3 + [True] * 4
    requests, everywhere = found.requests, requests_of_log().requests.clusters[0]
    jobs, numbers = requests.jobs, [2, 3, 4, 6, 7, 8, 9]
    times = [0, 0, 0, 0, 0, 0, 5 * DAY - 1]
    assert found.jobs["number"].tolist() == jobs.number.tolist() == numbers
    assert found.jobs["submit"].tolist() == jobs.submit.tolist() == times
    assert jobs.runtime.tolist() == [1, 499, 700, 60, 60, 60, 80]
    assert jobs.estimate.tolist() == [1001, 1499, 1700, 1060, 1060, 1060, 1080]
    assert jobs.procs.tolist() == [2, 1, 2, 2, 1, 2, 1]
    assert found.jobs["user"].tolist() == requests.user.tolist() == [one + 69 for one in numbers]
    assert requests.clusters.tolist() == [2, 1, 1] + [everywhere] * 4
    assert requests.queue.tolist() == [AT_ONCE] * 3 + [3600] * 4
    assert AT_ONCE < 0


def test_backlog_jobs_follow_the_running_jobs():
    found, counted = cut_interval(requests_of_log(), 1, simulated(), backlog=True)
    requests = found.requests
    assert requests.jobs.number.tolist() == [2, 3, 4, 5, 6, 7, 8, 9]
    assert found.jobs["number"].tolist() == [2, 3, 4, 5, 6, 7, 8, 9]
    assert counted.tolist() == [False] * 4 + [True] * 4
    times = [0] * 7 + [5 * DAY - 1]
    assert requests.jobs.submit.tolist() == times
    assert found.jobs["submit"].tolist() == times
    # none of its 300 s is over, and it may go anywhere in the turn of its queue
    assert requests.jobs.runtime.tolist() == [1, 499, 700, 300, 60, 60, 60, 80]
    assert requests.jobs.estimate[3] == 1300
    assert requests.clusters.tolist() == [2, 1, 1] + [requests_of_log().requests.clusters[0]] * 5
    assert requests.queue.tolist() == [AT_ONCE] * 3 + [3600] * 5
    assert requests.user.tolist() == [71, 72, 73, 74, 75, 76, 77, 78]


def test_job_starting_a_second_after_the_begin_is_in_the_backlog():
    submit, start, *rest = LOG[3]
    log = [*LOG[:3], (submit, start + 1, *rest), *LOG[4:]]
    found, counted = cut_interval(requests_of_log(log=log), 1, simulated(log), backlog=True)
    assert found.requests.jobs.number.tolist() == [2, 3, 4, 5, 6, 7, 8, 9]
    assert found.requests.queue.tolist() == [AT_ONCE] * 2 + [3600] * 6
    assert counted.tolist() == [False] * 4 + [True] * 4
    without, _ = cut_interval(requests_of_log(log=log), 1, simulated(log))
    assert without.requests.jobs.number.tolist() == [2, 3, 6, 7, 8, 9]


def test_by_recorded_waits_an_interval_begins_on_an_empty_machine():
    waits = [start - submit for submit, start, _, _ in LOG]
    found, counted = cut_interval(requests_of_log(waits), 1, None)
    assert found.requests.jobs.number.tolist() == [6, 7, 8, 9]
    assert found.requests.jobs.submit.tolist() == [0, 0, 0, 5 * DAY - 1]
    assert counted.tolist() == [True] * 4


def test_interval_without_running_jobs_has_only_its_arrivals():
    log = [LOG[0], *LOG[4:]]
    found, counted = cut_interval(requests_of_log(log=log), 1, simulated(log))
    assert found.requests.jobs.number.tolist() == [3, 4, 5, 6]
    assert counted.tolist() == [True] * 4


def test_a_log_without_room_for_so_many_intervals_is_an_error():
    with pytest.raises(NoIntervalError, match="there is no interval 2 of 5 days in 10 jobs"):
        cut_interval(requests_of_log(), 2, simulated())


def test_the_whole_log_runs_in_order_of_arrival_for_its_waits():
    """One cluster of 2: the job of 2 waits for both of 1; the short one goes behind the long."""
    machine = machine_of_clusters(("a", 2, 1))
    jobs = clean_jobs([0, 0, 1, 2, 3], [100, 50, 7200, 60, 60], procs=[1, 1, 2, 2, 3])
    found = contention(jobs, machine, "TOY", None)
    assert found.to_dict("list") == {
        "number": [1, 2, 3, 4],  # the last one never fits
        "start": [0, 0, 100, 7300],
        "cluster": [0, 0, 0, 0],
    }


def test_requests_are_joined_column_by_column():
    columns = {
        "user": [1, 2], "memory": [3, 4], "nodes": [1, 2], "exclusive": [True, False],
        "clusters": [1, 2], "queue": [-1, 5],
    }  # fmt: skip
    both = Requests(Jobs([9, 8], [4, 4], [5, 6], [7, 8], [2, 1]), **columns)
    one = join_requests(both.take(slice(0, 1)), both.take(slice(1, 2)))
    assert one.jobs.to_frame().equals(both.jobs.to_frame())
    for name, column in columns.items():
        assert getattr(one, name).tolist() == column
        assert getattr(one, name).dtype == getattr(both, name).dtype


def requests(submit, runtime, estimate):
    n = len(submit)
    return Requests(Jobs(range(n), submit, runtime, estimate, [1] * n), range(n), queue=range(n))


def test_division_truncates_submissions_and_rounds_run_times_up():
    found = divide_times(requests([0, 6, 7, 13], [0, 1, 7, 8], [1, 7, 8, 14]), 7)
    assert found.jobs.submit.tolist() == [0, 0, 1, 1]
    assert found.jobs.runtime.tolist() == [0, 1, 1, 2]
    assert found.jobs.estimate.tolist() == [1, 1, 2, 2]
    assert found.queue.tolist() == [0, 1, 2, 3]


def test_dividing_times_by_one_changes_nothing():
    given = requests([0, 6, 7, 13], [0, 1, 7, 8], [1, 7, 8, 14])
    assert divide_times(given, 1).jobs.to_frame().equals(given.jobs.to_frame())
