"""Runs in which a policy chooses one waiting job at a time: neural policies, and commitment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from schedlab.kernels.queue.choices import run_choices
from schedlab.policies import get
from schedlab.policies.features import KnownJobs, table_of
from schedlab.policies.neural import NeuralPolicy

if TYPE_CHECKING:
    from schedlab.queue.simulation import Run

#: rules of the kernel
STRICT, EASY, COMMIT = range(3)


def serves(run: Run) -> bool:
    """Return whether a run chooses one job at a time."""
    return run.dialect.commits or isinstance(run.policy, NeuralPolicy)


def accepts(run: Run) -> str | None:
    """Return why such a run cannot be simulated; None if it can."""
    dialect, who = run.dialect, f"policy '{run.policy.name}'"
    if not replace(dialect, commits=False).plain:
        if dialect.commits:
            return f"dialect {dialect.name}: rlscheduler has no switch but ties"
        return f"dialect {dialect.name} knows no neural policies such as {who}"
    if dialect.commits:
        who = f"dialect {dialect.name}"
    if run.reservations not in ("none", "head"):
        return f"{who} knows no reservations {run.reservations}: none or head"
    if run.backfill and run.backfill != run.policy:
        return f"{who} has no order of backfilling, '{run.backfill.name}' was given"
    for name, value in (("threshold", run.threshold), ("head", run.head or None)):
        if value is not None:
            return f"{who} does not support {name}={value}"
    if len(run.closures):
        return f"{who} has a machine that does not change"
    return None


def starts(run: Run) -> np.ndarray:
    """Return start times; int64 of shape (n,).

    A neural policy sees the waiting jobs of smallest estimate, as in RLScheduler.
    """
    jobs, policy = run.jobs, run.policy
    scores, program, network, seen, seed = np.zeros((2, len(jobs))), None, None, 1, None
    table, moving = np.zeros((0, 1), dtype=np.float32), [-1, -1, -1]
    if isinstance(policy, NeuralPolicy):
        scores[0] = get("spt").scores(jobs)
        # those of learners are often transposed
        network = [(np.ascontiguousarray(k), np.ascontiguousarray(b)) for k, b in policy.layers]
        seen, seed = policy.window, policy.seed
        known = KnownJobs(jobs, run.processors, policy.owners, policy.largest)
        table, moving = table_of(known, policy.features)
    elif policy.order == "static":
        scores[0] = policy.scores(jobs)
    else:
        program = policy.program.op, policy.program.constant
    easy = EASY if run.reservations == "head" else STRICT
    start, faulty, wait = run_choices(
        jobs.submit,
        jobs.runtime,
        jobs.estimate,
        jobs.procs,
        run.processors,
        COMMIT if run.dialect.commits else easy,
        run.reservations == "head",
        run.dialect.ties == "lifo",
        scores,
        program,
        network,
        table,
        moving,
        seen,
        seed,
    )
    if faulty >= 0:
        policy.scores(jobs.take([faulty]), wait=wait)
    return start
