"""The requests of the jobs of a log."""

import numpy as np
import pandas as pd
import pytest

from planning_case import machine_of_clusters
from schedlab.planning.settings import Planning
from schedlab.studies.klusacek2016.users.requests import requests_of
from schedlab.traces.cleaning import LEDGER_DTYPES, clean
from schedlab.traces.swf import read_swf

MACHINE = machine_of_clusters(("big", 4, 8, 1000), ("small", 10, 2, 200))
NODES = Planning(mode="nodes")


def table(*jobs: dict) -> pd.DataFrame:
    """Clean jobs 10, 20, …, a second apart, by default of one processor for a minute."""
    known = {"submit": 0, "runtime": 60, "estimate": 60, "procs": 1, "user": 1, "group": -1}
    known |= {"queue": -1, "wait": 0, "requested_time": 60, "requested_memory": -1}
    known |= {"queue_name": "", "node_spec": ""}
    rows = [{"number": 10 * k} | known | {"submit": k} | job for k, job in enumerate(jobs, 1)]
    return pd.DataFrame(rows)


def demand_of(*jobs: dict, settings: Planning = NODES, memory=None):
    return requests_of(table(*jobs), MACHINE, settings, "SITE", memory)


def test_requests_have_the_values_of_the_log():
    found = demand_of(
        {"user": 7, "node_spec": "2:ppn=4:cl_big#excl", "procs": 8, "queue_name": "q_1d"},
        {"user": 3},
    )
    requests = found.requests
    assert requests.user.tolist() == [7, 3]
    assert requests.nodes.tolist() == [2, 0]
    assert requests.exclusive.tolist() == [True, False]
    assert requests.clusters.tolist() == [0b01, 0b11]
    assert requests.queue.tolist() == [86_400, 3600]
    assert requests.memory.tolist() == [0, 0]
    assert found.jobs["number"].tolist() == requests.jobs.number.tolist() == [10, 20]
    assert found.ledger.empty
    assert list(found.ledger) == list(LEDGER_DTYPES)


@pytest.mark.parametrize(
    ("spec", "mask"),
    [
        ("1:ppn=1:^cl_big", 0b10),
        ("1:ppn=1:nodecpus8", 0b01),
        ("1:ppn=1:small7.site", 0b10),
        ("1:ppn=1:^small7.site", 0b11),
    ],
)
def test_a_job_may_use_the_clusters_that_its_specification_leaves(spec, mask):
    assert demand_of({"node_spec": spec}).requests.clusters.tolist() == [mask]


def test_memory_is_converted_from_kb_to_mb_of_the_whole_job():
    jobs = [{"procs": 2, "requested_memory": kb} for kb in (-1, 0, 1, 1024, 1025)]
    assert demand_of(*jobs, memory="job bytes").requests.memory.tolist() == [0, 0, 1, 1, 2]
    assert demand_of(*jobs[:3], memory="processor KB").requests.memory.tolist() == [0, 0, 2]


def test_queue_depends_on_the_requested_time_not_the_raised_estimate():
    found = demand_of({"requested_time": 3600, "estimate": 3650, "runtime": 3650})
    assert found.requests.queue.tolist() == [3600]


def test_jobs_that_do_not_fit_are_in_the_ledger_and_the_rest_is_kept():
    """Just what fits and just more: processors of a cluster, nodes, memory; and no such cluster."""
    jobs = [
        {"procs": 32},
        {"procs": 33},
        {"node_spec": "4:ppn=1:cl_big", "procs": 4},
        {"node_spec": "5:ppn=1:cl_big", "procs": 5},
        {"procs": 1, "requested_memory": 1000},
        {"procs": 1, "requested_memory": 1001},
        {"procs": 2, "requested_memory": 600},
        {"node_spec": "1:ppn=1:cl_other"},
    ]
    found = demand_of(*jobs, memory="processor KB")
    assert found.jobs["number"].tolist() == [10, 30, 50, 70]
    assert found.requests.jobs.number.tolist() == [10, 30, 50, 70]
    told = found.ledger[["log", "rule", "number", "field", "before"]]
    assert told.astype(object).where(told.notna(), None).to_numpy().tolist() == [
        ["SITE", "cluster_exists", 80, "node_spec", None],
        ["SITE", "cluster_fits", 20, "procs", 33],
        ["SITE", "nodes_fit", 40, "nodes", 5],
        ["SITE", "memory_fits", 60, "requested_memory", 1001],
    ]
    assert found.ledger["after"].isna().all()
    assert found.ledger.dtypes.astype(str).to_dict() == LEDGER_DTYPES


def test_where_nodes_do_not_count_only_clusters_must_fit():
    found = demand_of(
        {"requested_memory": 10**6}, {"procs": 33}, settings=Planning(), memory="job bytes"
    )
    assert found.ledger["number"].tolist() == [20]


def test_jobs_without_request_columns_are_rejected():
    with pytest.raises(ValueError, match="SITE: the clean jobs have no column 'node_spec'"):
        requests_of(table({}).drop(columns="node_spec"), MACHINE, NODES, "SITE")


@pytest.mark.logs
def test_every_job_of_wagap_fits_on_its_machine(raw_log):
    frame, ledger = clean(read_swf(raw_log("wagap-2013")).all_fields, "klusacek2016", "wagap-2013")
    assert ledger["number"][ledger["after"].isna()].tolist() == [4185, 4199]
    machine = machine_of_clusters(("zewura", 20, 80, 529_426_432), ("zegox", 48, 12, 94_035_968))
    found = requests_of(frame, machine, NODES, "wagap-2013", "job bytes")
    assert (len(found.jobs), len(found.ledger)) == (17_898, 0)
    requests = found.requests
    assert requests.exclusive.sum() == 231
    assert requests.memory.max() == 536_870_912
    assert np.bincount(requests.clusters.astype(int)).tolist() == [0, 616, 343, 16_939]
    assert (requests.queue == 0).sum() == 15
