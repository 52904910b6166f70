"""The scheduler of a run's pool: a thread in which distributed connects workers and gives tasks.

Which worker gets which task is decided by `schedlab.slurm.pool.board`, for distributed knows
neither limits of tasks nor ends of allocations. Its own repetitions are off: an attempt is made
once, and its marks say how it ended.
"""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any, Self

from schedlab.slurm.client import SlurmError
from schedlab.slurm.pool.board import Board, Worker
from schedlab.slurm.pool.credentials import (
    check_installed,
    make_credentials,
    read_credentials,
    write_address,
)
from schedlab.slurm.retries import GivenUpError, is_final
from schedlab.slurm.tasks import TaskMarks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from schedlab.slurm.pool.board import Entry
    from schedlab.slurm.tasks import Task

#: seconds for which the scheduler may start, and seconds until workers may be asked again that
#: refused a task or could not write its marks
START_S, REST_S = 60.0, 10.0
SETTINGS = {
    # the marks, not the scheduler, decide on further attempts
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.work-stealing": False,
    "distributed.comm.timeouts.connect": "10s",
    # workers beat by themselves while tasks run
    "distributed.scheduler.worker-ttl": "2 minutes",
}


class TaskPool:
    """Pool of the workers of one run; a context manager, whose block is the scheduler's life.

    The scheduler listens on the network `interface`, by default that of this machine's address.
    """

    def __init__(
        self,
        folder: Path,
        tasks: Mapping[str, Sequence[Task]],
        interface: str | None = None,
        settle: float = 60.0,
    ) -> None:
        self.board = Board(tasks, TaskMarks(folder), settle)
        #: held while the board is read or changed
        self.lock = threading.RLock()
        self._folder, self._interface = folder, interface
        self._news = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pool", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._error: BaseException | None = None
        self._has_started = threading.Event()
        self._client: Any = None
        self._following: set[asyncio.Task] = set()

    def __enter__(self) -> Self:
        check_installed()
        make_credentials(self._folder)
        self._thread.start()
        if not self._has_started.wait(START_S):
            raise SlurmError(f"{self._folder}: the pool's scheduler has not started")
        self._check()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the scheduler; workers and their tasks go on."""
        if self._loop and self._stop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(START_S)

    def wait(self, seconds: float) -> None:
        """Wait until something has happened to a stage, at most some seconds."""
        self._news.wait(seconds)
        self._news.clear()
        self._check()

    def open(self, stage: str) -> None:
        """Let the tasks of a stage run."""
        with self.lock:
            self.board.open(stage)
        self._place_soon()

    def close(self, stage: str) -> None:
        """Give no more tasks of a stage."""
        with self.lock:
            self.board.close(stage)

    def look(self, has_ended: Callable[[int], bool]) -> None:
        """Read the marks of tasks that lost their connection; `has_ended` is about a job."""
        with self.lock:
            self.board.look(has_ended, time.time())
        self._place_soon()

    def _check(self) -> None:
        """Raise the error that has ended the scheduler; jobs that run are left."""
        if self._error is not None:
            raise GivenUpError(f"the pool's scheduler has ended: {self._error}") from self._error

    def _place_soon(self) -> None:
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._place)

    def _run(self) -> None:
        """Run the scheduler in its thread."""
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # reported by the main thread
            self._error = error
        finally:
            self._has_started.set()
            self._news.set()

    async def _serve(self) -> None:
        """Run the scheduler, and a client of it that gives tasks, until the end."""
        import logging
        import warnings

        import dask
        from distributed import Client, Scheduler
        from distributed.utils import get_ip

        class PoolScheduler(Scheduler):
            def start_http_server(self, *_: Any, **__: Any) -> None:
                """Start none: its pages have no password."""

        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        # without a way to the internet, the address is that of the host's name
        warnings.filterwarnings("ignore", "Couldn't detect a suitable IP address")
        security = read_credentials(self._folder)
        with dask.config.set(SETTINGS):
            async with (
                PoolScheduler(
                    protocol="tls://",
                    # without a host, it would listen on all addresses
                    host=None if self._interface else get_ip(),
                    interface=self._interface,
                    security=security,
                    dashboard=False,
                    plugins=[_plugin(self._join, self._leave)],
                ) as scheduler,
                Client(scheduler.address, security=security, asynchronous=True) as self._client,
            ):
                self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
                await asyncio.to_thread(write_address, self._folder, scheduler.address)
                self._has_started.set()
                await self._stop.wait()
                for task in self._following:
                    task.cancel()

    def _join(self, name: str, address: str, resources: Mapping[str, float]) -> None:
        job, _, node = name.partition(".")
        if not (job.isdigit() and node.isdigit() and {"cores", "end"} <= resources.keys()):
            return
        memory = resources.get("memory")
        worker = Worker(
            *(name, int(job), int(resources["cores"]), float(resources["end"])),
            None if memory is None else int(memory),
            address,
        )
        with self.lock:
            self.board.join(worker)
        self._news.set()
        self._place_soon()

    def _leave(self, address: str) -> None:
        with self.lock:
            self.board.leave(address)
        self._news.set()

    def _place(self) -> None:
        """Give ready tasks to workers with room."""
        with self.lock:
            placed = list(self.board.place(time.time()))
        groups: dict[tuple[str, int], list[tuple[Entry, ...]]] = {}
        for entries, worker in placed:
            groups.setdefault((worker.address, entries[0].task.cores), []).append(entries)
        for (address, cores), bundles in groups.items():
            self._give(address, cores, bundles)

    def _give(self, address: str, cores: int, bundles: Sequence[tuple[Entry, ...]]) -> None:
        """Give bundles of tasks to a worker, and follow each."""
        from schedlab.slurm.pool.runner import run_tasks

        futures = self._client.map(
            run_tasks,
            [entries[0].stage for entries in bundles],
            [[(entry.task, entry.attempt) for entry in entries] for entries in bundles],
            # no key is used twice: the scheduler would return what it knows
            key=[f"{e[0].stage}.{e[0].task.name}-{time.monotonic_ns()}" for e in bundles],
            workers=[address],
            allow_other_workers=False,
            resources={"cores": cores},
            retries=0,
            pure=False,
        )
        for entries, future in zip(bundles, futures, strict=True):
            task = asyncio.create_task(self._follow(entries, entries[0].bundle, future))
            self._following.add(task)
            task.add_done_callback(self._following.discard)

    async def _follow(self, entries: Sequence[Entry], bundle: set[Entry], future: Any) -> None:
        """Wait for the end of a bundle, record it, and give tasks to what is free then."""
        from distributed import wait

        from schedlab.slurm.pool.runner import TaskFailedError

        error: BaseException | None = None
        try:
            await wait([future])
            if future.status != "finished":
                error = await future.exception()
        except (Exception, asyncio.CancelledError) as lost:
            error = lost
        future.release()
        with self.lock:
            if error is None:
                self.board.finish(entries, bundle, time.time())
            # the job may have ended, so that the marks have decided meanwhile
            for entry in [entry for entry in entries if entry.bundle is bundle]:
                if is_final(error):
                    self.board.give_up(entry, str(error))
                    continue
                if not isinstance(error, TaskFailedError):
                    self.board.rest(entry.worker, time.time() + REST_S)
                self.board.lose(entry)
            is_news = error is not None or self.board.is_done(entries[0].stage)
        if is_news:
            self._news.set()
        if not isinstance(error, asyncio.CancelledError):
            self._place()


def _plugin(
    join: Callable[[str, str, Mapping[str, float]], None], leave: Callable[[str], None]
) -> Any:
    """Return a plugin of the scheduler that reports workers which join and leave."""
    from distributed import SchedulerPlugin

    class Reports(SchedulerPlugin):
        name = "schedlab-pool"

        def add_worker(self, scheduler: Any, worker: str) -> None:
            state = scheduler.workers[worker]
            join(str(state.name), worker, dict(state.resources))

        def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:
            leave(worker)

    return Reports()
