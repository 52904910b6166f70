"""A Slurm in memory, whose jobs write the marks that their scripts would write."""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from schedlab.slurm.client import Seen, SlurmError, TemporaryError
from schedlab.slurm.interrupts import Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from schedlab.slurm.client import SbatchRequest

BEGIN = 1_795_000_000


@dataclass(frozen=True)
class Fate:
    """The course of a job, in seconds from its submission or its start."""

    wait: float = 0.0  # until it starts, or longer where it depends on others
    prolog: float = 0.0  # from Slurm's start to the script's first line
    run: float = 10.0  # of the command
    epilog: float = 0.0  # from the script's last line to Slurm's end
    unseen: float = 0.0  # until the mark of its good end is seen on other nodes
    code: int = 0  # of its exit
    state: str = ""  # that it ends as, where its exit code alone does not say


@dataclass
class Job:
    """A job of the Slurm in memory."""

    number: int
    request: SbatchRequest
    fate: Fate
    submit: float
    state: str = "PENDING"
    start: float | None = None
    end: float | None = None
    idles: bool = False
    reason: str = "None"

    @property
    def stage(self) -> str:
        return self.request.name.partition(".")[2]

    @property
    def awaits(self) -> list[str]:
        found = re.search(r"^for stage in (.*); do$", self.request.script.read_text(), re.M)
        return found[1].split() if found else []

    @property
    def marks(self) -> Path:
        return self.request.script.parents[1] / "marks"


class Slurm:
    """As `schedlab.slurm.client.Slurm`; the last of the fates is that of all further jobs."""

    def __init__(
        self,
        fates: Sequence[Fate] = (Fate(),),
        lag: float = 0.0,  # of each call
        forgets: float = 300.0,  # after which nothing is known of a job that has ended
        tolerance: float = float("inf"),  # without a client, then a job stops idling
    ) -> None:
        self._tolerance = tolerance
        self.gone_since: float | None = None  # when the client ended
        self._fates = iter([*fates])
        self._last = fates[-1]
        self._clock = float(BEGIN)
        self._lag, self._forgets = lag, forgets
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.by_number: dict[int, Job] = {}
        self.ran: list[str] = []  # stages whose commands have begun
        self.refuses: dict[str, str] = {}  # what sbatch says, by stage
        self.taken: set[str] = set()  # stages that it takes and whose sbatch fails nevertheless
        self.busy: dict[str, list[str]] = {}  # what sbatch says once each, by stage, and refuses
        self.strangers: set[int] = set()  # numbers that belong to other jobs now
        self.silent = 0  # so many calls of squeue go unanswered
        # of a cluster whose order needs no note
        self.settings = {"SchedulerType": "sched/backfill"}
        self.nodes: list[str] = []  # sinfo's lines
        self.test_wait = 0  # seconds until the start that --test-only prints
        self.tested: list[SbatchRequest] = []
        self.accounts = False  # whether there is an accounting
        self.calls = 0
        self.at_call: dict[int, Callable[[], None]] = {}

    def time(self) -> float:
        return self._clock

    def sleep(self, seconds: float) -> None:
        until = self._clock + seconds
        while self._agenda and self._agenda[0][0] <= until:
            self._clock, _, happens = heapq.heappop(self._agenda)
            happens()
        self._clock = until

    def configuration(self) -> dict[str, str]:
        return self.settings

    def submit_from(self, place, variables, shared: int) -> None:
        self.submits_from = place, variables

    def system(self, partition: str | None = None) -> str:
        return f"fake/{partition or 'main'}"

    def partitions(self, names: str | None = None) -> list[str]:
        return self.nodes

    def test_start(self, request: SbatchRequest) -> int:
        self.tested.append(request)
        return int(self._clock) + self.test_wait

    def submit(self, request: SbatchRequest) -> int:
        self.sleep(self._lag)
        number = 101 + len(self.by_number)
        job = Job(number, request, next(self._fates, self._last), self._clock)
        if said := self.refuses.get(job.stage):
            raise SlurmError(f"sbatch: error: {said}")
        if self.busy.get(job.stage):
            raise TemporaryError(f"sbatch: error: {self.busy[job.stage].pop(0)}")
        assert set(request.after) <= self.by_number.keys()
        self.by_number[number] = job
        self._at(job.fate.wait, lambda: self._start(job))
        if job.stage in self.taken:
            raise TemporaryError("sbatch: error: Socket timed out on send/recv operation")
        return number

    def find(self, request: SbatchRequest) -> int:
        jobs = self.by_number.values()
        found = (one.number for one in jobs if one.request.script == request.script)
        return next(found, 0)

    def jobs(self, numbers: Iterable[int]) -> dict[int, Seen]:
        self.sleep(self._lag)
        self.calls += 1
        self.at_call.get(self.calls, lambda: None)()
        if self.silent:
            self.silent -= 1
            raise TemporaryError("squeue: error: Unable to contact slurm controller")
        found = (self.by_number[number] for number in numbers)
        return {job.number: _seen(job) for job in found if not self._forgotten(job)}

    def recorded(self, number: int, request: SbatchRequest) -> Seen | None:
        return _seen(self.by_number[number]) if self.accounts else None

    def exit_code(self, number: int) -> str:
        return f"{self.by_number[number].fate.code}:0"

    def cancel(
        self, requests: Mapping[int, SbatchRequest], pending_only: bool = False
    ) -> tuple[int, ...]:
        for number, request in requests.items():
            job = self.by_number[number]
            assert job.request.script == request.script
            kept = number in self.strangers or (pending_only and job.state != "PENDING")
            if job.end is None and not kept:
                self._end(job, "CANCELLED")
        return tuple(number for number in requests if number in self.strangers)

    def interrupt_at(self, call: int, **how: bool) -> None:
        """Raise what SIGTERM raises at a call of squeue."""

        def interrupt() -> None:
            raise Interrupted(15, **how)

        self.at_call[call] = interrupt

    @property
    def left(self) -> list[str]:
        return [job.stage for job in self.by_number.values() if job.end is None]

    def _at(self, seconds: float, happens: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (self._clock + seconds, next(self._order), happens))

    def _start(self, job: Job) -> None:
        before = [self.by_number[number] for number in job.request.after]
        if job.end is not None:
            return
        if any(one.state not in ("PENDING", "RUNNING", "COMPLETED") for one in before):
            self._end(job, "CANCELLED")
        elif any(one.end is None for one in before):
            self._at(0.25, lambda: self._start(job))
        else:
            job.state, job.start = "RUNNING", self._clock
            self._at(job.fate.prolog, lambda: self._script(job))

    def _script(self, job: Job) -> None:
        if job.end is not None:
            return
        script = job.marks / f"{job.request.script.name.partition('.')[0]}.job"
        if not script.exists():
            script.write_text(f"{job.number}\n")
        missed = [name for name in job.awaits if not (job.marks / f"{name}.done").exists()]
        _mark(job, "began", f"idle {missed[0]}" if missed else "run", self._clock)
        if missed:
            job.idles = True
            self._idle(job)
        else:
            self._command(job)

    def _idle(self, job: Job) -> None:
        if job.end is not None:
            return
        release = job.marks / f"{job.number}.go"
        gone = 0 if self.gone_since is None else self._clock - self.gone_since
        if release.exists():
            self._command(job)
        elif gone > self._tolerance:
            release.write_text(f"{job.awaits[0]} {int(self._clock)}\n")
            _mark(job, "ended", "0", self._clock)
            self._end(job, "COMPLETED")
        elif self._clock - job.start >= 60 * job.request.minutes:
            self._end(job, "TIMEOUT")
        else:
            self._at(1.0, lambda: self._idle(job))

    def _command(self, job: Job) -> None:
        job.idles = False
        self.ran.append(job.stage)
        self._at(job.fate.run, lambda: self._exit(job))

    def _exit(self, job: Job) -> None:
        if job.end is not None:
            return
        fate = job.fate
        if fate.state:
            self._end(job, fate.state)
            return
        if not fate.code:
            self._at(fate.unseen, (job.marks / f"{job.stage}.done").touch)
        _mark(job, "ended", str(fate.code), self._clock)
        self._at(fate.epilog, lambda: self._end(job, "FAILED" if fate.code else "COMPLETED"))

    def _end(self, job: Job, state: str) -> None:
        if job.end is None:
            job.state, job.end = state, self._clock

    def _forgotten(self, job: Job) -> bool:
        return job.end is not None and self._clock - job.end >= self._forgets


def _mark(job: Job, kind: str, words: str, clock: float) -> None:
    (job.marks / f"{job.number}.{kind}").write_text(f"{words} {int(clock)}\n")


def _seen(job: Job) -> Seen:
    times = (None if time is None else int(time) for time in (job.start, job.end))
    return Seen(job.state, int(job.submit), *times, job.reason)
