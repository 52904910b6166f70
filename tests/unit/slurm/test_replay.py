"""Jobs are replayed at their times on a stand-in for Slurm with a stand-in clock."""

from datetime import datetime
from types import SimpleNamespace

import pytest

from schedlab.core.jobs import Jobs
from schedlab.slurm import replay as module
from schedlab.slurm.replay import LOOK, MARGIN, replay
from schedlab.slurm.settings import BACKFILL

BEGIN = 1_600_000_020  # a full minute
#: number, submit, run time, estimate, processors
JOBS = Jobs([7, 9, 12], [0, 30, 31], [100, 5, 60], [101, 5, 60], [2, 1, 4])
#: limits of 2, 1 and 1 minutes
LIMITS = 240


class Slurm:
    """Gives jobs numbers from 101 on; none waits, and the queue is empty when all have ended."""

    def __init__(self, monkeypatch):
        self.now = float(BEGIN - 50)
        self.sent, self.records, self.ends = [], [], []
        clock = SimpleNamespace(time=lambda: self.now, sleep=self.sleep)
        monkeypatch.setattr(module, "time", clock)
        monkeypatch.setattr(module, "run", self.run)

    def sleep(self, seconds):
        self.now += seconds

    def run(self, *command):
        if command[0] == "squeue":
            return "103 PENDING Resources\n" if self.now < max(self.ends) else ""
        self.sent.append((self.now - BEGIN, command[2], command[3], command[-1]))
        number, seconds = 100 + len(self.sent), int(command[-1].split()[-1])
        start = self.now + number - 100
        self.ends.append(start + seconds)
        moments = {"SubmitTime": self.now, "StartTime": start, "EndTime": start + seconds}
        self.records.append(
            {"JobId": str(number), "JobState": "COMPLETED"}
            | {name: datetime.fromtimestamp(at).isoformat() for name, at in moments.items()}
            | {"ProcCnt": command[2].split("=")[1], "TimeLimit": command[3].split("=")[1]}
        )
        return f"{number}\n"

    def completed(self):
        return sorted(self.records, key=lambda job: job["EndTime"])


@pytest.fixture
def slurm(monkeypatch):
    return Slurm(monkeypatch)


def test_jobs_are_submitted_at_their_times_and_returned_in_order(slurm):
    rows = replay(slurm, JOBS)
    assert slurm.sent == [
        (0, "--ntasks=2", "--time=2", "--wrap=exec sleep 100"),
        (30, "--ntasks=1", "--time=1", "--wrap=exec sleep 5"),
        (31, "--ntasks=4", "--time=1", "--wrap=exec sleep 60"),
    ]
    # the second ends before the first
    assert rows.to_numpy().tolist() == [
        [7, 2, 120, 0, 1, 101],
        [9, 1, 60, 30, 32, 37],
        [12, 4, 60, 31, 34, 94],
    ]


def test_time_0_is_the_next_reachable_full_minute(slurm):
    slurm.now = BEGIN - 10.5
    assert module.next_minute() == BEGIN
    slurm.now = BEGIN - 9.0
    assert module.next_minute() == BEGIN + 60


@pytest.mark.parametrize("state", ["FAILED", "TIMEOUT", "NODE_FAIL"])
def test_job_that_ends_badly_is_named(slurm, monkeypatch, state):
    whole = slurm.completed
    bad = {"102": state}
    monkeypatch.setattr(
        slurm,
        "completed",
        lambda: [job | {"JobState": bad.get(job["JobId"], "COMPLETED")} for job in whole()],
    )
    with pytest.raises(module.SlurmError, match=rf"job 9 \(Slurm's 102\) is {state}"):
        replay(slurm, JOBS)


def test_job_that_is_lost_is_named(slurm, monkeypatch):
    whole = slurm.completed
    monkeypatch.setattr(slurm, "completed", lambda: whole()[:-1])
    with pytest.raises(module.SlurmError, match=r"job 7 \(Slurm's 101\) is lost"):
        replay(slurm, JOBS)


#: looks at the queue are at 31 s, when the last one is submitted, and every half minute after it
LAST_LOOK = 31 + (LIMITS + 3 * MARGIN) // LOOK * LOOK


@pytest.mark.parametrize(("late", "given_up"), [(0, False), (LOOK, False), (LOOK + 1, True)])
def test_jobs_that_do_not_end_are_given_up(slurm, late, given_up):
    slurm.ends.append(BEGIN + LAST_LOOK + late)
    if given_up:
        with pytest.raises(module.SlurmError, match="do not end:\n103 PENDING Resources"):
            replay(slurm, JOBS)
    else:
        assert len(replay(slurm, JOBS)) == 3


def test_backfilling_is_written_as_in_slurm_conf():
    assert BACKFILL == "SchedulerParameters=bf_interval=30"
