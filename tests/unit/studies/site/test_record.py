"""The nodes on which jobs ran: by a dump of sacct, in tables, and in a calibration."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.core.machine import Machine
from schedlab.queue.site_dialect import SiteSlurm
from schedlab.studies.site.calibration import Calibration, calibrate
from schedlab.studies.site.example import Event, make_example
from schedlab.studies.site.record import record_of
from schedlab.traces.columns import read_columns, read_header, write_columns
from schedlab.traces.parts import OnePart
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import load_log
from schedlab.workbench.site_results import RULES

DAY = 86_400
#: a rack that takes no jobs for five days
RACK = Event("drain", 0.6, 8 * DAY, "t 1 16", "drained")


@pytest.fixture
def log(tmp_path):
    """Four jobs of ten seconds: two on nodes, one on a node that is gone, one that never ran."""
    frame = pd.DataFrame({
        "number": [1, 2, 3, 4], "submit": [0, 5, 6, 7], "wait": [1, 0, 4, -1],
        "runtime": [10, 10, 10, 10], "requested_time": 20, "procs": 1,
        "ran_on": ["n[1-2]", "n2", "n1,x9", ""],
    })  # fmt: skip
    frame.to_parquet(tmp_path / "log.parquet")
    return load_log(tmp_path / "log.parquet", RULES, 3)


@pytest.fixture
def machine():
    return replace(Machine.of_processors(1), kind=np.zeros(3, np.int32), names=("n1", "n2", "n3"))


def test_record_has_each_node_of_each_job(log, machine):
    record = record_of(log, machine)
    assert record.job.tolist() == [0, 0, 1, 2, 2]
    assert record.node.tolist() == [0, 1, 1, 0, -1]
    assert record.used(0, 12).tolist() == [10 + 2, 10 + 7, 0]
    assert record.used(3, 6).tolist() == [3, 3 + 1, 0]
    assert (record.share, record.names) == (1.0, {2: "x9"})


def test_share_counts_jobs_that_started(log, machine):
    frame = log.frame.assign(ran_on=["n1", "", "", "n1"])
    assert record_of(replace(log, frame=frame), machine).share == pytest.approx(1 / 3)
    assert record_of(replace(log, frame=frame.drop(columns="ran_on")), machine) is None


def of_example(folder, change) -> Calibration:
    """Return the calibration of six weeks, of which the log has the last four."""
    make_example(folder, 1, 42, 6000, [RACK])
    jobs, _, _ = read_columns(folder / "log.parquet")
    jobs = change(jobs[jobs["submit"] > 14 * DAY].reset_index(drop=True))
    write_columns(folder / "late.parquet", OnePart(jobs), read_header(folder / "log.parquet"))
    log = load_log(folder / "late.parquet", RULES)
    assert len(log) == len(jobs)
    slurm = SiteSlurm(read_site(folder / "slurm.conf", folder / "accounts.txt"))
    return calibrate(log, slurm, {"median": 0.25, "high": 1.0})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unknown", "nodes", "why"),
    [(30, "t[01-16]", "used these nodes least"), (10, "t[33-48]", "is a choice")],
    ids=["of nearly all jobs", "of too few jobs"],
)
def test_missing_nodes_are_named_by_the_record(tmp_path, unknown, nodes, why):
    """The log begins in the third week; the nodes of each 30th or 10th job are unknown."""

    def change(jobs):
        return jobs.assign(
            ran_on=jobs["ran_on"].astype(str).where(jobs["number"] % unknown > 0, "")
        )

    made = of_example(tmp_path, change)
    (row,) = made.changes.to_dict("records")
    assert (row["nodes"], row["effect"]) == (nodes, "drain")
    assert row["why"].endswith(why)
    assert "2025-01-31" < row["from"] < row["until"] < "2025-02-06"
    assert made.weeks["date"].iloc[0].startswith("2025-01-20")
    assert made.is_met
    assert made.notes == ()


@pytest.mark.slow
def test_vanished_partitions_and_nodes_are_noted_and_nothing_is_lost(tmp_path):
    def change(jobs):
        partition = jobs["request.partition"].astype(str).where(jobs["number"] % 50 > 0, "old")
        ran_on = jobs["ran_on"].astype(str).where(jobs["number"] % 60 > 0, "x07")
        return jobs.assign(**{"request.partition": partition}, ran_on=ran_on)

    made = of_example(tmp_path, change)
    partitions, nodes = made.notes
    never = len(made.result.never)
    first = made.result.never["number"].iloc[0]
    assert partitions == (
        f"{never} jobs never start in the simulation, job {first} first: partition 'old' is not in "
        "slurm.conf"
    )
    assert nodes.startswith("70 jobs ran on nodes that the site's files do not have, job ")
    assert " on x07 first: they run on other nodes here" in nodes
    assert never + made.groups.loc[made.groups["kind"] == "week", "jobs"].sum() == 4175
    assert made.changes["nodes"].tolist() == ["t[01-16]"]
