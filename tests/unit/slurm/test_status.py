"""Status of runs: jobs in every state, with and without a Slurm that answers."""

import os
import signal

import pytest

from asa_case import Told
from schedlab.slurm.client import SlurmError
from schedlab.slurm.client_lock import HEARTBEAT, ClientLock, Heartbeat
from schedlab.slurm.interrupts import Interrupted
from schedlab.slurm.run import prepare_run, resume_workflow
from schedlab.slurm.status import read_status
from slurm_case import BEGIN, Fate, Slurm
from workflows_case import CHAIN, workflow_file


class Silent:
    """A Slurm that does not answer."""

    def jobs(self, numbers):
        """Raise an error."""
        raise SlurmError("squeue: error: Unable to contact slurm controller")


@pytest.fixture
def stopped(tmp_path):
    """Run the chain until a call of squeue, and return its folder."""

    def start(strategy, slurm, call, estimates=()):
        def interrupt():
            raise Interrupted(signal.SIGTERM, detached=True)

        slurm.at_call[call] = interrupt
        folder = tmp_path / "run"
        prepare_run(workflow_file(CHAIN), strategy, folder, poll=10.0, slurm=slurm)
        told = Told(dict(zip((4, 1, 5), estimates, strict=False)))
        with pytest.raises(Interrupted):
            resume_workflow(folder, told, slurm=slurm)
        return folder

    return start


def states(status):
    return [(job.stage, job.number, job.state) for job in status.jobs]


def test_jobs_run_wait_and_are_not_due(stopped):
    slurm = Slurm([Fate(wait=5, run=1000)])
    folder = stopped("ASA", slurm, 4, [10, 900, 10])
    status = read_status(folder, slurm)
    assert states(status) == [("a", 101, "runs"), ("b", 102, "waits"), ("c", 0, "not due")]
    first = status.jobs[0]
    assert (first.submit, first.start, first.end) == (BEGIN, BEGIN + 5, None)
    assert (status.lives, status.succeeded, status.resumable) == (False, False, True)
    assert status.sentences()[-2:] == [
        "no client; last heartbeat: 0s ago",
        f"go on with: schedlab asa resume {folder}",
    ]


def test_folder_alone_tells_what_slurm_does_not(stopped):
    """A has ended, b idles."""
    slurm = Slurm([Fate(run=100), Fate(run=50)])
    folder = stopped("ASA Naive", slurm, 5, [0, 900, 0])
    status = read_status(folder, Silent())
    assert states(status)[:2] == [("a", 101, "runs"), ("b", 102, "idles")]
    assert not status.slurm_answers
    assert status.sentences()[0].startswith("Slurm does not answer here")
    slurm.sleep(80)
    assert states(read_status(folder, Silent()))[:2] == [("a", 101, "ended"), ("b", 102, "idles")]
    assert read_status(folder, Silent()).jobs[0].end == BEGIN + 100


def test_job_that_gave_its_allocation_up_is_named(stopped):
    slurm = Slurm([Fate(run=1000), Fate(run=50)], tolerance=30)
    folder = stopped("ASA Naive", slurm, 5, [0, 2000, 0])
    slurm.gone_since = slurm.time()
    slurm.sleep(60)
    assert states(read_status(folder, slurm))[1] == ("b", 102, "gave up")


def test_failed_and_taken_back_jobs(tmp_path):
    slurm, folder = Slurm([Fate(run=30, code=3)]), tmp_path / "run"
    prepare_run(workflow_file(CHAIN), "All at once", folder, poll=10.0, slurm=slurm)
    with pytest.raises(SlurmError):
        resume_workflow(folder, Told({}), slurm=slurm)
    status = read_status(folder, slurm)
    assert states(status) == [
        ("a", 101, "failed"),
        ("b", 102, "taken back"),
        ("c", 103, "taken back"),
    ]
    assert not status.resumable
    (sentence,) = status.sentences()
    assert sentence.startswith("ended: workflow flow: stage 'a': job 101 ended as FAILED")


def test_succeeded_run_has_all_stages_in_one_job_or_each_alone(tmp_path):
    for strategy, names in (("Big Job", ["all"]), ("Per-Stage", ["a", "b", "c"])):
        slurm, folder = Slurm(), tmp_path / strategy
        prepare_run(workflow_file(CHAIN), strategy, folder, poll=10.0, slurm=slurm)
        assert {job.state for job in read_status(folder, slurm).jobs} == {"not due"}
        resume_workflow(folder, Told({}), slurm=slurm)
        status = read_status(folder, slurm)
        assert [job.stage for job in status.jobs] == names
        assert {job.state for job in status.jobs} == {"ended"}
        assert status.sentences() == ["all stages have ended"]


def test_client_that_lives_is_named(stopped):
    slurm = Slurm([Fate(run=1000)])
    folder = stopped("Per-Stage", slurm, 3)
    with ClientLock(folder, print), Heartbeat(folder):
        status = read_status(folder, slurm)
    assert status.lives
    assert status.sentences()[0].startswith(f"client: process {os.getpid()} on ")
    assert "last heartbeat: 0s ago" in status.sentences()[0]


def test_heartbeat_of_a_wrong_clock_is_named(stopped):
    slurm = Slurm([Fate(run=1000)])
    folder = stopped("Per-Stage", slurm, 3)
    os.utime(folder / HEARTBEAT, (2e10, 2e10))
    assert " in the future" in read_status(folder, slurm).sentences()[-2]
