"""A small site and arrays of jobs on it, for tests of `schedlab.queue.site_problem`."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine, NodeKind, Partition
from schedlab.core.requests import DEFAULTS, Requests
from schedlab.core.slurm_site import ROOT, Association, Priorities, Qos, Site
from schedlab.queue.site_problem import SiteProblem, problem_of

NODES = {
    "g1": NodeKind(8, 2000, {"gpu:V100": 2}, frozenset({"IB", "fast"})),
    "n1": NodeKind(4, 1000, features=frozenset({"ib"})),
    "n2": NodeKind(4, 1000),
}
ALL = tuple(range(len(NODES)))
TREE = (
    Association(ROOT),
    Association("lab", "", 0),
    Association("lab", "u", 1, priority=5),
    Association("lab", "v", 1, priority=10),
    Association("lab", "v", 1, partition="gpu"),
)


def site_of(*partitions: Partition, changes=(), **fields) -> Site:
    """Return a site of three nodes; partitions are all nodes unless given."""
    machine = Machine.of_nodes(NODES, partitions or (Partition("main", ALL, default=True),))
    machine = replace(machine, changes=tuple(changes))
    usual = {"associations": TREE, "qos": (Qos("normal"), Qos("high", 4))}
    return Site(machine, **({"priorities": Priorities()} | usual | fields))


def main(**rules) -> Partition:
    """Return a default partition of all nodes."""
    return Partition("main", ALL, default=True, **rules)


def arrays(*jobs: dict, site: Site | None = None, **options) -> SiteProblem:
    """Return the arrays of jobs, numbered from 101 on, of a minute on a processor by default."""
    usual = DEFAULTS | {"submit": 0, "runtime": 60, "estimate": 600, "procs": 1}
    frame = pd.DataFrame([usual | {"number": 100 + k} | job for k, job in enumerate(jobs, 1)])
    parts = Jobs.from_frame(frame.drop(columns=list(DEFAULTS)))
    return problem_of(site or site_of(), parts, Requests.from_frame(frame), **options)
