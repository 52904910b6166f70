"""Experiments: the workload of a row, its runs, and interrupted runs that resume."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from planning_case import machine_of_clusters
from plans_case import clean_jobs, settings
from schedlab.core.machine import Machine
from schedlab.files.threads import over_threads
from schedlab.planning.sessions import PlanSession
from schedlab.studies.klusacek2016 import runs
from schedlab.studies.klusacek2016.runs import (
    COUNTS,
    OF_COUNTS,
    OF_JOBS,
    OF_RUNS,
    Workload,
    run_all,
)

DAY = 86_400
MACHINE = Machine.of_processors(8)


def jobs(count=40, **columns):
    """Return jobs of five users, of which many wait."""
    rng = np.random.default_rng(1)
    runtime = rng.integers(10, 4000, count)
    own = {
        "estimate": runtime * rng.integers(1, 4, count),
        "procs": rng.integers(1, 9, count),
        "user": rng.integers(1, 6, count),
        "wait": rng.integers(0, 900, count),
    }
    return clean_jobs(np.sort(rng.integers(0, 40_000, count)), runtime, **own | columns)


def toy(count=40, **cells) -> Workload:
    return Workload.of(settings(**cells), jobs(count), MACHINE)


def run_all_in(workload, tmp_path, threads=1, code="a"):
    return run_all(workload, tmp_path / "part", code, threads)


# Two run when the interval begins, one on each cluster, and then many come at once; the log goes on
# for as long as an interval.
TWO = machine_of_clusters(("a", 4, 1), ("b", 2, 1))
INSIDE = 6


def cut_log(late=()):
    """Return a log with one busy interval, and its waits as of `contention`.

    Those that come `late` wait when it begins, for one second more.
    """
    submit = [0, 10, *late, *[1000] * INSIDE, 1000 + 5 * DAY]
    runtime = [2000, 3000, *[700] * len(late), *range(600, 600 + INSIDE), 5]
    user = [7, 7, *[8] * len(late), *[1, 2, 3] * 2, 9]
    log = clean_jobs(submit, runtime, user=user, procs=2)
    start = [0, 10, *[1001] * len(late), *[1000 + 5 * DAY] * (INSIDE + 1)]
    return log, pd.DataFrame({"start": start, "cluster": [0, 1, *[0] * (len(log) - 2)]})


def interval(late=(), **cells) -> Workload:
    log, waits = cut_log(late)
    cells = {"intervals": "simulated", "piece": 1} | cells
    return Workload.of(settings(**cells), log, TWO, waits)


def test_queues_are_by_limits_in_one_or_without_users():
    """Fair share is among users; in order of arrival there is one."""
    kinds = ("limits", "one", "arrival", "marking")
    limits, one, arrival, marking = (toy(queues=queues) for queues in kinds)
    assert set(limits.demand.requests.queue) == {3600, 7200, DAY}
    for other in (one, arrival, marking):
        assert set(other.demand.requests.queue) == {0}
    users = jobs()["user"].tolist()
    assert one.demand.requests.user.tolist() == users
    assert marking.run("orig-bf", 0)[1].tolist() != one.run("orig-bf", 0)[1].tolist()
    assert one.run("orig-bf", 0)[1].tolist() != arrival.run("orig-bf", 0)[1].tolist()


@pytest.mark.parametrize(
    ("queues", "order"),
    [
        ("limits", [1, 4, 3, 2]),
        ("one", [1, 3, 2, 4]),
        ("marking", [1, 3, 2, 4]),
        ("arrival", [1, 2, 3, 4]),
    ],
)
def test_orig_bf_orders_jobs_by_its_queues(queues, order):
    """All take the whole machine; the last is short, the third of another user than the rest."""
    log = clean_jobs([0, 1, 2, 3], 6000, procs=8, user=[1, 1, 2, 1])
    log = log.assign(requested_time=[DAY, DAY, DAY, 3600])
    found = Workload.of(settings(queues=queues), log, MACHINE).run("orig-bf", 0)[1]
    assert (np.argsort(found) + 1).tolist() == order


@pytest.mark.parametrize("users", ["recorded", "reacting"])
def test_random_search_has_users_in_order_of_arrival_too(users):
    """Only Orig-BF has queues: other schedulers that look at users see those of the log."""
    one, arrival = (toy(queues=queues, users=users) for queues in ("one", "arrival"))
    for found, expected in zip(arrival.run("plan-rs", 1), one.run("plan-rs", 1), strict=True):
        assert list(found) == list(expected)


def test_both_modes_run_the_same_jobs():
    """One processor of 5 KB fits by cluster and on no node."""
    machine = machine_of_clusters(("a", 2, 4, 4), ("b", 1, 1, 4))
    log = clean_jobs([0, 1, 2], [5, 5, 5], requested_memory=[3, 5, 4])
    found = [
        Workload.of(settings(mode=mode, memory="processor KB"), log, machine)
        for mode in ("aggregate", "nodes")
    ]
    assert [one.jobs()["job"].tolist() for one in found] == [[1, 3]] * 2
    assert [one.demand.ledger["number"].tolist() for one in found] == [[2]] * 2


def test_jobs_table_has_the_recorded_fields():
    """Half of the memory on one of four processors is two processors; times are by ten."""
    machine = machine_of_clusters(("a", 1, 4, 100))
    log = clean_jobs(
        [9, 20], [70, 80], requested_memory=[50, 10], user=[4, 5], estimate=[100, 200]
    ).assign(requested_time=[90, 191])
    found = Workload.of(settings(memory="processor KB", factor=10), log, machine).jobs()
    assert list(found) == list(OF_JOBS)
    assert found.to_numpy().tolist() == [
        [1, 4, 1, 9, 7, 14.0, True, 0],
        [2, 5, 1, 20, 8, 8.0, True, 2],
    ]


def test_interval_begins_with_running_jobs_that_are_not_counted():
    found = interval()
    assert found.jobs()["job"].tolist() == list(range(1, INSIDE + 3))
    assert found.jobs()["counted"].tolist() == [False] * 2 + [True] * INSIDE
    assert found.demand.requests.queue.tolist() == [-1, -1] + [3600] * INSIDE


@pytest.mark.parametrize(("queues", "rank"), [("limits", 3600), ("one", 0), ("arrival", 0)])
def test_backlog_jobs_stay_in_their_queue_and_are_not_counted(queues, rank):
    found = interval([990, 999], intervals="backlog", queues=queues)
    assert found.jobs()["job"].tolist() == list(range(1, INSIDE + 5))
    assert found.jobs()["counted"].tolist() == [False] * 4 + [True] * INSIDE
    assert found.jobs()["recorded"].tolist() == [0] * (INSIDE + 4)
    assert found.demand.requests.queue.tolist() == [-1, -1] + [rank] * (INSIDE + 2)


def test_backlog_jobs_start_first_in_order_of_arrival():
    """Half of the first cluster is free at once, all of it after 700 and 1000 s."""
    found = interval([990, 999], intervals="backlog", queues="arrival").run("orig-bf", 0)[1]
    assert found[:4].tolist() == [0, 0, 0, 700]
    assert (found[4:] >= 1000).all()


def test_backlog_jobs_are_left_out_unless_the_row_includes_them():
    found = interval([990, 999]).jobs()
    assert found["job"].tolist() == [1, 2, *range(5, INSIDE + 5)]


@pytest.mark.parametrize("intervals", ["simulated", "backlog"])
def test_intervals_by_simulated_waits_need_these(intervals):
    words = f"experiment 'mine': its intervals are {intervals}, which needs waits simulated"
    with pytest.raises(ValueError, match=words):
        Workload.of(settings(experiment="mine", intervals=intervals, piece=1), cut_log()[0], TWO)


def test_interval_draws_from_its_random_stream(monkeypatch):
    keys = []

    def watched(machine, planning, key):
        keys.append(key)
        return PlanSession(machine, planning, key)

    monkeypatch.setattr(runs, "PlanSession", watched)
    toy().run("plan-rs", 1)
    first = interval()
    first.run("plan-rs", 1)
    replace(first, settings=replace(first.settings, piece=2)).run("plan-rs", 1)
    own = ("klusacek2016", "toy", 1)
    assert keys == [own, (*own, 1), (*own, 2)]


@pytest.mark.parametrize("queues", ["limits", "one", "arrival"])
@pytest.mark.parametrize("scheduler", ["orig-bf", "plan-rs"])
def test_running_jobs_continue_at_once_on_their_cluster(queues, scheduler):
    """The second cluster is full for 2010 s, of the first one half is for 1000 s."""
    workload = interval(queues=queues)
    submit, start, _ = workload.run(scheduler, 0)
    assert start[:2].tolist() == [0, 0]
    assert workload.demand.requests.jobs.runtime[:2].tolist() == [1000, 2010]
    assert workload.demand.requests.queue[:2].tolist() == [-1, -1]
    assert submit.tolist() == [0] * (INSIDE + 2)
    end = start + workload.demand.requests.jobs.runtime
    for instant in start[2:]:
        busy = 2 * np.count_nonzero((start <= instant) & (instant < end))
        assert busy <= 6
    assert (start[2:] > 0).sum() == INSIDE - 1


def test_a_row_of_recorded_intervals_begins_empty():
    log, waits = cut_log()
    log = log.assign(wait=waits["start"] - log["submit"])
    found = Workload.of(settings(intervals="recorded", piece=1), log, TWO)
    assert found.jobs()["job"].tolist() == list(range(3, INSIDE + 3))
    assert found.counted.all()


def test_polling_delays_starts_of_both_schedulers_to_their_cycles():
    """The first job comes when both have just looked, or at once."""
    for scheduler, seconds in (("orig-bf", 30), ("plan-rs", 5)):
        _, start, _ = toy(cycle="polling").run(scheduler, 0)
        _, soon, _ = toy().run(scheduler, 0)
        assert 0 <= min(start) - min(soon) < seconds
        assert start.mean() > soon.mean()


def test_times_of_jobs_are_divided_by_the_factor():
    found = toy(factor=7).demand.requests.jobs
    assert found.submit.tolist() == (jobs()["submit"] // 7).tolist()
    assert found.runtime.tolist() == (-(-jobs()["runtime"] // 7)).tolist()


def test_orig_bf_runs_once_and_plan_rs_with_every_seed(tmp_path):
    starts, counts = run_all_in(toy(), tmp_path)
    expected = [("orig-bf", 0), ("plan-rs", 0), ("plan-rs", 1)]
    assert list(counts[["scheduler", "seed"]].itertuples(index=False, name=None)) == expected
    assert starts["scheduler"].tolist() == [name for name, _ in expected for _ in range(40)]
    assert starts["seed"].tolist() == [seed for _, seed in expected for _ in range(40)]
    assert starts["job"].tolist() == list(range(1, 41)) * 3
    by_seed = [own["start"].tolist() for _, own in starts.groupby(["scheduler", "seed"])]
    assert by_seed[1] != by_seed[2]


def test_frames_have_the_results_of_each_run(tmp_path):
    workload = toy()
    starts, counts = run_all_in(workload, tmp_path)
    submit, start, counted = workload.run("plan-rs", 1)
    own = starts[(starts["scheduler"] == "plan-rs") & (starts["seed"] == 1)]
    assert own["submit"].tolist() == submit.tolist() == jobs()["submit"].tolist()
    assert own["start"].tolist() == start.tolist()
    assert counts.iloc[2, 2:].tolist() == list(counted)
    assert counts["searches"].gt(0).tolist() == [False, True, True]
    assert counts["accepted"].tolist()[2] == len(workload.moves(1)) > 0
    assert counts["synthetic"].tolist() == [0, 0, 0]


def test_results_do_not_depend_on_threads(tmp_path):
    (tmp_path / "two").mkdir()
    alone, two = (
        run_all_in(toy(seeds=4), tmp_path),
        run_all_in(toy(seeds=4), tmp_path / "two", threads=2),
    )
    for one, other in zip(alone, two, strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_interrupted_job_resumes_at_its_first_missing_run(tmp_path, monkeypatch):
    expected = run_all_in(toy(), tmp_path)
    part = tmp_path / "part"
    whole = part.read_bytes()
    part.write_bytes(whole[:-1])
    done = []

    def watched(function, places, threads):
        done.extend(places)
        return over_threads(function, places, threads)

    monkeypatch.setattr(runs, "over_threads", watched)
    found = run_all_in(toy(), tmp_path)
    assert done == [2]
    for one, other in zip(found, expected, strict=True):
        pd.testing.assert_frame_equal(one, other)
    assert part.read_bytes() == whole
    run_all_in(toy(), tmp_path, code="b")
    assert done == [2, 0, 1, 2]


@pytest.mark.parametrize(
    "column", ["submit", "estimate", "clusters", "queue", "nodes", "memory", "waited"]
)
def test_partial_results_of_other_jobs_are_not_resumed(column, tmp_path):
    """What differs may be nothing that is told of the jobs afterwards."""
    workload = toy(seeds=1)
    run_all_in(workload, tmp_path)
    size = (tmp_path / "part").stat().st_size
    asked = workload.demand
    if column == "waited":
        asked = replace(asked, jobs=asked.jobs.assign(wait=asked.jobs["wait"] + 1))
    elif column in ("submit", "estimate"):
        other = replace(asked.requests.jobs, **{column: getattr(asked.requests.jobs, column) + 1})
        asked = replace(asked, requests=replace(asked.requests, jobs=other))
    else:
        changed = getattr(asked.requests, column).copy()
        changed[-1] += 2
        asked = replace(asked, requests=replace(asked.requests, **{column: changed}))
    run_all_in(replace(workload, demand=asked), tmp_path)
    assert (tmp_path / "part").stat().st_size > 1.9 * size


def test_a_log_that_is_not_available_has_no_rows(tmp_path):
    starts, counts = run_all_in(toy(0), tmp_path)
    assert starts.empty
    assert counts.empty
    full = run_all_in(toy(), tmp_path)
    for empty, rows, columns in zip((starts, counts), full, (OF_RUNS, OF_COUNTS), strict=True):
        assert list(empty) == list(rows) == list(columns)
        assert empty.dtypes.equals(rows.dtypes)
    assert toy(0).jobs().empty
    row, waits = settings(intervals="simulated", piece=1), cut_log()[1].iloc[:0]
    assert Workload.of(row, jobs(0), MACHINE, waits).jobs().empty


def test_reacting_users_submit_every_job_once_and_start_none_earlier():
    workload = toy(120, users="reacting")
    submit, start, counts = workload.run("orig-bf", 0)
    assert len(submit) == len(workload) == 120
    assert (submit >= 0).all()
    assert (start >= submit).all()
    assert submit.tolist() != jobs(120)["submit"].tolist()
    user = jobs(120)["user"].to_numpy()
    for one in np.unique(user):
        assert (np.diff(submit[user == one]) >= 0).all()
    searches = dict(zip(COUNTS, counts, strict=True))
    assert [searches[name] for name in ("searches", "iterations", "evaluated", "accepted")] == [
        0
    ] * 4
    assert searches["most_planned"] < 120 <= searches["updates"]


def test_users_react_to_the_completions_recorded_in_the_log():
    """By the log a user's second job came when the first had ended, or while it waited still."""
    came = {}
    for wait in (0, 5000):
        log = clean_jobs([0, 0, 300], [900, 200, 10], user=[2, 1, 1], procs=8, wait=[0, wait, wait])
        workload = Workload.of(settings(users="reacting"), log, MACHINE)
        came[wait] = workload.run("orig-bf", 0)[0].tolist()
    assert came[5000][2] - came[5000][1] == 300
    assert came[0][2] > came[0][1] + 300


def test_midnight_is_that_of_the_row():
    """Who is late opens a session of the next day at nine."""
    log = clean_jobs([0, 300], [200, 10], wait=0)
    rows = [settings(users="reacting", midnight=midnight) for midnight in (0, 3600)]
    came = [Workload.of(row, log, MACHINE).run("orig-bf", 0)[0][1] for row in rows]
    assert came == [DAY + 9 * 3600, 10 * 3600]
