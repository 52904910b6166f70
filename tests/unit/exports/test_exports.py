"""Workloads and schedules are written for other programs and read back job by job."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs, Schedule
from schedlab.exports.batsim import read_batsim, write_batsim
from schedlab.exports.evalys import read_evalys, write_evalys
from schedlab.exports.swf import read_schedule, write_schedule
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.swf import read_swf
from strategies import with_exact_estimates, workloads

PROCESSORS = 8
JOBS = Jobs([4, 5, 9], [100, 100, 103], [10, 5, 10], [12, 5, 10], [2, 4, 1])
SCHEDULE = Schedule(np.array([100, 110, 103]), np.array([110, 115, 113]))


def same(one, other):
    names = vars(one)
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def scheduled(jobs, policy):
    return simulate(Run(jobs, PROCESSORS, get(policy), reservations="head"))


policies = st.sampled_from(["fcfs", "f1", "lqf"])


@pytest.mark.slow
@given(jobs=workloads(PROCESSORS), policy=policies)
def test_a_schedule_is_read_from_its_log_as_it_was(tmp_path_factory, jobs, policy):
    path = tmp_path_factory.mktemp("swf") / "schedule.swf.gz"
    schedule = scheduled(jobs, policy)
    write_schedule(path, jobs, schedule, PROCESSORS, {"user": jobs.number % 3})
    found, ran, processors = read_schedule(path)
    assert same(found, jobs)
    assert same(ran, schedule)
    assert processors == PROCESSORS
    assert read_swf(path).jobs["user"].tolist() == (jobs.number % 3).tolist()
    assert read_swf(path).notes == ()


@pytest.mark.slow
@given(jobs=workloads(PROCESSORS), policy=policies)
def test_a_schedule_is_read_from_a_table_of_jobs_as_it_was(tmp_path_factory, jobs, policy):
    path = tmp_path_factory.mktemp("evalys") / "jobs.csv"
    schedule = scheduled(jobs, policy)
    write_evalys(path, jobs, schedule, PROCESSORS)
    found, ran = read_evalys(path)
    assert same(found, jobs)
    assert same(ran, schedule)


@pytest.mark.slow
@given(jobs=workloads(PROCESSORS), dialect=st.sampled_from(["4", "5"]))
def test_a_workload_is_read_from_json_as_it_was(tmp_path_factory, jobs, dialect):
    jobs = with_exact_estimates(
        Jobs(jobs.number, jobs.submit, jobs.runtime + 1, jobs.estimate, jobs.procs)
    )
    path = tmp_path_factory.mktemp("batsim") / "workload.json"
    write_batsim(path, jobs, PROCESSORS, dialect)
    found, processors = read_batsim(path)
    assert same(found, jobs)
    assert processors == PROCESSORS


def test_a_log_of_a_schedule_has_every_field_of_the_format(tmp_path):
    path = tmp_path / "schedule.swf"
    write_schedule(path, JOBS, SCHEDULE, 5)
    lines = path.read_text().splitlines()
    assert "; MaxProcs: 5" in lines
    assert "; Version: 2.2" in lines
    assert lines[-2] == "5 100 10 5 4 -1 -1 4 5 -1 1 -1 -1 -1 -1 -1 -1 -1"


def test_a_table_of_jobs_has_batsims_columns(tmp_path):
    """Job 5 of 4 processors waits for 10 of its 15 seconds; all of it by hand."""
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


def test_a_job_of_no_length_has_no_stretch(tmp_path):
    path = tmp_path / "jobs.csv"
    schedule = Schedule(np.array([7]), np.array([7]))
    write_evalys(path, Jobs([1], [5], [0], [9], [1]), schedule, 1)
    assert path.read_text().splitlines()[1].endswith(",7,0,7,2,2,,-1,0,")


def test_a_machine_may_have_one_processor(tmp_path):
    path = tmp_path / "s.swf"
    write_schedule(path, JOBS.take([2]), Schedule(np.array([103]), np.array([113])), 1)
    assert read_schedule(path)[2] == 1


def test_a_workload_has_batsims_fields(tmp_path):
    path = tmp_path / "workload.json"
    write_batsim(path, JOBS, 5)
    workload = json.loads(path.read_text())
    assert workload["nb_res"] == 5
    assert workload["jobs"][1] == {
        "id": "5",
        "subtime": 100,
        "walltime": 5,
        "res": 4,
        "profile": "5",
    }
    assert workload["profiles"] == {
        "5": {"type": "delay", "delay": 5},
        "10": {"type": "delay", "delay": 10},
    }
    write_batsim(path, JOBS, 5, "5")
    assert json.loads(path.read_text())["profiles"]["5"]["type"] == "DelayProfile"


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        (Jobs([1], [0], [0], [5], [1]), "w.json: job 1 runs for 0 s"),
        (Jobs([1, 2], [0, 0], [5, 6], [5, 5], [1, 1]), "w.json: job 2 runs past its estimate"),
        (Jobs([3, 3], [0, 0], [5, 5], [5, 5], [1, 1]), "w.json: job 3 comes twice"),
    ],
)
def test_jobs_that_batsim_would_reject_or_change_are_rejected(tmp_path, jobs, message):
    with pytest.raises(ValueError, match=message):
        write_batsim(tmp_path / "w.json", jobs, 4)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda w: w.pop("nb_res"), "w.json: 'nb_res' is missing"),
        (lambda w: w["jobs"][0].pop("walltime"), "w.json: job '4' has no walltime"),
        (lambda w: w["jobs"][0].update(profile="x"), "job '4': profile 'x' is no delay"),
        (lambda w: w["profiles"]["10"].update(type="smpi"), "job '4': profile '10' is no delay"),
        (lambda w: w["jobs"][0].update(id="w0!a"), "job 'w0!a': the identifier is no number"),
        (lambda w: w["jobs"][0].update(subtime=0.5), "'submit' holds values that are not whole"),
        (lambda w: w["jobs"][0].update(res=0), "job 4: procs is 0"),
    ],
)
def test_workload_with_other_profiles_than_delay_is_rejected(tmp_path, change, message):
    path = tmp_path / "w.json"
    write_batsim(path, JOBS, 5)
    workload = json.loads(path.read_text())
    change(workload)
    path.write_text(json.dumps(workload))
    with pytest.raises(ValueError, match=message):
        read_batsim(path)
    path.write_text("jobs")
    with pytest.raises(ValueError, match=r"w\.json: Expecting value"):
        read_batsim(path)
    with pytest.raises(ValueError, match="unknown dialect '3' of Batsim; one of 4, 5"):
        write_batsim(path, JOBS, 5, "3")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("submission_time", "submitted", "jobs.csv: column 'submission_time' is missing"),
        ("\n5,w0", "\nw0!5,w0", "jobs.csv: job 'w0!5': the identifier is no number"),
        ("SUCCESSFULLY,110,", "SUCCESSFULLY,,", "jobs.csv: job 5 never started"),
        ("w0,5,100,4", "w0,5,100,0", "jobs.csv: jobs: job 5: procs is 0"),
    ],
)
def test_a_table_of_jobs_that_cannot_be_used_is_named(tmp_path, before, after, message):
    path = tmp_path / "jobs.csv"
    write_evalys(path, JOBS, SCHEDULE, 5)
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after, 1))
    with pytest.raises(ValueError, match=message):
        read_evalys(path)


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


def test_a_log_without_waits_is_no_schedule(tmp_path):
    path = tmp_path / "s.swf"
    write_schedule(path, JOBS, SCHEDULE, 5)
    text = path.read_text()
    path.write_text(text.replace("\n5 100 10 ", "\n5 100 -1 "))
    with pytest.raises(ValueError, match=r"job 5: field 3 \(wait\) is unknown"):
        read_schedule(path)
    path.write_text(text.replace("MaxProcs", "MaxNodes"))
    with pytest.raises(ValueError, match="the header does not say MaxProcs"):
        read_schedule(path)
