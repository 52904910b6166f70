"""Distances between real runs of a site's slice, and from its simulation to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Site
from schedlab.queue.site_run import simulate_site
from schedlab.queue.slurm_site import Phases

#: runs: on the real Slurm; simulated with passes at periods, and at the recorded times
REAL, PHASES, PASSES = "real", "phases", "passes"
LABELS = {
    REAL: "two real runs",
    PHASES: "simulation, phases averaged",
    PASSES: "simulation, recorded passes",
}
#: number of phases, and by how much of a period they differ
PARTS = 6
#: recorded of a job: seconds from the planned to the real submission, wait, and seconds that it ran
#: longer than planned
RECORDED = ("repetition", "number", "late", "wait", "over")


class SliceRun(NamedTuple):
    """Waits of a run in the order of the slice's jobs; `repetition` has its submissions."""

    kind: str
    repetition: int
    phase: int
    waits: np.ndarray


def jobs_of(jobs: pd.DataFrame, recorded: pd.DataFrame) -> Jobs:
    """Return the slice's jobs with submissions and run times of a repetition."""
    submit = jobs["submit"] + recorded["late"]
    frame = jobs.assign(
        submit=submit - min(0, submit.min()), runtime=jobs["runtime"] + recorded["over"]
    )
    columns = ("number", "submit", "runtime", "estimate", "procs")
    return Jobs(*(frame[name].to_numpy() for name in columns), requests=Requests.from_frame(frame))


def phases_of(site: Site) -> list[Phases]:
    """Return phases that divide the periods of backfilling and priorities alike."""
    periods = site.scheduling.bf_interval, site.priorities.calc_period
    return [
        Phases(backfill=part * periods[0] // PARTS, priority=part * periods[1] // PARTS)
        for part in range(PARTS)
    ]


def runs_of(
    site: Site, jobs: pd.DataFrame, recorded: pd.DataFrame, passes: pd.DataFrame
) -> list[SliceRun]:
    """Return the real runs and the simulated ones of the same submissions and run times.

    `recorded` has columns `RECORDED`, `passes` times of backfill passes by repetition. Raises
    ValueError if a repetition has other jobs than the slice.
    """
    runs = []
    for repetition, rows in recorded.groupby("repetition"):
        rows = rows.reset_index(drop=True)
        if rows["number"].tolist() != jobs["number"].tolist():
            raise ValueError(f"repetition {repetition} has other jobs than the slice: record it")
        runs.append(SliceRun(REAL, repetition, 0, rows["wait"].to_numpy()))
        submitted = jobs_of(jobs, rows)
        times = tuple(passes.loc[passes["repetition"] == repetition, "time"].tolist())
        cases = [(PHASES, phases) for phases in phases_of(site)]
        for kind, phases in [*cases, (PASSES, Phases(passes=times))]:
            start = simulate_site(site, submitted, phases, stopping=0).start
            if (start < 0).any():
                raise ValueError(f"job {submitted.number[start < 0][0]} never starts in the slice")
            waits = start - submitted.submit
            runs.append(SliceRun(kind, repetition, phases.backfill, waits))
    return runs


def pairs_of(runs: Sequence[SliceRun]) -> Iterator[tuple[str, SliceRun, SliceRun]]:
    """Yield what is compared: each two real runs, and a simulation with its repetition."""
    real = {run.repetition: run for run in runs if run.kind == REAL}
    for one, other in combinations(real.values(), 2):
        yield REAL, one, other
    for run in runs:
        if run.kind != REAL:
            yield run.kind, real[run.repetition], run


def distances_of(site: Site, jobs: pd.DataFrame, runs: Sequence[SliceRun]) -> pd.DataFrame:
    """Return a row for each pair of runs.

    Columns: kind, repetition, other (repetition or phase); mean, median and ninetieth percentile of
    the absolute differences of waits in s; near: jobs that differ by two passes at most; same:
    whether groups of QOS are in the same order by mean wait.
    """
    two_passes = 2 * site.scheduling.bf_interval
    rows = []
    for kind, one, other in pairs_of(runs):
        apart = np.abs(one.waits - other.waits)
        rows.append(
            {
                "kind": kind,
                "repetition": one.repetition,
                "other": other.repetition if kind == REAL else other.phase,
                "mean": apart.mean(),
                "median": float(np.median(apart)),
                "p90": float(np.percentile(apart, 90)),
                "near": int((apart <= two_passes).sum()),
                "same": order_of(jobs, one) == order_of(jobs, other),
            }
        )
    return pd.DataFrame(rows)


def order_of(jobs: pd.DataFrame, run: SliceRun) -> str:
    """Return the QOS in the order of their mean waits, the shortest first."""
    means = pd.Series(run.waits).groupby(jobs["qos"].to_numpy()).mean()
    return " < ".join(means.sort_values(kind="stable").index)


def waits_by_qos(jobs: pd.DataFrame, runs: Sequence[SliceRun]) -> pd.DataFrame:
    """Return mean waits in s: a row for each run and QOS, and one of all jobs ("all")."""
    rows = []
    for run in runs:
        means = pd.Series(run.waits).groupby(jobs["qos"].to_numpy()).mean()
        for qos, wait in {**means.to_dict(), "all": run.waits.mean()}.items():
            rows.append((run.kind, run.repetition, run.phase, qos, float(wait)))
    return pd.DataFrame(rows, columns=["kind", "repetition", "phase", "qos", "wait"])


def slice_table(distances: pd.DataFrame, waits: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each kind of pairs, with means over its pairs."""
    rows = []
    every = waits[waits["qos"] == "all"]
    for kind, label in LABELS.items():
        part = distances[distances["kind"] == kind]
        wait = every.loc[every["kind"] == kind, "wait"]
        rows.append(
            {
                "compared": label,
                "pairs": len(part),
                "mean wait (s)": wait.mean(),
                "low": wait.min(),
                "high": wait.max(),
                "waits apart (s)": part["mean"].mean(),
                "median": part["median"].mean(),
                "90 %": part["p90"].mean(),
                "within two passes": part["near"].mean(),
                "same order of QOS": f"{part['same'].sum()} of {len(part)}",
            }
        )
    return pd.DataFrame(rows)


def slice_findings(
    site: Site, jobs: pd.DataFrame, distances: pd.DataFrame, waits: pd.DataFrame
) -> Mapping[str, Any]:
    """Return what the text on the slice is filled from."""
    mean = distances.groupby("kind")["mean"].mean()
    every = waits[waits["qos"] == "all"].groupby("kind")["wait"].mean()
    simulated = distances[distances["kind"] != REAL]
    return {
        "jobs": len(jobs),
        "nodes": len(site.machine),
        "processors": site.machine.processors,
        "repetitions": distances["repetition"].nunique() if len(distances) else 0,
        "apart": mean.to_dict(),
        "wait": every.to_dict(),
        "far": {kind: 100 * (every[kind] / every[REAL] - 1) for kind in (PHASES, PASSES)},
        "ratio": {kind: mean[kind] / mean[REAL] for kind in (PHASES, PASSES)},
        "same": int(simulated["same"].sum()),
        "compared": len(simulated),
    }
