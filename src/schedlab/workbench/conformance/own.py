"""The starts of a workload under a rule, by the kernels of this library."""

from __future__ import annotations

import numpy as np

from schedlab.core.machine import Machine
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.schedulers import SCHEDULERS
from schedlab.cosched.simulation import CoJobs
from schedlab.cosched.simulation import simulate as simulate_nodes
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning
from schedlab.planning.simulation import simulate_plan
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.predictions import simulate_predicted
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.conformance.kit import NODES, Rule, Workload

MARKING = Planning("orig-bf", reservations="marking")


def run_of(rule: Rule, workload: Workload) -> Run:
    """Return the run of a rule of one queue."""
    given = dict(rule.run)
    policy, backfill = given.pop("policy", "fcfs"), given.pop("backfill", None)
    return Run(
        *(workload.jobs, workload.processors, get(policy), get(backfill) if backfill else None),
        dialect=DIALECTS[given.pop("dialect", "full")],
        **given,
    )


def co_jobs(workload: Workload) -> CoJobs:
    """Return the jobs of a workload on nodes that jobs share."""
    names = ("number", "submit", "app", "processors", "runtime", "estimate")
    return CoJobs(*(workload.table[name].to_numpy() for name in names))


def starts_of(rule: Rule, workload: Workload, speeds: np.ndarray) -> np.ndarray:
    """Return the starts in seconds (shape (n,)) of a workload's jobs, in the order of its table."""
    if rule.simulator == NODES:
        scheduler = SCHEDULERS["easy-co"]
        return simulate_nodes(
            *(co_jobs(workload), shared_nodes(workload.nodes), speeds, scheduler)
        ).start
    users = workload.table["user"].to_numpy()
    if rule.simulator == "predicted":
        return simulate_predicted(workload.jobs, users, workload.processors).start
    if rule.simulator == "marking":
        requests = Requests(workload.jobs, user=users)
        machine = Machine.of_processors(workload.processors)
        return simulate_plan(requests, machine, MARKING, ("conformance",)).start
    return simulate(run_of(rule, workload)).start
