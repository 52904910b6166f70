"""A worker of a pool: the process that a job of Slurm runs on each of its nodes.

It connects to the scheduler of the run, again after each loss of it, and gets tasks. It ends when
its allocation ends, or when it has nothing to do and the run's client is gone for longer than the
stage's tolerance.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import signal
import tempfile
import time
import warnings
from contextlib import suppress
from pathlib import Path

import dask
from distributed import Worker
from distributed.comm.addressing import get_address_host
from distributed.utils import get_ip

from schedlab.slurm.client_lock import heartbeat_age
from schedlab.slurm.pool.credentials import read_address, read_credentials
from schedlab.slurm.pool.runner import RUNNER, TaskRunner
from schedlab.slurm.tasks import worker_name

#: seconds between two attempts to connect, for one attempt, and between two looks at the heartbeat
RETRY_S, CONNECT_S, LOOK_S = 1.0, 20.0, 5.0
#: seconds before the end of the allocation at which an idle worker ends
LAST_S = 3.0
#: no time for statistics
SETTINGS = {"distributed.worker.profile.enabled": False}
#: names by which a worker states its cores, its memory in MB and its end, as resources
CORES, MEMORY, END = "cores", "memory", "end"


class PoolWorker(Worker):
    """Worker of distributed whose tasks go on when it closes; they leave their marks."""

    def start_http_server(self, *_, **__) -> None:
        """Start none: its pages have no password."""

    async def close(self, *arguments, **options) -> str | None:
        """Close, and do not wait for tasks."""
        return await super().close(*arguments, **options | {"executor_wait": False})


class Service:
    """Service of one worker: connections to the scheduler, one after the other."""

    def __init__(
        self, folder: Path, runner: TaskRunner, cores: int, memory: int | None, tolerance: float
    ) -> None:
        self._folder, self._runner, self._tolerance = folder, runner, tolerance
        self._name = worker_name(runner.job, runner.node)
        self._resources = {CORES: cores, END: runner.end}
        if memory is not None:
            self._resources[MEMORY] = memory
        self._threads = cores
        self._ends = asyncio.Event()

    async def serve(self) -> None:
        """Serve until the allocation ends, a signal arrives, or the client is gone."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._terminate)
        watch = asyncio.create_task(self._watch())
        while not self._ends.is_set():
            with suppress(OSError, asyncio.TimeoutError, ValueError):
                await self._connect()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._ends.wait(), RETRY_S)
        await watch

    async def _connect(self) -> None:
        """Serve one scheduler as long as it is there."""
        if (address := read_address(self._folder)) is None:
            return
        with tempfile.TemporaryDirectory() as scratch:
            worker = PoolWorker(
                address,
                # that which reaches the scheduler, else it would listen on all addresses
                host=get_ip(get_address_host(address)),
                name=self._name,
                nthreads=self._threads,
                resources=self._resources,
                memory_limit=0,
                dashboard=False,
                local_directory=scratch,
                security=read_credentials(self._folder),
            )
            try:
                await asyncio.wait_for(worker, CONNECT_S)
                over = asyncio.create_task(self._ends.wait())
                gone = asyncio.create_task(worker.finished())
                await asyncio.wait([over, gone], return_when=asyncio.FIRST_COMPLETED)
                over.cancel()
                gone.cancel()
            finally:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(worker.close(timeout=5), 10)

    async def _watch(self) -> None:
        """Request the end when nothing is left to do here."""
        probe = self._folder / "marks" / f"{self._runner.job}.idle"
        while not self._ends.is_set():
            if not self._runner.is_busy:
                if time.time() >= self._runner.end - LAST_S:
                    self._ends.set()
                age = await asyncio.to_thread(_age, self._folder, probe)
                if age is not None and abs(age) > self._tolerance:
                    print(f"no heartbeat of the client for more than {self._tolerance:g} s: ends")
                    self._ends.set()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._ends.wait(), LOOK_S)

    def _terminate(self) -> None:
        """End with all tasks: the job is cancelled."""
        self._runner.stop()
        self._ends.set()


def cores_on_node(tasks_per_node: str, width: int, node: int) -> int:
    """Return the cores of a job on one of its nodes, from SLURM_TASKS_PER_NODE.

    >>> [cores_on_node("4(x2),1", 2, node) for node in range(3)]
    [8, 8, 2]
    """
    counts: list[int] = []
    for part in tasks_per_node.split(","):
        match = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", part)
        if match is None:
            raise ValueError(f"SLURM_TASKS_PER_NODE is {tasks_per_node!r}")
        counts += [int(match[1])] * int(match[2] or 1)
    return counts[node] * width


def main(arguments: list[str]) -> None:
    """Run a worker in a job of Slurm."""
    parser = argparse.ArgumentParser(prog="schedlab.slurm.pool.worker", description=__doc__)
    parser.add_argument("folder", type=Path, help="Folder of the run.")
    parser.add_argument("--job", type=int, required=True, help="Number of the job.")
    parser.add_argument("--node", type=int, default=0, help="Number of the node in the job.")
    parser.add_argument("--end", type=float, required=True, help="Seconds since 1970.")
    parser.add_argument("--tasks-per-node", required=True, help="SLURM_TASKS_PER_NODE of the job.")
    parser.add_argument("--width", type=int, default=1, help="Cores of each of these tasks.")
    parser.add_argument("--memory-per-node", type=int, help="SLURM_MEM_PER_NODE, in MB.")
    parser.add_argument("--memory-per-core", type=int, help="SLURM_MEM_PER_CPU, in MB.")
    parser.add_argument("--tolerance", type=float, required=True, help="Seconds without client.")
    given = parser.parse_args(arguments)
    cores = cores_on_node(given.tasks_per_node, given.width, given.node)
    memory = given.memory_per_node
    if given.memory_per_core is not None:
        memory = given.memory_per_core * cores
    # 0 is all memory of the node, which is not known here
    runner = TaskRunner(given.folder, given.job, given.node, given.end)
    RUNNER.append(runner)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", "Couldn't detect a suitable IP address")
    dask.config.set(SETTINGS)
    asyncio.run(Service(given.folder, runner, cores, memory or None, given.tolerance).serve())


def _age(folder: Path, probe: Path) -> float | None:
    """Return the age of the client's heartbeat by the clock of the file's server."""
    with suppress(OSError):
        probe.touch()
    return heartbeat_age(folder, probe)
