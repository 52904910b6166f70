"""Hand-made rows, clean jobs and runs of klusacek2016."""

from __future__ import annotations

import numpy as np
import pandas as pd

from schedlab.studies.klusacek2016.evidence import Evidence
from schedlab.studies.klusacek2016.sheet import PlanSettings

#: a row of the sheet
CELLS = {
    "experiment": "toy", "source": "TOY", "intervals": None, "piece": None, "factor": 1,
    "memory": None, "mode": "aggregate", "users": "recorded", "midnight": 0, "queues": "limits",
    "cycle": None, "schedulers": ("orig-bf", "plan-rs"), "seeds": 2, "iterations": 50, "every": 1,
    "scope": "machine", "fairness": 10,
}  # fmt: skip
#: what tables and figures are told of a row
SHOWN = {
    "experiment": "toy", "label": "HPC2N set 1", "source": "HPC2N", "users": "recorded",
    "mode": "aggregate", "queues": "limits", "is_model": False, "processors": 10,
    "intervals": "simulated", "factor": 1, "cycle": None, "iterations": 50, "scope": "machine",
}  # fmt: skip


def settings(**cells) -> PlanSettings:
    """Return settings with some cells of their own."""
    return PlanSettings(**CELLS | cells)


def clean_jobs(submit, runtime, **columns) -> pd.DataFrame:
    """Return clean jobs, numbered from 1, of one processor and their run time as estimate."""
    jobs = pd.DataFrame({"submit": submit, "runtime": runtime})
    jobs = jobs.assign(number=np.arange(1, len(jobs) + 1), estimate=jobs["runtime"], procs=1)
    jobs = jobs.assign(user=1, wait=-1, requested_memory=-1, queue_name="", node_spec="")
    jobs = jobs.assign(**columns)
    return jobs.assign(requested_time=columns.get("requested_time", jobs["estimate"]))


def evidence(orig, *plans, counted=True, row=(), **columns) -> Evidence:
    """Runs by waits under Orig-BF and Plan-RS; by default 100 s on one processor at 0."""
    jobs = pd.DataFrame({"job": np.arange(1, len(orig) + 1)})
    own = {"user": jobs["job"], "procs": 1, "runtime": 100, "submit": 0} | columns
    jobs = jobs.assign(**own, counted=counted)
    jobs["requested"] = columns.get("requested", jobs["runtime"])
    jobs["usage"] = columns.get("usage", jobs["procs"] * jobs["runtime"])
    submit = jobs.pop("submit")
    jobs["recorded"] = columns.get("recorded", submit)
    runs = [("orig-bf", 0, orig), *(("plan-rs", seed, waits) for seed, waits in enumerate(plans))]
    starts = [
        pd.DataFrame(
            {
                "scheduler": scheduler,
                "seed": seed,
                "job": jobs["job"],
                "submit": submit,
                "start": np.where(np.asarray(waits) < 0, -1, submit + np.asarray(waits)),
            }
        )
        for scheduler, seed, waits in runs
    ]
    return Evidence(shown(dict(row)), jobs, pd.concat(starts, ignore_index=True))


def shown(row) -> dict:
    """Return what tables and figures are told of a row; its names are those of a log by default."""
    cells = SHOWN | row
    return {"name": cells["label"], "workload": cells["source"]} | cells


def missing_evidence(**row) -> Evidence:
    one = evidence([0], [0])
    return Evidence(shown(row), one.jobs.iloc[:0], one.starts.iloc[:0])
