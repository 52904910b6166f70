"""Queues of a real Slurm at some moments, its own predictions of starts, and what happened."""

from __future__ import annotations

import gzip
import json
import re
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from recording_case import FOLDER, Recording
from schedlab.core.jobs import Jobs
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.site_forecast import RUNS, Past, forecast, futures, past_of_jobs
from schedlab.workbench.site_queue import SiteQueue, load_site_queue

ASKED = Path(__file__).parent / "asked"
#: errors of all predictions, as `errors_of` has them
ERRORS = ASKED / "errors.csv"
SQUEUE, SBATCH = "squeue --start", "sbatch --test-only"
LIMITS = "why, all jobs until their limits"
EVEN = "why, run times drawn evenly"
PAST = "why, run times as of past jobs"
HELD = ", held"
EXPERIMENTS = sorted(folder.name for folder in ASKED.iterdir() if folder.is_dir())


def seconds(text: str) -> int:
    """Return a local time on the clock of queues."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def predictions(folder: Path, runs: int = RUNS) -> pd.DataFrame:
    """Return starts by several means, less what happened, of every job that waited at a moment.

    ``sbatch --test-only`` was asked before the job's submission: it is at the first moment alone.
    Columns of `EVEN` and `PAST` with `HELD` state whether the interval has what happened.
    """
    rows = []
    for name in EXPERIMENTS:
        asked = Asked(name)
        numbers = {name: job for job, name in asked.runs["name"].items()}
        tested = {numbers[row["name"]]: asked.tested(row) for row in asked.tests}
        for moment in asked.moments:
            queue, planned = asked.queue(moment, folder), asked.predicted(moment)
            past = asked.past(queue.now + queue.origin - asked.zero)
            even, drawn = (
                forecast(queue, futures(queue, each, runs, 0, 1)) for each in (None, past)
            )
            for job in np.flatnonzero(~queue.runs):
                number = queue.entries["id"][job]
                starts = {
                    SQUEUE: planned.get(number, np.nan),
                    SBATCH: tested.pop(number, np.nan),
                    LIMITS: even.latest[job] + queue.origin,
                    EVEN: even.interval(job)[1] + queue.origin,
                    PAST: drawn.interval(job)[1] + queue.origin,
                }
                happened = asked.happened(number)
                row = {key: start - happened for key, start in starts.items()}
                for key, made in ((EVEN, even), (PAST, drawn)):
                    low, _, high = made.interval(job)
                    row[key + HELD] = low <= happened - queue.origin <= high
                rows.append(row)
    return pd.DataFrame(rows)


def errors_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the errors of each mean, in seconds, over what squeue and what sbatch predicted."""
    rows = []
    for question in (SQUEUE, SBATCH):
        part = table[table[question].notna()]
        for name in (question, LIMITS, EVEN, PAST):
            error = part[name]
            row = {"predictions": len(part), "median_error": error.abs().median()}
            row |= {"mean_error": error.abs().mean(), "median_late": error.median()}
            row["held"] = 100 * part[name + HELD].mean() if name + HELD in part else np.nan
            rows.append({"where": question, "by": name} | row)
    return pd.DataFrame(rows).round(0)


class Asked:
    """A recording of what was asked of a real Slurm while jobs of an experiment ran."""

    def __init__(self, name: str) -> None:
        self.site = FOLDER / name
        with gzip.open(ASKED / name / "asked.jsonl.gz", "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.moments = [row for row in rows if row.get("squeue")]
        self.tests = [row for row in rows if "test" in row]
        self.runs = pd.read_csv(ASKED / name / "run.csv", dtype={"job": str}).set_index("job")

    def write(self, moment: dict, folder: Path) -> list[Path]:
        """Write what was read at a moment as files; return squeue, sshare, node and sprio."""
        paths = [folder / f"{name}.txt" for name in ("squeue", "sshare", "node", "sprio")]
        for path in paths:
            path.write_text(moment[path.stem])
        return paths

    def queue(self, moment: dict, folder: Path) -> SiteQueue:
        squeue, sshare, node, _ = self.write(moment, folder)
        files = [self.site / "sacctmgr.txt", sshare]
        return load_site_queue(
            squeue,
            lambda origin: read_site(self.site / "slurm.conf", files, more=[node], origin=origin),
        )

    @cached_property
    def zero(self) -> int:
        """Second 0 of the runs on the clock of queues."""
        moment = self.moments[3]
        job, *_, submit = moment["squeue"].splitlines()[0].split("|")[:7]
        return seconds(submit) - int(self.runs["submit"][job])

    def happened(self, job: str) -> int:
        return int(self.runs["start"][job]) + self.zero

    def predicted(self, moment: dict) -> dict[str, int]:
        """Return Slurm's own predictions of a moment."""
        pairs = (line.split("|") for line in moment["start"].splitlines())
        return {job: seconds(start) for job, start in pairs if start != "N/A"}

    def tested(self, row: dict) -> int:
        """Return the start that Slurm answered before a submission."""
        return seconds(re.search(r"to start at (\S+)", row["test"])[1])

    def past(self, until: int) -> Past:
        """Return what the jobs that ended before a second tell."""
        jobs = Recording(self.site.name, 2).frame().set_index("number")
        runs = self.runs[(self.runs["end"] >= 0) & (self.runs["end"] < until)]
        jobs = jobs.loc[runs["name"].str.removeprefix("j").astype(int)].reset_index()
        runtime = (runs["end"] - runs["start"]).to_numpy()
        submit = runs["submit"].to_numpy()
        jobs = jobs.assign(runtime=runtime, submit=submit, after="")
        return past_of_jobs(Jobs.from_frame(jobs).rebased())
