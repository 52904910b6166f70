"""Positions of jobs on numbered processors: first fit, never one processor twice."""

import numpy as np
import pytest
from hypothesis import given

from schedlab.core.jobs import Jobs, Schedule
from schedlab.policies import get
from schedlab.queue.processor_lanes import assign_one_lane, first_fit
from schedlab.queue.simulation import Run, simulate
from strategies import workloads

PROCESSORS = 7


def by_hand(jobs, schedule, processors):
    """Assign processors one by one on a list of their jobs; pieces as (job, low, height)."""
    holder = [None] * processors
    pieces = []
    order = sorted(range(len(jobs)), key=lambda j: (schedule.start[j], schedule.end[j], j))
    for each in order:
        now = schedule.start[each]
        holder = [j if j is not None and schedule.end[j] > now else None for j in holder]
        wanted = int(jobs.procs[each])
        free = [place for place, j in enumerate(holder) if j is None]
        whole = (
            range(low, low + wanted)
            for low in range(processors - wanted + 1)
            if all(holder[place] is None for place in range(low, low + wanted))
        )
        taken = list(next(whole, free[:wanted]))
        for place in taken:
            holder[place] = each
        for place in taken:
            if pieces and pieces[-1][0] == each and sum(pieces[-1][1:]) == place:
                pieces[-1][2] += 1
            else:
                pieces.append([each, place, 1])
    return pieces


@given(workloads(PROCESSORS, most=25))
def test_lanes_are_those_of_the_list_of_holders(jobs):
    schedule = simulate(Run(jobs, PROCESSORS, get("fcfs"), reservations="none"))
    lanes = first_fit(jobs, schedule, PROCESSORS)
    found = np.stack([lanes.job, lanes.low, lanes.height], axis=1).tolist()
    assert found == by_hand(jobs, schedule, PROCESSORS)
    procs = np.bincount(lanes.job, weights=lanes.height, minlength=len(jobs))
    assert procs.tolist() == jobs.procs.tolist()


def test_job_that_fits_no_gap_is_split():
    """Processors 0 to 3; job 2 leaves a hole at 1, and job 4 takes it and the last one."""
    jobs = Jobs([1, 2, 3, 4], [0] * 4, [9, 5, 9, 4], [9] * 4, [1, 1, 1, 2])
    schedule = Schedule(np.array([0, 0, 0, 5]), np.array([9, 5, 9, 9]))
    lanes = first_fit(jobs, schedule, 4)
    places = {1: [], 2: [], 3: [], 4: []}
    for job, low, height in zip(lanes.job, lanes.low, lanes.height, strict=True):
        places[int(jobs.number[job])].append((int(low), int(height)))
    assert places == {2: [(0, 1)], 1: [(1, 1)], 3: [(2, 1)], 4: [(0, 1), (3, 1)]}


def test_a_schedule_of_a_larger_machine_is_refused_with_the_job():
    jobs = Jobs([7, 8], [0, 0], [5, 5], [5, 5], [2, 2])
    schedule = Schedule(np.array([0, 4]), np.array([5, 9]))
    with pytest.raises(ValueError, match="job 8 starts at 4 on 2 processors, where 1 of 3 are"):
        first_fit(jobs, schedule, 3)
    assert len(first_fit(jobs, schedule, 4)) == 2


def test_processors_that_were_given_back_are_counted_once():
    """Job 2 has processors 1 and 2 until 5, so two are free at 6, next to job 1."""
    jobs = Jobs([1, 2, 3], [0, 1, 6], [9, 4, 1], [9, 4, 1], [1, 2, 3])
    schedule = Schedule(np.array([0, 1, 6]), np.array([9, 5, 7]))
    with pytest.raises(ValueError, match="job 3 starts at 6 on 3 processors, where 2 of 3 are"):
        first_fit(jobs, schedule, 3)


def test_times_may_have_fractions():
    jobs = Jobs([1, 2], [0, 0], [5, 5], [5, 5], [2, 2])
    schedule = Schedule(np.array([0.25, 5.25]), np.array([5.25, 10.25]))
    assert first_fit(jobs, schedule, 2).low.tolist() == [0, 0]


def test_job_without_run_time_shares_processors_with_later_starts():
    """Job 1 holds 0 until 9; at 4 job 2 comes and goes on 1 and 2, and job 3 begins on them."""
    jobs = Jobs([1, 2, 3], [0, 4, 4], [9, 0, 3], [9, 1, 3], [1, 2, 2])
    schedule = Schedule(np.array([0, 4, 4]), np.array([9, 4, 7]))
    lanes = first_fit(jobs, schedule, 3)
    assert [each.tolist() for each in (lanes.job, lanes.low, lanes.height)] == [
        [0, 1, 2], [0, 1, 1], [1, 2, 2],
    ]  # fmt: skip
    assert assign_one_lane(jobs, schedule).tolist() == [0, 1, 1]


def test_job_without_run_time_must_fit_the_machine():
    jobs = Jobs([1, 2], [0, 4], [9, 0], [9, 1], [2, 2])
    schedule = Schedule(np.array([0, 4]), np.array([9, 4]))
    assert len(first_fit(jobs, schedule, 4)) == 2
    with pytest.raises(ValueError, match="job 2 starts at 4 on 2 processors, where 1 of 3 are"):
        first_fit(jobs, schedule, 3)


@given(workloads(PROCESSORS, most=25))
def test_lanes_do_not_overlap_and_are_no_more_than_needed(jobs):
    schedule = simulate(Run(jobs, PROCESSORS, get("spt"), reservations="head"))
    lanes = assign_one_lane(jobs, schedule)
    for lane in range(lanes.max() + 1):
        mine = np.flatnonzero(lanes == lane)
        mine = mine[np.lexsort((schedule.end[mine], schedule.start[mine]))]
        assert (schedule.start[mine][1:] >= schedule.end[mine][:-1]).all()
    at_once = [
        ((schedule.start <= start) & (schedule.end > start)).sum() for start in schedule.start
    ]
    # a job of no length is next to those that run then
    assert lanes.max() + 1 <= max(at_once) + (schedule.end == schedule.start).any()
