"""Select busy intervals of logs, with the jobs that ran or waited when an interval began."""

from dataclasses import replace

import numpy as np
import pandas as pd

from schedlab.core.jobs import ARRAYS, Jobs
from schedlab.core.machine import Machine
from schedlab.core.splitting import busiest
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning
from schedlab.planning.simulation import simulate_plan
from schedlab.studies.klusacek2016.users.requests import Demand, Memory, requests_of

#: length of an interval and of the gap between two, in days: the minimum that the paper states
DAYS = 5
#: the queue rank of jobs that already run: before all queues
AT_ONCE = -1


class NoIntervalError(ValueError):
    """Raised for a log that is too short for the requested number of intervals."""


def contention(
    jobs: pd.DataFrame, machine: Machine, log: str, memory: Memory | None
) -> pd.DataFrame:
    """Simulate a whole log in arrival order by cluster; return starts of the jobs that fit."""
    demand = requests_of(jobs, machine, Planning(mode="nodes"), log, memory)
    none = np.zeros(len(demand.requests), dtype=np.int64)
    by_arrival = replace(demand.requests, user=none, queue=none)
    ran = simulate_plan(by_arrival, machine, Planning("orig-bf"), (log,))
    number, cluster = demand.requests.jobs.number, ran.extras["cluster"].astype("int64")
    return pd.DataFrame({"number": number, "start": ran.start, "cluster": cluster})


def cut_interval(
    demand: Demand, piece: int, simulated: pd.DataFrame | None, backlog: bool = False
) -> tuple[Demand, np.ndarray]:
    """Select the jobs of a busy interval of a log, and those that run or wait when it begins."""
    jobs, submit = demand.requests.jobs, demand.requests.jobs.submit
    recorded = demand.jobs["wait"].to_numpy()
    wait = recorded if simulated is None else simulated["start"].to_numpy() - submit
    inside = busiest(submit, wait, piece, DAYS, apart=DAYS) == piece
    if not inside.any():
        raise NoIntervalError(f"there is no interval {piece} of {DAYS} days in {len(submit)} jobs")
    begin = submit[inside][0]
    inside_jobs = _shift_jobs(demand, inside, begin)
    if simulated is None:
        return inside_jobs, np.ones(len(inside_jobs.jobs), dtype=bool)
    started = simulated["start"].to_numpy()
    runs = (submit < begin) & (started <= begin) & (started + jobs.runtime > begin)
    running = _running(demand, runs, begin - started[runs], simulated["cluster"].to_numpy()[runs])
    late = _shift_jobs(demand, (submit < begin) & (started > begin) & backlog, begin)
    earlier = len(running.jobs) + len(late.jobs)
    selected = _concatenate(_concatenate(running, late), inside_jobs)
    return selected, np.arange(len(selected.jobs)) >= earlier


def _shift_jobs(demand: Demand, inside: np.ndarray, begin: int) -> Demand:
    """Return the selected jobs, with times from `begin`; earlier submissions move to `begin`."""
    selected = demand.requests.take(inside)
    jobs = selected.jobs
    submit = np.maximum(jobs.submit - begin, 0)
    shifted = Jobs(jobs.number, submit, jobs.runtime, jobs.estimate, jobs.procs)
    frame = demand.jobs[inside].assign(submit=submit)
    return replace(demand, requests=replace(selected, jobs=shifted), jobs=frame)


def _running(demand: Demand, runs: np.ndarray, since: np.ndarray, cluster: np.ndarray) -> Demand:
    """Return jobs that have run for `since` seconds, as jobs that arrive at 0 and start at once."""
    selected = demand.requests.take(runs)
    jobs = selected.jobs
    remaining_times = (jobs.runtime - since, jobs.estimate - since)
    remaining = Jobs(jobs.number, np.zeros_like(since), *remaining_times, jobs.procs)
    where = np.uint64(1) << cluster.astype(np.uint64)
    first = np.full(len(since), AT_ONCE)
    requests = replace(selected, jobs=remaining, clusters=where, queue=first)
    return replace(demand, requests=requests, jobs=demand.jobs[runs].assign(submit=0))


def _concatenate(first: Demand, second: Demand) -> Demand:
    frames = pd.concat([first.jobs, second.jobs], ignore_index=True)
    return replace(first, requests=join_requests(first.requests, second.requests), jobs=frames)


def join_requests(first: Requests, second: Requests) -> Requests:
    """Return the requests of both; no job of `first` may come after `second`."""
    frame = pd.concat([first.jobs.to_frame(), second.jobs.to_frame()])
    columns = {
        name: np.concatenate([column, second.columns[name]])
        for name, column in first.columns.items()
    }
    return replace(second, jobs=Jobs(**frame[[*ARRAYS]].to_dict("series")), **columns)


def divide_times(requests: Requests, factor: int) -> Requests:
    """Divide all times of the jobs by a factor; the paper's testbed ran a week in a day this way.

    Submit times are rounded down to whole seconds; run times and estimates are rounded up, so that
    none becomes 0.
    """
    jobs = requests.jobs
    times = (jobs.submit // factor, -(-jobs.runtime // factor), -(-jobs.estimate // factor))
    return replace(requests, jobs=Jobs(jobs.number, *times, jobs.procs))
