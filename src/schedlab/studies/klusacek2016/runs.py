"""Run the experiments of klusacek2016: each scheduler with each seed on the requests of a log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule
from schedlab.core.machine import Machine
from schedlab.files.resume import compute_missing_parts, digest_of
from schedlab.files.threads import over_threads
from schedlab.planning.requests import Requests, shares
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning, Scheduler
from schedlab.studies.klusacek2016.evidence import runs_of
from schedlab.studies.klusacek2016.intervals import (
    AT_ONCE,
    NoIntervalError,
    cut_interval,
    divide_times,
)
from schedlab.studies.klusacek2016.sheet import (
    BY_ARRIVAL,
    BY_LIMITS,
    PAPER,
    REACT,
    RECORDED_WAITS,
    WITH_BACKLOG,
    PlanSettings,
)
from schedlab.studies.klusacek2016.users.batches import batches_of
from schedlab.studies.klusacek2016.users.machines import PlannedMachine
from schedlab.studies.klusacek2016.users.reacting import react, replay
from schedlab.studies.klusacek2016.users.requests import Demand, requests_of

#: counters of a run, in the order of its record
COUNTS = ("searches", "iterations", "evaluated", "accepted", "updates", "most_planned", "synthetic")
#: columns of a job that do not depend on the schedule
OF_JOBS = ("job", "user", "procs", "requested", "runtime", "usage", "counted", "recorded")
#: columns of the tables that `run_all` returns
OF_RUNS = {"scheduler": "str"} | dict.fromkeys(("seed", "job", "submit", "start"), "int64")
OF_COUNTS = {"scheduler": "str"} | dict.fromkeys(("seed", *COUNTS), "int64")


@dataclass(frozen=True, eq=False)
class Workload:
    """Input of an experiment: requests on a machine, and what the log recorded.

    `demand` has the requests of the log that fit on the machine. `counted` is False for jobs that
    ran or waited when an interval began: their waits do not count.
    """

    settings: PlanSettings
    machine: Machine
    demand: Demand
    counted: np.ndarray

    @classmethod
    def of(
        cls,
        settings: PlanSettings,
        jobs: pd.DataFrame,
        machine: Machine,
        simulated: pd.DataFrame | None = None,
    ) -> Workload:
        """Take the jobs of a log, or of the row's interval of the log."""
        return cls.of_demand(settings, demand_of(settings, jobs, machine), machine, simulated)

    @classmethod
    def of_demand(
        cls,
        settings: PlanSettings,
        demand: Demand,
        machine: Machine,
        simulated: pd.DataFrame | None,
    ) -> Workload:
        """Take the requests of a log, from `demand_of`, or of the row's interval of the log."""
        needs = settings.intervals not in (None, RECORDED_WAITS)
        if needs and simulated is None:
            raise ValueError(
                f"experiment '{settings.experiment}': its intervals are {settings.intervals}, "
                "which needs waits simulated on the whole log"
            )
        counted = np.ones(len(demand.jobs), dtype=bool)
        if settings.intervals and len(demand.jobs):
            where = (settings.piece, simulated, settings.intervals == WITH_BACKLOG)
            demand, counted = cut_interval(demand, *where)
        requests = divide_times(demand.requests, settings.factor)
        if settings.queues != BY_LIMITS:
            first = requests.queue == AT_ONCE
            requests = replace(requests, queue=np.where(first, AT_ONCE, 0))
        return cls(settings, machine, replace(demand, requests=requests), counted)

    def __len__(self) -> int:
        return len(self.demand.jobs)

    def jobs(self) -> pd.DataFrame:
        """Return one row per job with the columns `OF_JOBS`."""
        requests, jobs = self.demand.requests, self.demand.jobs
        ran = requests.jobs
        usage = shares(requests, self.machine) * ran.runtime
        requested = -(-jobs["requested_time"] // self.settings.factor)
        known = (jobs["number"], jobs["user"], jobs["procs"], requested)
        columns = (*known, ran.runtime, usage, self.counted, ran.submit)
        return pd.DataFrame(dict(zip(OF_JOBS, columns, strict=True))).reset_index(drop=True)

    def inputs(self) -> pd.DataFrame:
        """Return one row per job with all columns that the runs depend on."""
        requests = self.demand.requests
        waited = self.demand.jobs["wait"].to_numpy()
        return requests.jobs.to_frame().assign(**requests.columns, waited=waited)

    def run(self, scheduler: Scheduler, seed: int) -> tuple[np.ndarray, np.ndarray, tuple]:
        """Run once; return submit and start of each job (-1: did not happen), and `COUNTS`."""
        schedule, session = self._run_scheduler(scheduler, seed)
        counts = session.schedule().extras["counts"] | {"synthetic": schedule.extras["synthetic"]}
        return schedule.extras["submit"], schedule.start, tuple(counts[name] for name in COUNTS)

    def moves(self, seed: int) -> pd.DataFrame:
        """Return the accepted moves of Random Search, as in `PlanSession.schedule`."""
        return self._run_scheduler("plan-rs", seed)[1].schedule().extras["moves"]

    def _run_scheduler(self, scheduler: Scheduler, seed: int) -> tuple[Schedule, PlanSession]:
        settings, requests = self.settings, self.demand.requests
        key = (PAPER, settings.experiment, seed, *([settings.piece] if settings.piece else []))
        session = PlanSession(self.machine, settings.planning(scheduler), key)
        machine = PlannedMachine(session, self._ordered_by(scheduler))
        submit = requests.jobs.submit
        if settings.users != REACT:
            return replay(machine, submit), session
        waited = self.demand.jobs["wait"].clip(lower=0).to_numpy()
        ended = submit + waited + requests.jobs.runtime
        batches = batches_of(requests.user, submit, ended, settings.source)
        return react(machine, batches, submit, settings.midnight), session

    def _ordered_by(self, scheduler: Scheduler) -> Requests:
        """Return the requests, all of one user if Orig-BF orders jobs by arrival."""
        requests = self.demand.requests
        if scheduler != "orig-bf" or self.settings.queues != BY_ARRIVAL:
            return requests
        return replace(requests, user=np.zeros(len(requests), dtype=np.int64))


def demand_of(settings: PlanSettings, jobs: pd.DataFrame, machine: Machine) -> Demand:
    """Return the requests of the clean jobs of a log that fit by node."""
    by_node = Planning(mode="nodes")
    return requests_of(jobs, machine, by_node, settings.source, settings.memory)


def run_all(
    workload: Workload, part: Path, code: str, threads: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run every scheduler with every seed; an interrupted call resumes after its last run."""
    runs = workload.settings.runs if len(workload) else []
    n = len(workload)
    facts = [workload.inputs().to_csv(), repr(workload.machine), repr(workload.settings)]
    shared = digest_of(facts).hex()
    digests = [digest_of([shared, *run]) for run in runs]
    fields = [("submit", "<i8", (n,)), ("start", "<i8", (n,)), ("counts", "<i8", (len(COUNTS),))]

    def compute(places: list[int]) -> list[tuple]:
        return over_threads(lambda place: workload.run(*runs[place]), places, threads)

    results = []
    if runs:
        results = compute_missing_parts(part, fields, digests, compute, threads, "runs", code=code)
    names = pd.DataFrame(runs, columns=["scheduler", "seed"])
    times = {name: np.array([one[name] for one in results]).ravel() for name in ("submit", "start")}
    rows = names.loc[names.index.repeat(n)].reset_index(drop=True)
    starts = rows.assign(job=np.tile(workload.jobs()["job"], len(runs)), **times)
    counts = pd.DataFrame([one["counts"] for one in results], columns=list(COUNTS))
    return starts.astype(OF_RUNS), names.join(counts).astype(OF_COUNTS)


COLUMNS = {"piece": "int64", "scheduler": "str", "seed": "int64", "jobs": "int64"}
COLUMNS |= dict.fromkeys(["wait", "slowdown"], "float64")


def run_periods(
    settings: PlanSettings,
    jobs: pd.DataFrame,
    machine: Machine,
    simulated: pd.DataFrame | None,
    threads: int,
    progress: Callable[[], object] | None = None,
) -> pd.DataFrame:
    """Run the most contended intervals of a log, from the first to the row's `piece`."""
    demand = demand_of(settings, jobs, machine)
    pieces = range(1, settings.piece + 1) if len(demand.jobs) else []

    def measured(piece: int) -> list[tuple]:
        row = replace(settings, piece=piece)
        try:
            workload = Workload.of_demand(row, demand, machine, simulated)
        except NoIntervalError:
            return []
        jobs, rows = workload.jobs(), []
        for scheduler, seed in row.runs:
            submit, start, _ = workload.run(scheduler, seed)
            columns = {"scheduler": scheduler, "seed": seed, "submit": submit, "start": start}
            (_, _, ran), *_ = runs_of(jobs, pd.DataFrame(columns), machine.processors)
            means = float(ran.wait.mean()), float(ran.slowdown.mean())
            rows.append((piece, scheduler, seed, len(ran.jobs), *means))
        return rows

    rows = [row for rows in over_threads(measured, pieces, threads, progress) for row in rows]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)
