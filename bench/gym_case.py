"""Time decisions of environments in one call, and print the record as JSON.

usage: python bench/gym_case.py WORK DIALECT ORDER THREADS MEMORY REPEATS [LIMIT]

WORK is a workload of works.py, or waiting-<n>: n jobs that wait from the beginning. DIALECT may end
with ``-strict``. MEMORY is copy or zero-copy. First no job is chosen, until long queues wait. Then
any of the jobs that can be chosen is, and steps are timed, in which each episode sees 128 jobs.
LIMIT is the compiled C limit, which simulates the jobs of an episode first come first served.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from case import write_text
from record import print_record
from works import crowd, find_work

from schedlab.core.jobs import Jobs
from schedlab.gym import QueueVectorEnv
from schedlab.workbench.log import Log

EPISODES = 128
JOBS = 8192
#: so few that no queue runs short; with commitment a decision may start many jobs
STEPS, COMMITMENTS = 300, 25
#: decisions for no job before
WARM_UP = 3000


def log_of(jobs: Jobs, processors: int) -> Log:
    """A log of these jobs."""
    nothing = pd.DataFrame(columns=["jobs", "core_hours", "jobs_share", "hours_share"])
    return Log(Path("bench"), "-", processors, jobs.to_frame(), jobs, nothing, nothing, (), ())


def workload(work: str) -> tuple[str, Jobs, int, int]:
    """Name, jobs, processors and episodes."""
    if not work.startswith("waiting-"):
        work, jobs, processors = find_work(work)
        return work, jobs, processors, EPISODES
    jobs = crowd(int(float(work.partition("-")[2])))
    return work, replace(jobs, submit=np.zeros(len(jobs), dtype=np.int64)), 100, 16


def choose(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Any of the jobs that can be chosen, in each episode."""
    return (mask[:, :-1] * (1 + rng.random(mask[:, :-1].shape, np.float32))).argmax(axis=1)


def time_steps(envs: QueueVectorEnv, windows: list[tuple[int, int]], steps: int) -> float:
    """Decisions per second."""
    rng, seconds = np.random.default_rng(1), 0.0
    observation, _ = envs.reset(options={"windows": windows})
    for _ in range(WARM_UP * (not observation["jobs"][:, -1].any())):
        mask = observation["mask"]
        none = np.where(mask[:, -1], mask.shape[1] - 1, mask.argmax(axis=1))
        observation, *_ = envs.step(none)
    for _ in range(steps):
        actions = choose(observation["mask"], rng)
        begin = time.perf_counter()
        observation, _, over, _, _ = envs.step(actions)
        seconds += time.perf_counter() - begin
        if over.any() or not observation["jobs"][:, -1].any(axis=1).all():
            sys.exit("an episode does not see as many jobs as it can")
    return envs.num_envs * steps / seconds


def limit_rate(limit: str, jobs: Jobs, processors: int, strict: bool) -> float:
    """Jobs per second of the C limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.txt"
        write_text(jobs, path)
        command = [limit, "easy", str(path), str(processors), "3", "fcfs"]
        command.append("-strict" if strict else "fcfs")
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split(" jobs/s")[0].split()[-1])


def main(
    work: str, dialect: str, order: str, threads: str, memory: str, repeats: str, limit: str = ""
) -> None:
    """Run the case and print its record."""
    name, _, strict = dialect.partition("-")
    work, jobs, processors, count = workload(work)
    log, last = log_of(jobs, processors), max(len(jobs) - JOBS, 0)
    windows = [(first, min(first + JOBS, len(jobs))) for first in range(0, last + 1, 64)]
    if work.startswith("waiting-"):
        windows = [(0, len(jobs))]
    windows = [windows[place % len(windows)] for place in range(count)]
    envs = QueueVectorEnv(
        log,
        count,
        threads=int(threads),
        copy=memory == "copy",
        windows=windows,
        order=order,
        dialect=name,
        reservations="none" if strict else "head",
    )
    rates, limits = [], []
    for _ in range(int(repeats)):
        rates.append(time_steps(envs, windows, COMMITMENTS if name == "rlscheduler" else STEPS))
        if limit:
            part = jobs.take(slice(*windows[0])).rebased()
            limits.append(limit_rate(limit, part, processors, bool(strict)))
    kernel = f"decisions {dialect}, {order} of 128, {memory}"
    print_record(kernel, work, windows[0][1] - windows[0][0], int(threads), rates, limits)


if __name__ == "__main__":
    main(*sys.argv[1:])
