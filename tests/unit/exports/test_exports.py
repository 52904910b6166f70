"""Workloads and schedules are written for other programs, job by job."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs, Schedule
from schedlab.exports.batsim import write_batsim
from schedlab.exports.evalys import write_evalys
from schedlab.exports.swf import write_schedule
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.swf import read_swf
from strategies import with_exact_estimates, workloads

PROCESSORS = 8
JOBS = Jobs([4, 5, 9], [100, 100, 103], [10, 5, 10], [12, 5, 10], [2, 4, 1])
SCHEDULE = Schedule(np.array([100, 110, 103]), np.array([110, 115, 113]))


def rows(*columns):
    return np.transpose(columns).tolist()


@pytest.mark.slow
@settings(max_examples=40)
@given(jobs=workloads(PROCESSORS), policy=st.sampled_from(["fcfs", "f1", "lqf"]))
def test_written_files_have_every_job_and_its_times(tmp_path_factory, jobs, policy):
    folder = tmp_path_factory.mktemp("exports")
    schedule = simulate(Run(jobs, PROCESSORS, get(policy), reservations="head"))
    write_schedule(folder / "s.swf.gz", jobs, schedule, PROCESSORS, {"user": jobs.number % 3})
    log = read_swf(folder / "s.swf.gz")
    assert (log.header.integer("MaxProcs"), log.notes) == (PROCESSORS, ())
    fields = ["number", "submit", "runtime", "requested_time", "procs", "wait", "user"]
    of_jobs = (jobs.number, jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
    waits = schedule.start - jobs.submit
    assert log.jobs[fields].to_numpy().tolist() == rows(*of_jobs, waits, jobs.number % 3)
    write_evalys(folder / "jobs.csv", jobs, schedule, PROCESSORS)
    names = ["job_id", "submission_time", "execution_time", "requested_time"]
    names += ["requested_number_of_resources", "starting_time", "finish_time"]
    table = pd.read_csv(folder / "jobs.csv")[names].to_numpy().tolist()
    assert table == rows(*of_jobs, schedule.start, schedule.end)
    longer = with_exact_estimates(Jobs(*of_jobs[:2], jobs.runtime + 1, *of_jobs[3:]))
    write_batsim(folder / "w.json", longer, PROCESSORS)
    workload = json.loads((folder / "w.json").read_text())
    delays = {name: profile["delay"] for name, profile in workload["profiles"].items()}
    written = [
        [int(job["id"]), job["subtime"], delays[job["profile"]], job["walltime"], job["res"]]
        for job in workload["jobs"]
    ]
    assert written == rows(*of_jobs[:2], longer.runtime, longer.estimate, jobs.procs)


def test_a_log_of_a_schedule_has_every_field_of_the_format(tmp_path):
    path = tmp_path / "schedule.swf"
    write_schedule(path, JOBS, SCHEDULE, 5)
    lines = path.read_text().splitlines()
    assert {"; MaxProcs: 5", "; Version: 2.2"} < set(lines)
    assert lines[-2] == "5 100 10 5 4 -1 -1 4 5 -1 1 -1 -1 -1 -1 -1 -1 -1"


def test_a_table_of_jobs_has_batsims_columns(tmp_path):
    """Job 5 of 4 processors waits for 10 of its 15 seconds; a job of no length has no stretch."""
    path = tmp_path / "jobs.csv"
    write_evalys(path, JOBS, SCHEDULE, 5)
    head, *lines = path.read_text().splitlines()
    assert head == (
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
        "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
        "stretch,consumed_energy,allocated_resources,metadata"
    )
    assert lines[0].endswith(",10,100,2,12,1,COMPLETED_SUCCESSFULLY,100,10,110,0,10,1.0,-1,0-1,")
    assert lines[1] == "5,w0,5,100,4,5,1,COMPLETED_SUCCESSFULLY,110,5,115,10,15,3.0,-1,0-1 3-4,"
    assert lines[2].endswith(",10,1.0,-1,2,")
    at_once = Schedule(np.array([7]), np.array([7]))
    write_evalys(path, Jobs([1], [5], [0], [9], [1]), at_once, 1)
    assert path.read_text().splitlines()[1].endswith(",7,0,7,2,2,,-1,0,")


@pytest.mark.parametrize(("dialect", "kind"), [("4", "delay"), ("5", "DelayProfile")])
def test_a_workload_has_batsims_fields(tmp_path, dialect, kind):
    path = tmp_path / "workload.json"
    write_batsim(path, JOBS, 5, dialect)
    workload = json.loads(path.read_text())
    assert workload["nb_res"] == 5
    job = {"id": "5", "subtime": 100, "walltime": 5, "res": 4, "profile": "5"}
    assert workload["jobs"][1] == job
    profiles = {str(delay): {"type": kind, "delay": delay} for delay in (5, 10)}
    assert workload["profiles"] == profiles


@pytest.mark.parametrize(
    ("jobs", "dialect", "message"),
    [
        (Jobs([1], [0], [0], [5], [1]), "4", "w.json: job 1 runs for 0 s"),
        (Jobs([1, 2], [0, 0], [5, 6], [5, 5], [1, 1]), "4", "w.json: job 2 runs past its estimate"),
        (Jobs([3, 3], [0, 0], [5, 5], [5, 5], [1, 1]), "4", "w.json: job 3 comes twice"),
        (JOBS, "3", "unknown dialect '3' of Batsim; one of 4, 5"),
    ],
)
def test_jobs_that_batsim_would_reject_or_change_are_rejected(tmp_path, jobs, dialect, message):
    with pytest.raises(ValueError, match=message):
        write_batsim(tmp_path / "w.json", jobs, 4, dialect)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("jobs", "schedule", "more", "message"),
    [
        (JOBS, Schedule(SCHEDULE.start + 0.5, SCHEDULE.end), {}, "job 4 runs from 100.5 to 110: "),
        (JOBS, Schedule(SCHEDULE.start, SCHEDULE.end + 0.5), {}, "job 4 runs from 100 to 110.5: "),
        (JOBS, Schedule(SCHEDULE.start - 1, SCHEDULE.end), {}, "job 4 starts before it is subm"),
        (JOBS, SCHEDULE, {"wait": [0, 0, 0]}, "'wait' is no further field"),
        (JOBS, SCHEDULE, {"color": [0, 0, 0]}, "'color' is no further field"),
        (Jobs([4, 4, 5, 5], *[[1] * 4] * 4), None, {}, "job number 4 comes twice"),
    ],
)
def test_a_schedule_that_is_no_log_is_refused(tmp_path, jobs, schedule, more, message):
    schedule = schedule or Schedule(jobs.submit, jobs.submit + 1)
    with pytest.raises(ValueError, match=message):
        write_schedule(tmp_path / "s.swf", jobs, schedule, 9, more)
