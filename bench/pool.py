"""Measure the overhead of the pool: tasks of no length over workers on this machine, by loopback.

    python bench/pool.py --tasks 10000 --workers 4 --cores 2

Each task is what it is on a cluster: a claim, a process of bash, its output file and its mark.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from schedlab.slurm.client_lock import Heartbeat
from schedlab.slurm.pool.task_pool import TaskPool
from schedlab.slurm.tasks import Task, TaskMarks

#: as in the script of a job
WORKER = "import sys; from schedlab.slurm.pool.worker import main; main(sys.argv[1:])"


def start_worker(folder: Path, job: int, cores: int) -> subprocess.Popen:
    """Start a worker as the job of this number does."""
    options = ["--job", str(job), "--end", str(time.time() + 3600), "--tolerance", "600"]
    options += ["--tasks-per-node", str(cores)]
    return subprocess.Popen([sys.executable, "-c", WORKER, str(folder), *options])


def processor_seconds(processes: list[psutil.Process]) -> float:
    """Return the processor seconds of processes, and of those that they started and that ended."""
    return sum(sum(process.cpu_times()[:4]) for process in processes)


def measure(folder: Path, tasks: int, workers: int, cores: int) -> tuple[float, float, float]:
    """Return seconds until all workers have joined, and wall and processor seconds from then on."""
    for name in ("output", "marks"):
        (folder / name).mkdir()
    TaskMarks(folder).prepare("all")
    all_tasks = {"all": tuple(Task(f"t{number}", ":", 60) for number in range(tasks))}
    begin = time.monotonic()
    with Heartbeat(folder), TaskPool(folder, all_tasks) as pool:
        processes = [start_worker(folder, job, cores) for job in range(1, workers + 1)]
        try:
            while len(pool.board.workers) < workers:
                pool.wait(1)
            joined = time.monotonic()
            counted = [psutil.Process(), *(psutil.Process(one.pid) for one in processes)]
            before = processor_seconds(counted)
            pool.open("all")
            while not pool.board.is_done("all"):
                pool.wait(1)
                if pool.board.failed:
                    raise RuntimeError(f"{pool.board.failed[0].task.name} failed")
            seconds = time.monotonic() - joined
            return joined - begin, seconds, processor_seconds(counted) - before
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()


def main() -> None:
    """Print the measured times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--cores", type=int, default=2, help="Cores of each worker.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        started, seconds, used = measure(Path(folder), given.tasks, given.workers, given.cores)
        done, attempts = TaskMarks(Path(folder)).scan("all")
    each = 1000 * seconds / given.tasks
    print(
        f"{given.tasks:,} tasks of no length over {given.workers} workers of {given.cores} cores "
        f"on {os.cpu_count()} processors: {seconds:.1f} s, {each:.2f} ms a task, "
        f"{1000 * used / given.tasks:.2f} ms of a processor each; "
        f"workers had joined after {started:.1f} s; {len(done):,} done marks, "
        f"{sum(attempts.values()):,} claims"
    )


if __name__ == "__main__":
    main()
