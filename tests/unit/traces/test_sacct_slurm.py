"""Dumps written by a real Slurm: version 22.05 on four virtual nodes, two minutes of jobs.

Among them are a name with a separator and one with a line break, an array, a heterogeneous job, a
suspended one, one that was preempted and ran again into its limit, one that was put back, and what
still waited or ran. The dumps are of ``sacct -aPn -D`` with XDMoD's fields in three clocks, and of
``sacct -aXnP`` with the short list.
"""

from pathlib import Path

import pandas as pd
import pytest

from schedlab.traces.slurm.sacct import SacctLog, read_sacct
from schedlab.traces.slurm.sacct_limits import PartitionLimits, read_partitions
from schedlab.traces.swf import FIELDS, read_swf, write_swf

FOLDER = Path(__file__).with_name("slurm-22.05")
CLOCKS = {"utc": "UTC", "paris": "Europe/Paris", "unix": None}


def dump(clock: str, **options: object) -> SacctLog:
    limits = read_partitions(FOLDER / "partitions.txt")
    zone = CLOCKS[clock]
    return read_sacct(FOLDER / f"xdmod-{clock}.txt", timezone=zone, partitions=limits, **options)


@pytest.fixture(scope="module")
def log() -> SacctLog:
    return dump("utc")


def job_of(log: SacctLog, number: int) -> pd.Series:
    return log.jobs.set_index("number").loc[number]


def test_partitions_are_as_slurm_shows_them():
    assert read_partitions(FOLDER / "partitions.txt") == {
        "main": PartitionLimits(1800, 7200),
        "urgent": PartitionLimits(None, 86400),
        "free": PartitionLimits(None, None),
    }


@pytest.mark.parametrize("clock", ["paris", "unix"])
def test_the_clock_of_a_dump_makes_no_difference(log, clock):
    pd.testing.assert_frame_equal(dump(clock).jobs, log.jobs)


def test_every_line_is_a_job_or_dropped(log):
    fates = log.ledger.drop_duplicates("line")["fate"].value_counts()
    assert fates.sum() == 69 == len((FOLDER / "xdmod-utc.txt").read_text().splitlines())
    assert len(log.jobs) == fates["imported"] + fates["changed"] == 30
    dropped = log.ledger[log.ledger["fate"] == "dropped"]["rule"].value_counts().to_dict()
    assert dropped == {
        "step": 32,
        "not_ended": 3,
        "name_break": 1,
        "run_again": 1,
        "requeued": 1,
        "het_component": 1,
    }


def test_jobs_of_a_real_dump_are_those_submitted(log):
    jobs = log.jobs.set_index("number")
    # sleep 5 on 4 processors, 5 minutes; exit 3; both components; as wide as a machine
    assert jobs.loc[1, ["runtime", "procs", "requested_time", "status"]].tolist() == [5, 4, 300, 1]
    assert jobs.loc[4, "status"] == 0
    assert jobs.loc[22, ["procs", "nodes", "requested_time"]].tolist() == [5, 2, 420]
    assert jobs.loc[[9, 10], "procs"].tolist() == [2048, 1536]
    # six tasks of an array, of which one has the array's own id
    assert jobs.loc[[11, 27, 28, 29, 30, 31], "runtime"].between(4, 5).all()


def test_a_suspended_job_ran_for_less_than_it_was_there(log):
    assert job_of(log, 24)["runtime"] == 13  # of 21 s, for 8 of which it was suspended


def test_job_with_a_begin_time_or_dependency_arrives_when_eligible(log):
    first, second, later = (job_of(log, number) for number in (17, 18, 16))
    assert second["submit"] > first["submit"] + first["wait"] + first["runtime"]
    assert (second["entered"], second["wait"]) == (first["entered"], 0)
    assert later["submit"] - later["entered"] == 30  # --begin=now+30


def test_the_last_run_of_a_preempted_job_is_the_job(log):
    job = job_of(log, 5)
    # a minute's limit, and the grace that Slurm leaves
    assert (job["status"], job["runtime"], job["requested_time"]) == (0, 74, 60)


def test_missing_limits_get_the_default(log):
    told = log.ledger[log.ledger["rule"] == "limit_unknown"]
    assert told["before"].tolist() == ["UNLIMITED", "365-00:00:00"]
    again = dump("unix", default_limit=3600)
    assert [job_of(again, number)["requested_time"] for number in (7, 8)] == [3600, 3600]
    assert job_of(again, 6)["requested_time"] == 1800  # its partition's default, as Slurm noted it


def test_cancelled_jobs_waited_until_they_were_cancelled(log):
    assert job_of(log, 14)[["wait", "runtime", "status"]].tolist() == [13, 0, 5]
    assert job_of(log, 39)[["wait", "runtime", "status"]].tolist() == [0, 5, 5]


def test_short_field_list_gives_the_same_jobs(log):
    short = read_sacct(FOLDER / "short.txt").jobs.set_index("number")
    same = log.jobs[log.jobs["number"] != 22].set_index("number")  # its components are two there
    both = short.loc[same.index]
    for name in ("runtime", "procs", "requested_time", "entered"):
        assert (both[name] == same[name]).all(), name


def test_imported_log_survives_a_round_trip(log, tmp_path):
    path = tmp_path / "virtual.swf.gz"
    write_swf(path, log.jobs, log.header)
    back = read_swf(path)
    pd.testing.assert_frame_equal(back.jobs, log.jobs[list(FIELDS)])
    assert back.header.values("Computer") == ("virtual",)
    assert back.header.values("Partition") == ("1 free", "2 main", "3 urgent")


def test_requests_are_those_of_the_jobs(log):
    """Job 7 named no memory in a partition of small and large nodes, and ran on a small one."""
    requests = log.jobs.set_index("number").filter(like="request.")
    columns = ["request.nodes", "request.memory", "request.begin", "request.array"]
    assert requests.loc[[1, 7, 14, 16, 28], columns].to_numpy().tolist() == [
        *([1, 1024, -1, -1], [1, 0, -1, -1], [2, 16000, -1, -1], [1, 16000, 31, -1]),
        [1, 16000, -1, 11],
    ]
    assert requests.loc[2, ["request.user", "request.account"]].tolist() == ["daemon", "physics"]
