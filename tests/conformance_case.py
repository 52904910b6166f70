"""The starts of the conformance kit by the twins, and its workloads.

``python tests/conformance_case.py`` writes the kit's tables again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parent))

from schedlab.core.machine import Machine
from schedlab.core.requests import Requests as SiteRequests
from schedlab.core.slurm_site import Priorities, Site
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.schedulers import SCHEDULERS
from schedlab.planning.requests import Requests
from schedlab.queue.simulation import ranks
from schedlab.queue.site_problem import problem_of
from schedlab.queue.slurm import scheduling_of
from schedlab.workbench.conformance.kit import FOLDER, Rule, Workload, read_kit
from schedlab.workbench.conformance.own import MARKING, co_jobs, run_of
from twins import backfilling, conservative, nodes, one_pass, predictions, queue
from twins.planning import Twin
from twins.slurm_site import Controller

COLUMNS = ["number", "submit", "runtime", "estimate", "processors", "user"]
#: written by hand: submit, run time, estimate, processors, user
WRITTEN = {
    "textbook": [
        (0, 100, 100, 5, 1), (10, 50, 50, 6, 2), (20, 60, 60, 2, 3), (30, 200, 200, 2, 1),
        (40, 10, 10, 1, 2), (45, 90, 90, 1, 3),
    ],
    "left_over": [
        (0, 60, 60, 4, 1), (0, 90, 90, 2, 2), (5, 30, 30, 5, 3), (6, 500, 500, 1, 1),
        (7, 500, 500, 1, 2), (8, 40, 40, 2, 3), (9, 300, 300, 3, 1), (70, 20, 20, 1, 2),
    ],
    "together": [
        (0, 50, 50, 3, 1), (0, 50, 50, 3, 2), (0, 50, 50, 2, 3), (0, 80, 80, 4, 1),
        (0, 30, 30, 4, 2), (10, 60, 60, 3, 3), (10, 60, 60, 3, 1), (10, 40, 40, 1, 2),
        (10, 40, 40, 2, 3), (50, 20, 20, 1, 1),
    ],
    "early": [
        (0, 10, 90, 5, 1), (0, 70, 100, 2, 2), (2, 40, 120, 6, 3), (4, 15, 60, 1, 1),
        (6, 20, 200, 3, 2), (8, 10, 40, 2, 3), (10, 5, 300, 8, 1), (12, 60, 60, 1, 2),
        (14, 30, 90, 4, 3),
    ],
}  # fmt: skip


def table_of(rows) -> pd.DataFrame:
    return pd.DataFrame([(k + 1, *row) for k, row in enumerate(rows)], columns=COLUMNS)


def drawn(seed: int, count: int, gap: int, most: int, wide: int = 0) -> pd.DataFrame:
    """Jobs by chance; each `wide`-th has all processors. Estimates are whole minutes."""
    rng = np.random.default_rng(seed)
    runtime = rng.choice([5, 20, 45, 60, 130, 300], count) + rng.integers(0, 20, count)
    minutes = -(-runtime * rng.choice([1, 1, 2, 5], count) // 60)
    procs = np.minimum(1 + rng.geometric(3 / most, count), most)
    if wide:
        procs[::wide] = most
    submit = np.cumsum(rng.integers(0, gap, count))
    user = rng.integers(1, 4, count)
    return table_of(zip(submit - submit[0], runtime, 60 * minutes, procs, user, strict=True))


def minutes() -> pd.DataFrame:
    """Jobs by chance whose times are whole minutes, so that many end at the same instant."""
    rng, count = np.random.default_rng(17), 30
    runtime = rng.integers(1, 5, count)
    estimate = runtime * rng.choice([1, 2, 3], count)
    procs = rng.integers(1, 9, count)
    submit = np.sort(rng.integers(0, 40, count))
    times = (60 * (submit - submit[0]), 60 * runtime, 60 * estimate)
    return table_of(zip(*times, procs, rng.integers(1, 4, count), strict=True))


def pairs() -> pd.DataFrame:
    """Jobs of two applications for four nodes of 20 cores."""
    rng = np.random.default_rng(4)
    table = drawn(4, 24, 60, 60)
    table["processors"] = rng.choice([10, 20, 40], len(table))
    return table.assign(app=rng.integers(0, 2, len(table)))


def tables() -> dict[str, pd.DataFrame]:
    made = {name: table_of(rows) for name, rows in WRITTEN.items()}
    made["users"] = drawn(1, 30, 40, 8)
    made["crowd"] = drawn(2, 60, 20, 16)
    made["wide"] = drawn(3, 45, 60, 16, wide=3)
    made["long"] = drawn(5, 150, 22, 64)
    made["minutes"] = minutes()
    made["pairs"] = pairs()
    return made


def twin_of_slurm(run) -> list[int]:
    """The starts on nodes of a processor each."""
    settings = run.dialect.slurm
    site = Site(
        Machine.of_processors(run.processors),
        Priorities(multifactor=False),
        scheduling_of(settings.scheduling, run.reservations),
        memory_counts=False,
    )
    requests = SiteRequests.from_frame(pd.DataFrame(index=range(len(run.jobs))))
    points = len(run.jobs) - ranks(run.policy, run.jobs)[1].astype(float)
    problem = problem_of(site, run.jobs, requests, points, settings.stopping)
    return Controller(problem, settings.phases).simulate()


def twin_starts(rule: Rule, workload: Workload, speeds: np.ndarray) -> list[float]:
    """The starts of a case by the plain program that is its rule's twin."""
    if rule.simulator == "nodes":
        found = nodes.simulate(
            *(co_jobs(workload), shared_nodes(workload.nodes), speeds, SCHEDULERS["easy-co"])
        )
        return found.start.tolist()
    jobs, users = workload.jobs, workload.table["user"].to_numpy()
    if rule.simulator == "predicted":
        return predictions.simulate(jobs, users.tolist(), workload.processors)
    if rule.simulator == "marking":
        machine = Machine.of_processors(workload.processors)
        twin = Twin(Requests(jobs, user=users), machine, MARKING, 0)
        twin.run()
        return [twin.plan.start[job] for job in range(len(jobs))]
    run = run_of(rule, workload)
    if run.dialect.slurm:
        return twin_of_slurm(run)
    if run.dialect.one_pass:
        return one_pass.simulate(run)
    if run.reservations == "every":
        return conservative.simulate(run)
    if run.reservations in ("none", "head"):
        return queue.simulate(run)
    return backfilling.simulate(run)


def write_kit() -> None:
    """Write the workloads and their starts."""
    for name, table in tables().items():
        table.to_csv(FOLDER / "workloads" / f"{name}.csv", index=False)
    np.savetxt(FOLDER / "speeds.csv", [[0.7, 0.9], [0.6, 0.95]], delimiter=",", fmt="%g")
    (FOLDER / "starts.csv").write_text("rule,workload,number,start\n")
    kit, rows = read_kit(), []
    for rule in kit.rules.values():
        for workload in kit.workloads.values():
            if (rule.simulator == "nodes") != bool(workload.nodes):
                continue
            starts = twin_starts(rule, workload, kit.speeds)
            rows += [
                f"{rule.name},{workload.name},{number},{start:.6f}".removesuffix(".000000")
                for number, start in zip(workload.table["number"], starts, strict=True)
            ]
    text = "\n".join(["rule,workload,number,start", *rows]) + "\n"
    (FOLDER / "starts.csv").write_text(text)


if __name__ == "__main__":
    write_kit()
