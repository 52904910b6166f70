"""A run on a site's own Slurm: starts, nodes, amounts and reasons of jobs."""

from __future__ import annotations

import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Change, Machine, NodeKind, Partition
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Association, Priorities, Site
from schedlab.queue.site_run import NO_NODES, PENDING, simulate_site
from schedlab.queue.slurm_site import Phases

NODES = {
    "n1": NodeKind(4, 1000),
    "n2": NodeKind(4, 1000),
    "g1": NodeKind(8, 2000, {"gpu:v100": 2}, weight=9),
}


def site_of(*changes: Change, **rules) -> Site:
    machine = Machine.of_nodes(NODES)
    every = Partition("main", (0, 1, 2), default=True, max_time=3600, **rules)
    partitions = (every, Partition("gpu", (0,), max_nodes=1))
    machine = Machine(machine.kinds, machine.kind, machine.names, partitions, changes)
    return Site(machine, Priorities(multifactor=False))


def run(*jobs: dict, site: Site | None = None, **options):
    """Simulate jobs, each a minute on a processor unless it says otherwise."""
    usual = {"runtime": 60, "estimate": 600, "procs": 1, "submit": 0}
    frame = pd.DataFrame([{"number": k} | usual | each for k, each in enumerate(jobs, start=1)])
    frame["tasks"] = frame["procs"]
    for name in set().union(*jobs) & {"gres", "partition", "qos", "account", "user", "after"}:
        frame[name] = frame[name].fillna("")
    frame = frame.fillna({"memory": -1, "nodes": 0, "exclusive": False, "per_cpu": False})
    parts = Jobs.from_frame(frame)
    whole = Jobs(*(getattr(parts, name) for name in ("number", "submit", "runtime", "estimate",
                   "procs")), requests=Requests.from_frame(frame))  # fmt: skip
    return simulate_site(site or site_of(), whole, **options)


def test_starts_ends_and_nodes():
    """Job 2 needs all nodes: it waits for job 1, which keeps its node a second longer."""
    schedule = run({"procs": 2}, {"procs": 16, "submit": 5}, {"procs": 99})
    assert schedule.start.tolist() == [0, 61, -1]
    assert schedule.end.tolist() == [60, 121, -1]
    nodes = schedule.extras["nodes"].tolist()
    assert nodes[0] == [0, 1, 2]
    assert sorted(nodes[1:]) == [[1, 0, 8], [1, 1, 4], [1, 2, 4]]


def test_stopping_and_phases():
    late = run({"procs": 16}, {"procs": 16, "submit": 5}, stopping=30)
    assert late.start.tolist() == [0, 90]
    backfilled = ({"procs": 2}, {"procs": 16}, {"submit": 5, "estimate": 60})
    assert run(*backfilled).start[2] == 30
    assert run(*backfilled, phases=Phases(backfill=20)).start[2] == 20


@pytest.mark.parametrize(
    ("job", "amounts"),
    [
        ({"procs": 3}, {"cpu": 3, "mem": 1000, "node": 1}),
        ({"procs": 2, "memory": 300}, {"cpu": 2, "mem": 300}),
        ({"procs": 2, "memory": 300, "per_cpu": True}, {"mem": 600}),
        ({"procs": 8, "memory": 300, "nodes": 2}, {"cpu": 8, "mem": 600, "node": 2}),
        ({"memory": 0}, {"mem": 1000}),
        ({"exclusive": True, "memory": 10}, {"cpu": 4, "mem": 10}),
        ({"gres": "gpu:2", "memory": 10}, {"gres/gpu": 2}),
        ({"gres": "gpu:v100:1", "memory": 10}, {"gres/gpu": 1, "gres/gpu:v100": 1}),
        ({"procs": 99}, {"cpu": 0, "mem": 0, "node": 0}),
    ],
)
def test_amounts_that_a_job_had(job, amounts):
    had = run(job, {}).extras["jobs"].iloc[0]
    assert {name: had[name] for name in amounts} == amounts


@pytest.mark.parametrize(
    ("job", "why"),
    [
        ({}, ""),
        ({"estimate": 4000}, "its limit of 4020 s exceeds MaxTime of partition main"),
        ({"nodes": 4, "procs": 4}, NO_NODES),
        ({"gres": "gpu:v100:3", "memory": 9}, NO_NODES),
        ({"memory": 5000}, NO_NODES),
        ({"after": "1"}, "it waits for job 1, which never starts"),
        ({"partition": "gpu"}, PENDING),
    ],
)
def test_why_a_job_never_starts(job, why):
    site = site_of(Change(0, "drain", (0,)))
    schedule = run({"procs": 99}, {"procs": 1} | job, site=site)
    assert schedule.extras["jobs"]["why"].tolist() == [NO_NODES, why]
    assert (schedule.start[1] < 0) == bool(why)


def test_names_are_of_the_partition_that_ran_a_job_and_of_its_association():
    tree = (Association("root"), Association("lab", "", 0), Association("lab", "u", 1))
    site = site_of()
    site = Site(site.machine, site.priorities, associations=tree, default_accounts={"u": "lab"})
    jobs = run({"user": "u"}, {"partition": "gpu,main"}, {"procs": 99}, site=site).extras["jobs"]
    assert jobs["partition"].tolist() == ["main", "gpu", ""]
    assert jobs["account"].tolist() == ["lab", "root", "root"]
    jobs = run({"account": "x", "qos": "q"}).extras["jobs"]
    assert jobs[["account", "qos"]].to_numpy().tolist() == [["x", "q"]]


def test_jobs_without_requests_run():
    jobs = Jobs([1, 2], [0, 0], [60, 60], [60, 60], [4, 4])
    assert simulate_site(Site(Machine.of_processors(4)), jobs).start.tolist() == [0, 61]


def test_without_jobs_there_is_an_empty_schedule():
    schedule = simulate_site(site_of(), Jobs([], [], [], [], []))
    assert (len(schedule), len(schedule.extras["jobs"]), len(schedule.extras["nodes"])) == (0, 0, 0)
