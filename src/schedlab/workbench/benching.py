"""Speed of the kernels on this machine, for model workloads, in some seconds."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.schedulers import SCHEDULERS
from schedlab.cosched.simulation import CoJobs, CoRun, simulate_many
from schedlab.files.progress import counted
from schedlab.learning.trials import simulate_trials
from schedlab.learning.tuples import tuple_at
from schedlab.learning.weights.mixed import evaluate, grid, scales_of
from schedlab.planning.search import search
from schedlab.planning.settings import Planning, Search
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.bench_workloads import invented_pool, model, plan_of
from schedlab.workloads import lublin

PROCESSORS, JOBS = 256, 10_000
SECONDS = 0.3
#: policy, order of backfilling ("-": strict order, "every": a reservation for each job), label
QUEUES = (
    ("fcfs", "-", "strict order, order at rest"),
    ("fcfs", "fcfs", "EASY, order at rest"),
    ("f1", "fcfs", "EASY, order at rest"),
    ("saf", "spf", "EASY, order at rest"),
    ("wfp3", "wfp3", "EASY, order moves along lines"),
    ("unicef", "unicef", "EASY, order moves along lines"),
    ("r - 0.1 * w", "r - 0.1 * w", "EASY, order moves anyhow"),
    ("fcfs", "every", "conservative"),
)
TRIALS, PLAN, ITERATIONS, NODES = 20_000, 1000, 200, 420


@dataclass(frozen=True)
class Case:
    """Kernel run to be timed.

    `count` is the number of units (jobs, trials, iterations) per run; `run` performs one run.
    """

    kernel: str
    unit: str
    count: int
    run: Callable[[], object]


def bench(seconds: float = SECONDS, jobs: int = JOBS) -> pd.DataFrame:
    """Measure the speed of every kernel on this machine.

    Parameters
    ----------
    seconds : float
        Duration for each case; each case runs at least three times.
    jobs : int
        Number of model jobs of a queue, at least 1,000.

    Returns
    -------
    DataFrame
        Columns kernel, unit, count (of a run), per_second (median of the repeats), slowest and
        fastest (per second), repeats.

    Raises
    ------
    ValueError
        There are too few jobs, or the duration is not positive.
    """
    if jobs < 1000:
        raise ValueError(f"{jobs} jobs are too few to time, must be at least 1,000")
    if not seconds > 0:
        raise ValueError(f"{seconds} s are no time, must be more than 0")
    timed_cases = cases(jobs)
    rows = []
    with counted("kernels", len(timed_cases)) as advance:
        for case in timed_cases:
            rates = _rates(case, seconds)
            middle = statistics.median(rates)
            head = (case.kernel, case.unit, case.count)
            rows.append((*head, middle, min(rates), max(rates), len(rates)))
            advance()
    columns = ["kernel", "unit", "count", "per_second", "slowest", "fastest", "repeats"]
    return pd.DataFrame(rows, columns=columns)


def cases(count: int = JOBS) -> list[Case]:
    """Return the cases to time, for a number of model jobs."""
    jobs = model(count, PROCESSORS)
    return [
        *(_queue(jobs, *queue) for queue in QUEUES),
        _mixed(jobs),
        _trials(jobs),
        *(_nodes(name) for name in ("easy", "easy-co", "filler")),
        *(_plan(mode) for mode in ("aggregate", "nodes")),
        Case(
            "Lublin-Feitelson model",
            "jobs",
            count,
            lambda: lublin.generate(count, PROCESSORS, generator("bench", "draw")),
        ),
    ]


def _queue(jobs: Jobs, primary: str, backfill: str, what: str) -> Case:
    """Return the case of a queue under a policy."""
    orders = [get(primary)] if backfill in ("-", "every") else [get(primary), get(backfill)]
    settings = {"reservations": "every"} if backfill == "every" else {}
    run = Run(jobs, PROCESSORS, *orders, **settings)
    names = "/".join(dict.fromkeys(order.label for order in orders))
    return Case(f"queue {names}, {what}", "jobs", len(jobs), lambda: simulate(run))


def _mixed(jobs: Jobs) -> Case:
    """Return the case of one week under 402 mixed policies."""
    week = jobs.take(np.flatnonzero(jobs.submit < 7 * 86400))
    weights, scales = grid(21), scales_of([week], PROCESSORS)[:3]
    return Case(
        f"queue under {len(weights)} mixed policies at once",
        "jobs",
        len(weights) * len(week),
        lambda: evaluate(week, PROCESSORS, weights, scales, None),
    )


def _trials(jobs: Jobs) -> Case:
    """Return the case of permutations of a tuple."""
    tuples = [tuple_at(jobs, len(jobs) // 2)]
    return Case(
        "trials of 32 permuted jobs",
        "trials",
        TRIALS,
        lambda: simulate_trials(tuples, PROCESSORS, TRIALS, range(1), threads=1),
    )


def _nodes(name: str) -> Case:
    """Return the case of a co-scheduler on nodes, with all jobs waiting at the start."""
    procs, times, speedup = invented_pool()
    app = generator("bench", "nodes", 1000).integers(0, len(procs), 1000)
    alone = times[app]
    jobs = CoJobs(np.arange(1000), np.zeros(1000), app, procs[app], alone, 1.4 * alone)
    run = CoRun(jobs, shared_nodes(NODES), speedup, SCHEDULERS[name])
    return Case(f"nodes {name}, {NODES} nodes", "jobs", 1000, lambda: simulate_many([run]))


def _plan(mode: str) -> Case:
    """Return the case of random search on a plan."""
    plan = plan_of(PLAN, Planning(mode=mode, search=Search(every=300)))
    return Case(
        f"search on a plan of {PLAN} jobs, {mode}",
        "iterations",
        ITERATIONS,
        lambda: search(plan, ITERATIONS, ("bench", mode)),
    )


def _rates(case: Case, seconds: float) -> list[float]:
    """Return the rate per second of each repeat, after one warm-up run."""
    case.run()
    rates, end = [], time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        case.run()
        rates.append(case.count / (time.perf_counter() - begin))
    return rates
