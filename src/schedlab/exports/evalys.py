"""Schedules as Batsim's table of jobs, which Evalys reads.

References
----------
Batsim's documentation, "Jobs" among its outputs (the columns in their order) and "Interval set
string representation"; Evalys, ``JobSet.from_csv``.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, Schedule
from schedlab.files.io import whole
from schedlab.queue.processor_lanes import Lanes, first_fit

WORKLOAD, DONE, UNKNOWN = "w0", "COMPLETED_SUCCESSFULLY", -1


def write_evalys(path: str | Path, jobs: Jobs, schedule: Schedule, processors: int) -> None:
    """Write a schedule as a jobs.csv, times in seconds.

    The queue engine assigns no individual processors: `allocated_resources` are from
    `schedlab.queue.processor_lanes.first_fit`, whose ValueError it raises. Energy is unknown, -1 as
    in Batsim; no job is killed.
    """
    execution = schedule.end - schedule.start
    turnaround = schedule.end - jobs.submit
    # a job of zero length has no stretch; its value stays empty
    stretch = turnaround / np.where(execution > 0, execution, np.nan)
    columns = {
        "job_id": jobs.number,
        "workload_name": WORKLOAD,
        "profile": execution,
        "submission_time": jobs.submit,
        "requested_number_of_resources": jobs.procs,
        "requested_time": jobs.estimate,
        "success": 1,
        "final_state": DONE,
        "starting_time": schedule.start,
        "execution_time": execution,
        "finish_time": schedule.end,
        "waiting_time": schedule.start - jobs.submit,
        "turnaround_time": turnaround,
        "stretch": stretch,
        "consumed_energy": UNKNOWN,
        "allocated_resources": intervals(first_fit(jobs, schedule, processors), len(jobs)),
        "metadata": "",
    }
    with whole(path) as part:
        pd.DataFrame(columns).to_csv(part, index=False)


def intervals(lanes: Lanes, count: int) -> list[str]:
    """Return the processors of each of `count` jobs as an interval set: "0-3 7"."""
    pieces_by_job: list[list[str]] = [[] for _ in range(count)]
    for job, low, height in zip(
        lanes.job.tolist(), lanes.low.tolist(), lanes.height.tolist(), strict=True
    ):
        pieces_by_job[job].append(f"{low}-{low + height - 1}" if height > 1 else f"{low}")
    return [" ".join(pieces) for pieces in pieces_by_job]
