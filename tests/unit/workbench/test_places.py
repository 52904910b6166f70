"""Processors and lanes of a schedule's jobs: nobody shares any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from schedlab.jobs import Jobs, Schedule
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.places import lane_jobs, place_jobs
from strategies import workloads


def scheduled(jobs):
    return simulate(Run(jobs, 8, get("spt"), reservations="head"))


@given(workloads(8))
def test_every_job_has_its_processors_and_no_two_share_one(jobs):
    schedule = scheduled(jobs)
    bars = place_jobs(jobs, schedule, 8)
    assert bars["low"].ge(0).all()
    assert bars["high"].le(8).all()
    widths = (bars["high"] - bars["low"]).groupby(bars["job"]).sum()
    lasting = np.flatnonzero(schedule.end > schedule.start)
    assert widths.sort_index().tolist() == jobs.procs[lasting].tolist()
    # a job's ranges are as few as can be: no two of them touch
    touching = bars.merge(bars, left_on=["job", "high"], right_on=["job", "low"])
    assert touching.empty
    rows = list(bars.itertuples(index=False))
    for place, one in enumerate(rows):
        for other in rows[:place]:
            apart = one.high <= other.low or other.high <= one.low
            first, second = one.job, other.job
            assert apart or (
                schedule.end[first] <= schedule.start[second]
                or schedule.end[second] <= schedule.start[first]
            )


def test_a_lane_is_the_lowest_that_is_free():
    """Lanes 0 and 1 are free at 5, lane 2 is not: jobs 4 and 5 take the former, in order."""
    start, end = np.array([0, 0, 0, 5, 6]), np.array([5, 4, 9, 9, 9])
    assert lane_jobs(Schedule(start, end)).tolist() == [0, 1, 2, 0, 1]


@given(workloads(8))
def test_jobs_of_a_lane_run_one_after_the_other_and_lanes_are_no_more_than_needed(jobs):
    schedule = scheduled(jobs)
    lanes = lane_jobs(schedule)
    lasting = schedule.end > schedule.start
    assert lanes.min() == 0
    for lane in np.unique(lanes[lasting]):
        mine = np.flatnonzero(lasting & (lanes == lane))
        mine = mine[np.argsort(schedule.start[mine])]
        assert (schedule.start[mine][1:] >= schedule.end[mine][:-1]).all()
    at_once = [
        (lasting & (schedule.start <= start) & (schedule.end > start)).sum()
        for start in schedule.start
    ]
    assert lanes.max() + 1 <= max(max(at_once), 1)


@pytest.mark.parametrize(("processors", "fits"), [(3, True), (2, False)])
def test_a_schedule_of_a_larger_machine_is_told_by_its_job(processors, fits):
    jobs = Jobs([7, 9], [0, 1], [5, 5], [5, 5], [2, 1])
    schedule = Schedule(np.array([0, 1]), np.array([5, 6]))
    if fits:
        assert len(place_jobs(jobs, schedule, processors)) == 2
        return
    with pytest.raises(ValueError, match="job 9 starts on 1 processors at 1 s, when 0 of 2"):
        place_jobs(jobs, schedule, processors)
