"""Exported files are read by the programs that they are for (dependency group `exchange`).

pybatsim 3.2.1 pins an old pyzmq: `pip install pyzmq` and `pip install --no-deps pybatsim`.
"""

import json

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.exports.batsim import write_batsim
from schedlab.exports.evalys import write_evalys
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate

PROCESSORS = 16


@pytest.fixture(scope="module")
def run():
    rng = np.random.default_rng(8)
    runtime = rng.integers(1, 300, 200)
    submit = np.sort(rng.integers(0, 4000, 200))
    procs = rng.integers(1, 13, 200)
    jobs = Jobs(np.arange(1, 201), submit, runtime, runtime * 2, procs)
    return jobs, simulate(Run(jobs, PROCESSORS, get("f1"), reservations="head"))


def test_evalys_reads_the_table_and_finds_the_same_use_of_the_machine(run, tmp_path):
    jobset = pytest.importorskip("evalys.jobset", reason="evalys is not installed")
    jobs, schedule = run
    write_evalys(tmp_path / "jobs.csv", jobs, schedule, PROCESSORS)
    found = jobset.JobSet.from_csv(tmp_path / "jobs.csv", resource_bounds=(0, PROCESSORS - 1))
    assert set(jobset.JobSet.columns) - {"job_id"} <= set(found.df)
    assert found.df["jobID"].astype(int).tolist() == jobs.number.tolist()
    assert found.df["starting_time"].tolist() == schedule.start.tolist()
    assert found.df["proc_alloc"].tolist() == jobs.procs.tolist()
    assert found.MaxProcs == PROCESSORS
    load = found.utilisation["load"]
    assert load.max() <= PROCESSORS
    for at in (500, 2000, 3500):
        using = (schedule.start <= at) & (schedule.end > at)
        assert load[load.index <= at].iloc[-1] == jobs.procs[using].sum()
    # No job has a processor twice at one instant.
    for at in schedule.start.tolist():
        running = (schedule.start <= at) & (schedule.end > at)
        held = [each for alloc in found.df["allocated_resources"][running] for each in alloc]
        assert len(held) == len(set(held))


def test_pybatsim_reads_every_job_unchanged(run, tmp_path):
    batsim = pytest.importorskip("batsim.batsim", reason="pybatsim is not installed")
    jobs, _ = run
    write_batsim(tmp_path / "workload.json", jobs, PROCESSORS)
    workload = json.loads((tmp_path / "workload.json").read_text())
    found = [batsim.Job.from_json_dict(job) for job in workload["jobs"]]
    assert [int(job.id) for job in found] == jobs.number.tolist()
    assert [job.submit_time for job in found] == jobs.submit.tolist()
    assert [job.requested_time for job in found] == jobs.estimate.tolist()
    assert [job.requested_resources for job in found] == jobs.procs.tolist()
    assert [workload["profiles"][job.profile]["delay"] for job in found] == jobs.runtime.tolist()
