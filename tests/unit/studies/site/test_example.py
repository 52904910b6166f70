"""The synthetic site with its log."""

import pandas as pd
import pytest

from schedlab.queue.site_run import simulate_site
from schedlab.studies.site.example import make_example
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import load_log
from schedlab.workbench.site_results import RULES
from schedlab.workloads.site_jobs import UNIX_START


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("example")


@pytest.fixture(scope="module")
def example(folder):
    return make_example(folder, seed=2, days=28, jobs=2500)


@pytest.fixture(scope="module")
def log(folder, example):
    return load_log(folder / "log.parquet", RULES)


def test_the_log_has_all_jobs_with_waits_and_requests(example, log):
    assert len(log) == len(example.jobs) > 2400
    assert (log.frame["wait"] >= 0).all()
    assert log.unix_start == UNIX_START
    assert log.zone == "UTC"
    known = log.jobs.requests.known()
    assert known.keys() >= {"nodes", "memory", "partition", "user", "account", "qos", "gres"}


def test_no_job_of_the_outage_runs_on(example):
    outage = example.truth[example.truth["why"] == "outage of a rack"].iloc[0]
    assert (outage["nodes"], outage["processors"]) == ("t[01-16]", 256)
    failed = example.jobs["status"] == 0
    ends = example.jobs["submit"] + example.jobs["wait"] + example.jobs["runtime"]
    begin = int(pd.Timestamp(outage["from"]).timestamp()) - UNIX_START
    assert (failed & (ends == begin)).sum() >= 3


def test_no_job_runs_during_the_maintenance(example):
    maintenance = example.truth.iloc[0]
    begin, end = (
        int(pd.Timestamp(maintenance[name]).timestamp()) - UNIX_START for name in ("from", "until")
    )
    start = example.jobs["submit"] + example.jobs["wait"]
    assert not ((start < end) & (start + example.jobs["runtime"] > begin)).any()
    assert start.between(end, end + 600).any()


def test_recorded_starts_are_not_those_of_the_files_alone(folder, log):
    site = read_site(folder / "slurm.conf", folder / "accounts.txt")
    start = simulate_site(site, log.jobs).start - log.jobs.submit
    assert (start >= 0).all()
    assert (start != log.frame["wait"]).mean() > 0.5


def test_a_seed_decides_the_log(tmp_path, example):
    again = make_example(tmp_path, seed=2, days=28, jobs=2500)
    pd.testing.assert_frame_equal(again.jobs, example.jobs)
