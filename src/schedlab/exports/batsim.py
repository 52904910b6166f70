"""Batsim workloads (JSON) of jobs with fixed lengths: writer.

References
----------
Batsim's documentation, "Workload" among its inputs. Names of profile types changed with version 5.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import write_text

#: name of a profile of fixed length in each dialect
DELAY = {"4": "delay", "5": "DelayProfile"}


def write_batsim(path: str | Path, jobs: Jobs, processors: int, dialect: str = "4") -> None:
    """Write a workload of delay profiles, one per run time.

    Batsim stops a job at its walltime, which is its estimate. A job that runs as long as its
    estimate ends at the right time, but Batsim reports that it reached its walltime. The machine's
    processors are ``nb_res``. The dialect is Batsim's version: "5", or "4" for all versions up to
    4.

    Raises ValueError if the dialect is unknown, or two jobs have the same number. Or a job has a
    run time or an estimate of 0, which Batsim refuses, or a run time above its estimate, where
    Batsim would stop it. The message names the job.
    """
    if dialect not in DELAY:
        raise ValueError(f"unknown dialect '{dialect}' of Batsim; one of {', '.join(DELAY)}")
    for faulty, problem in (
        (jobs.runtime < 1, "runs for 0 s: Batsim's delays are above 0"),
        (jobs.runtime > jobs.estimate, "runs past its estimate: Batsim would stop it there"),
        (pd.Series(jobs.number).duplicated().to_numpy(), "comes twice"),
    ):
        if faulty.any():
            raise ValueError(f"{path}: job {jobs.number[np.argmax(faulty)]} {problem}")
    rows = zip(
        *(column.tolist() for column in (jobs.number, jobs.submit, jobs.estimate, jobs.procs)),
        jobs.runtime.tolist(),
        strict=True,
    )
    workload = {
        "nb_res": processors,
        "jobs": [
            {"id": str(number), "subtime": s, "walltime": e, "res": n, "profile": str(r)}
            for number, s, e, n, r in rows
        ],
        "profiles": {
            str(r): {"type": DELAY[dialect], "delay": r} for r in np.unique(jobs.runtime).tolist()
        },
    }
    write_text(json.dumps(workload), path)
