"""Random small workloads and machines for the kernels' tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run

STATIC = ("fcfs", "spt", "saf", "f1", "f3", "lqf", "-s", "srf")
LINEAR = ("wfp3", "unicef", "lexp", "sexp")
GENERAL = ("r - 0.3 * w", "-((w + r) / r)**0.5 * n", "max(r, 20) / (1 + w)")


def with_exact_estimates(jobs: Jobs) -> Jobs:
    """The same jobs with estimates that hold."""
    return replace(jobs, estimate=np.maximum(jobs.estimate, np.maximum(jobs.runtime, 1)))


@st.composite
def workloads(draw, processors: int = 8, least_estimate: int = 1, most: int = 40) -> Jobs:
    """Few jobs, times below a minute (honest estimates: three), and many ties to meet rules."""
    count = draw(st.integers(1, most))
    seed = draw(st.integers(0, 2**32 - 1))
    spread = draw(st.sampled_from([0, 1, 5, 30]))
    honest = draw(st.booleans())
    rng = np.random.default_rng(seed)
    submit = np.cumsum(rng.integers(0, spread + 1, count))
    runtime = rng.integers(0, draw(st.sampled_from([3, 12, 60])) + 1, count)
    estimate = runtime * rng.integers(1, 4, count) if honest else rng.integers(0, 60, count)
    procs = rng.integers(1, processors + 1, count)
    if draw(st.booleans()):
        procs = np.minimum(2 ** rng.integers(0, 4, count), processors)
    return Jobs(
        np.arange(1, count + 1),
        submit,
        runtime,
        np.maximum(estimate, least_estimate),
        procs,
    )


@st.composite
def session_runs(
    draw,
    processors: int = 8,
    most: int = 30,
    kinds: tuple[str, ...] = ("none", "fit", "head", "3", "every"),
) -> Run:
    """Runs of every kind that a session knows: all reservations, both ties, moving orders."""
    reservations = draw(st.sampled_from(kinds))
    jobs = draw(workloads(processors, most=most))
    names = st.sampled_from(STATIC + LINEAR) | st.sampled_from(GENERAL)
    options = {}
    if reservations == "every":
        jobs = with_exact_estimates(jobs)
        options["compression"] = draw(st.sampled_from(["none", "completion", "instant"]))
    else:
        options["threshold"] = draw(st.none() | st.integers(0, 60))
        options["head"] = draw(st.sampled_from([0, 0, 3]))
    if reservations in ("fit", "head", "3"):
        options["backfill"] = get(draw(names))
    return Run(
        jobs,
        processors,
        get(draw(names)),
        dialect=DIALECTS[draw(st.sampled_from(["full", "lifo"]))],
        reservations=reservations,
        **options,
    )


def session_of(run: Run, room: int = 1) -> QueueSession:
    """A session of the run's kind, nothing submitted."""
    return QueueSession(
        run.processors,
        run.policy,
        run.backfill,
        run.dialect,
        run.head,
        run.threshold,
        room,
        run.reservations,
        run.compression,
    )
