"""The workloads that the benchmarks run on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from schedlab.core import splitting
from schedlab.core.jobs import Jobs
from schedlab.traces.archive import archive_folders, find_local
from schedlab.traces.cleaning import clean
from schedlab.traces.registry import read_registry
from schedlab.traces.swf import read_swf
from schedlab.workbench.bench_workloads import crowd, model

ROOT = Path(__file__).parents[1]


def _log(name: str, rules: str) -> Jobs:
    """Whole log, cleaned.

    Raises
    ------
    FileNotFoundError
        It is in no folder of SCHEDLAB_ARCHIVE.
    """
    registry = read_registry(
        ROOT / "config" / "traces.tsv", ROOT / "workflow" / "schemas" / "traces.schema.yaml"
    )
    path = find_local(registry[name], archive_folders())
    if path is None:
        raise FileNotFoundError(f"{name} is in no folder of SCHEDLAB_ARCHIVE")
    frame, _ = clean(read_swf(path).jobs, rules, name)
    return Jobs.from_frame(frame).rebased()


def lub() -> Jobs:
    """10,000 jobs of the Lublin–Feitelson model on 256 processors, estimates exact."""
    return _log("lublin-256-train10k", "full_actual")


def lubx() -> Jobs:
    """The same with estimates of 1 to 7 times the run time."""
    jobs = lub()
    estimate = jobs.runtime * (1 + jobs.number % 7)
    return Jobs(jobs.number, jobs.submit, jobs.runtime, estimate, jobs.procs)


def wagap() -> Jobs:
    """Three months of CERIT-SC on 2,176 processors."""
    return _log("wagap-2013", "full_estimate")


def in_weeks(jobs: Jobs) -> list[Jobs]:
    """Weeks of the jobs, without the first and the last, which are cut."""
    week = splitting.periods(jobs.submit, splitting.WEEK)
    return [jobs.take(week == number).rebased() for number in np.unique(week)[1:-1]]


def model_weeks() -> tuple[list[Jobs], int]:
    """Weeks of model jobs, and their machine."""
    return in_weeks(model(10_000)), 256


def log_weeks(name: str, processors: int) -> tuple[list[Jobs], int]:
    """Every fifth week of a log, and its machine."""
    return in_weeks(_log(name, "full_estimate"))[::5], processors


WORKS: dict[str, tuple[Callable[[], Jobs], int]] = {
    "lub": (lub, 256),
    "lubx": (lubx, 256),
    "wagap": (wagap, 2176),
    "wagap14": (wagap, 1400),
    "lublin": (lambda: _log("lublin-256", "full_actual"), 256),
    "SDSC-SP2": (lambda: _log("SDSC-SP2", "full_estimate"), 128),
    "HPC2N": (lambda: _log("HPC2N", "full_estimate"), 240),
    "model-1e4": (lambda: model(10_000), 256),
    "model-1e5": (lambda: model(100_000), 256),
    "model-1e6": (lambda: model(1_000_000), 256),
    "crowd-1e4": (lambda: crowd(10_000), 100),
    "crowd-1e5": (lambda: crowd(100_000), 100),
}
WEEKS: dict[str, Callable[[], tuple[list[Jobs], int]]] = {
    "model": model_weeks,
    "SDSC-SP2": lambda: log_weeks("SDSC-SP2", 128),
    "SDSC-BLUE": lambda: log_weeks("SDSC-BLUE", 1152),
}


def find_work(work: str) -> tuple[str, Jobs, int]:
    """Return name, jobs and processors of a work, or model jobs if its log is not available."""
    make, processors = WORKS[work]
    try:
        return work, make(), processors
    except FileNotFoundError:
        return f"{work} (model jobs)", model(10_000, processors), processors
