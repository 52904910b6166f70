"""Time a site's own Slurm, in a process of its own, and print its record as JSON.

usage: python bench/site_case.py NODES JOBS LOAD REPEATS

The site is made by a rule: four kinds of nodes, two partitions, three QOS, fair share among 40
accounts, memory, GPUs and features, and the parameters of a university's cluster (a pass of
backfilling in 120 s, three days of window, 2,500 jobs a pass, 100 a user). LOAD is that of its
processors: 1,000,000 jobs on 217 nodes at 0.9 are 14 months.

A pass of backfilling decides about every waiting job, up to these numbers. The record counts these
decisions.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pandas as pd
from record import print_record

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine, NodeKind, Partition
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import ROOT, Association, Priorities, Qos, Scheduling, Site
from schedlab.queue.site_problem import problem_of
from schedlab.queue.slurm_site import kernel_of

DAY = 86_400
#: kinds of nodes and their part of the machine
KINDS = {
    "n": (NodeKind(32, 187_000, features=frozenset({"old"}), weight=60), 0.40),
    "m": (NodeKind(40, 187_000, features=frozenset({"new"}), weight=70), 0.44),
    "b": (NodeKind(40, 754_000, features=frozenset({"new"}), weight=160), 0.11),
    "g": (NodeKind(40, 187_000, {"gpu": 2}, frozenset({"new"}), 190), 0.05),
}
ACCOUNTS, USERS = 40, 60


def make_site(nodes: int) -> Site:
    """Return the site with so many nodes."""
    names = {
        f"{letter}{k:05}": kind
        for letter, (kind, part) in KINDS.items()
        for k in range(max(round(nodes * part), 1))
    }
    machine = Machine.of_nodes(names)
    every = tuple(range(len(machine)))
    partitions = (
        Partition("general", every[1:], 100, 100, default=True, memory_per_cpu=2800),
        Partition("debug", every[:1], 700, 700, memory_per_cpu=2800),
    )
    tree = [Association(ROOT)]
    tree += [Association(f"a{k}", "", 0, 100) for k in range(ACCOUNTS)]
    tree += [Association(f"a{k % ACCOUNTS}", f"u{k}", 1 + k % ACCOUNTS, 1) for k in range(USERS)]
    return Site(
        Machine(machine.kinds, machine.kind, machine.names, partitions),
        Priorities(age=70_000, fairshare=120_000, qos=50_000, jobsize=200_000, half_life=30 * DAY),
        Scheduling(bf_interval=120, bf_window=3 * DAY, bf_max_job_test=2500, bf_max_job_user=100,
                   default_queue_depth=2500),
        (Qos("normal", 0), Qos("supporters", 200), Qos("urgent", 400)),
        tuple(tree),
    )  # fmt: skip


def make_jobs(site: Site, count: int, load: float, seed: int = 1) -> pd.DataFrame:
    """Return jobs of users who submit many equal ones, at a load of the site's processors."""
    random = np.random.default_rng(seed)
    session = np.repeat(np.arange(count), random.geometric(0.1, count))[:count]
    kinds = random.integers(0, 2**31, session.max() + 1)
    of = np.random.default_rng(seed + 1)
    sessions = len(kinds)
    cpus = of.choice([1, 4, 6, 8, 16, 32, 40], sessions, p=[0.2, 0.1, 0.3, 0.15, 0.1, 0.1, 0.05])
    limit = of.choice([1, 4, 12, 24, 72], sessions) * 3600
    runtime = (limit[session] * of.beta(0.6, 2.0, count)).astype(int) + 30
    nodes = np.where(cpus >= 32, of.choice([1, 1, 1, 2, 4], sessions), 1)
    gpu = of.random(sessions) < 0.02
    frame = pd.DataFrame(
        {
            "number": np.arange(1, count + 1),
            "runtime": runtime,
            "estimate": limit[session],
            "procs": (cpus * nodes)[session],
            "nodes": nodes[session],
            "tasks": (cpus * nodes)[session],
            "memory": np.where(of.random(sessions) < 0.5, of.choice([8, 32, 90, 187], sessions), 0)[
                session
            ] * 1000,
            "gres": np.where(gpu, "gpu:1", "")[session],
            "features": np.where(of.random(sessions) < 0.3, "new", "")[session],
            "user": np.char.add("u", (of.zipf(1.5, sessions) % USERS).astype(str))[session],
            "qos": of.choice(["normal", "supporters", "urgent"], sessions)[session],
        }
    )  # fmt: skip
    frame["memory"] = frame["memory"].where(frame["memory"] > 0, -1)
    frame["account"] = "a" + (frame["user"].str[1:].astype(int) % ACCOUNTS).astype(str)
    area = (frame["runtime"] * frame["procs"]).sum()
    span = int(area / (load * site.machine.processors))
    frame["submit"] = np.sort(random.integers(0, max(span, 1), count))
    return frame


def count_decisions(
    submit: np.ndarray, start: np.ndarray, user: np.ndarray, scheduling: Scheduling
) -> int:
    """Return how many jobs all passes of backfilling look at: those that wait, up to its limits."""
    interval, most = scheduling.bf_interval, scheduling.bf_max_job_user
    passes = int(start.max()) // interval + 1
    total = np.zeros(passes + 1, dtype=np.int64)
    for one in np.unique(user):
        mine = user == one
        # a job waits in the passes after its submission, up to the one in which it may start
        begin, end = (times[mine] // interval + 1 for times in (submit, start))
        change = np.bincount(begin, minlength=passes + 2) - np.bincount(end, minlength=passes + 2)
        waiting = np.cumsum(change)[: passes + 1]
        total += np.minimum(waiting, most) if most else waiting
    return int(np.minimum(total, scheduling.bf_max_job_test).sum())


def main(nodes: str, count: str, load: str, repeats: str) -> None:
    """Run the case and print its record."""
    site = make_site(int(nodes))
    frame = make_jobs(site, int(count), float(load))
    problem = problem_of(site, Jobs.from_frame(frame), Requests.from_frame(frame))
    rates = []
    for _ in range(int(repeats)):
        # other work on the machine does not count
        begin = time.process_time()
        kernel = kernel_of(problem)
        while kernel.advance(10**6):
            pass
        rates.append(int(count) / (time.process_time() - begin))
    start = kernel.starts()
    if (start < 0).any():
        raise SystemExit(f"{(start < 0).sum()} jobs do not start")
    user, submit = problem.user, problem.submit
    decisions = count_decisions(submit, start, user, site.scheduling)
    work = f"{nodes} nodes at {load}"
    print_record("a site's Slurm", work, int(count), 1, rates, decisions=decisions)


if __name__ == "__main__":
    main(*sys.argv[1:])
