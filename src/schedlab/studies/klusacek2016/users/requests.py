"""Convert the clean jobs of a log to requests to a machine that plans."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.fitting import Refusal, fitting
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning
from schedlab.studies.klusacek2016.users.queues import queue_ranks
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.traces.node_specs import NodeSpec, parse_node_spec

#: what field 10 of a log counts: KB per processor, as the format defines, or bytes per job
Memory = Literal["processor KB", "job bytes"]
#: columns that clean jobs must have
COLUMNS = ("user", "requested_time", "requested_memory", "queue_name", "node_spec")
#: why a job is refused: the ledger's rule, and the column that the rule checks
RULES = {
    "clusters": ("cluster_exists", "node_spec"),
    "procs": ("cluster_fits", "procs"),
    "nodes": ("nodes_fit", "nodes"),
    "memory": ("memory_fits", "requested_memory"),
}


@dataclass(frozen=True, eq=False)
class Demand:
    """The requests of a log that a machine can run, by submit time, then number.

    `jobs` are the clean jobs of these requests, in the same order; `ledger` has a row per job that
    does not fit, as in `schedlab.traces.cleaning.clean`.
    """

    requests: Requests
    jobs: pd.DataFrame
    ledger: pd.DataFrame


def requests_of(
    jobs: pd.DataFrame, machine: Machine, settings: Planning, log: str, memory: Memory | None = None
) -> Demand:
    """Return the requests of the jobs of a log, without those that the machine can never run."""
    if lacking := [name for name in COLUMNS if name not in jobs]:
        raise ValueError(
            f"{log}: the clean jobs have no column '{lacking[0]}': clean the log by rules that "
            "keep it, such as klusacek2016"
        )
    jobs = jobs.sort_values(["submit", "number"], kind="stable", ignore_index=True)
    specs, which = _node_specs(jobs["node_spec"], machine)
    requests = Requests(
        Jobs.from_frame(jobs),
        user=jobs["user"].to_numpy(),
        memory=_kilobytes(jobs, memory),
        nodes=np.array([spec.nodes for spec in specs], dtype=np.int32)[which],
        exclusive=np.array([spec.exclusive for spec in specs], dtype=bool)[which],
        clusters=np.array([_mask(spec, machine) for spec in specs], dtype=np.uint64)[which],
        queue=queue_ranks(jobs["requested_time"], jobs["queue_name"], log),
    )
    allowed, refused = fitting(requests, machine, settings)
    fits = allowed > 0
    fitting_jobs = jobs[fits].reset_index(drop=True)
    return Demand(requests.take(fits), fitting_jobs, _ledger(log, refused, jobs))


def _kilobytes(jobs: pd.DataFrame, counted: Memory | None) -> np.ndarray | None:
    """Return the memory of each job in KB, 0 if its request is 0 or missing."""
    if counted is None:
        return None
    memory = jobs["requested_memory"].clip(lower=0).to_numpy()
    return -(-memory // 1024) if counted == "job bytes" else memory * jobs["procs"].to_numpy()


def _node_specs(texts: pd.Series, machine: Machine) -> tuple[list[NodeSpec], np.ndarray]:
    """Return the distinct specifications, and the place of each job's one among them."""
    which, distinct = pd.factorize(texts)
    names = [cluster.name for cluster in machine.clusters]
    return [parse_node_spec(text, names) for text in distinct], which


def _mask(spec: NodeSpec, machine: Machine) -> int:
    """Return a bit for each cluster that a specification allows.

    If it allows none, the mask has the bits of clusters that do not exist, so that no job fits.
    """
    mask = sum(
        1 << place
        for place, cluster in enumerate(machine.clusters)
        if (not spec.wanted or cluster.name in spec.wanted)
        and cluster.name not in spec.unwanted
        and spec.cpus in (None, cluster.kind.cpus)
    )
    return mask or 2**64 - (1 << len(machine.clusters))


def _ledger(log: str, refused: list[Refusal], jobs: pd.DataFrame) -> pd.DataFrame:
    """Return one row per job that fits on no cluster."""
    rows = []
    for job in refused:
        rule, field = RULES[job.field]
        before = {"node_spec": pd.NA, "nodes": job.value}
        value = before[field] if field in before else int(jobs[field].iloc[job.place])
        rows.append((log, rule, job.number, field, value, pd.NA))
    return pd.DataFrame(rows, columns=list(LEDGER_DTYPES)).astype(LEDGER_DTYPES)
