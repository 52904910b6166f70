"""Hold a simulator to recordings of a real Slurm, by how far two real runs are apart.

A recording is a folder with slurm.conf, sacctmgr.txt, submissions.csv, and a table ``run*.csv`` per
repetition, as in tests/recordings. No simulator has the exact starts of a real run, because two
real runs differ: passes come at other seconds, and ends are late by some. So distances are
compared.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.workbench.conformance.checking import (
    SimulatorError,
    read_starts,
    run_command,
    submits_of,
    words_of,
)

#: what a command may name
PLACEHOLDERS = {
    "workload": "the jobs as CSV: number, submit, runtime, estimate (s), and what sbatch was given",
    "site": "the folder of the recording: slurm.conf, sacctmgr.txt, gres.conf, events.csv",
    "out": "the file to write: CSV with the columns number and start",
}
#: a simulator may be so many times as far from a real run as another real run is
FARTHEST = 1.25
#: a simulator must start this share of the jobs that start in a real run
LEAST = 0.5
MINUTE = 60


@dataclass(frozen=True)
class Distance:
    """How far a simulator is from the runs of a recording, and how far these are from each other.

    Both are means of the absolute difference of waits in seconds, over jobs that start in both and
    over pairs. `why` says what failed; then `apart` is unknown.
    """

    recording: str
    jobs: int
    apart: float
    real_apart: float
    why: str = ""

    @property
    def is_near(self) -> bool:
        """Whether it is at most `FARTHEST` times as far as real runs are from each other."""
        return self.apart <= FARTHEST * self.real_apart


def measure_recordings(
    folder: Path, command: str, timeout: float = 60.0, advance: Callable[[], object] | None = None
) -> list[Distance]:
    """Run a simulator on each repetition of the recordings of a folder, and measure distances.

    It runs with the recorded submissions and run times of a repetition, and is compared with that
    one. Raises ValueError if the folder has no recording with two repetitions, or the command has
    an unknown placeholder.
    """
    words = words_of(command, PLACEHOLDERS)
    recordings = recordings_in(folder)
    if not recordings:
        raise ValueError(f"{folder}: no folder with submissions.csv, run1.csv and run2.csv")
    distances = []
    for recording in recordings:
        distances.append(_measure(recording, words, timeout))
        if advance:
            advance()
    return distances


def recordings_in(folder: Path) -> list[Path]:
    """Return the recordings of a folder that have two repetitions or more."""
    places = sorted(path.parent for path in folder.glob("*/submissions.csv"))
    return [place for place in places if len(list(place.glob("run*.csv"))) > 1]


def _measure(recording: Path, words: list[str], timeout: float) -> Distance:
    submissions = pd.read_csv(recording / "submissions.csv", dtype=str, keep_default_na=False)
    runs = [_starts_of(path) for path in sorted(recording.glob("run*.csv"))]
    pairs = combinations((run["start"] - run["submit"] for run in runs), 2)
    real = float(np.mean([_apart(one, other) for one, other in pairs]))
    apart = []
    for run in runs:
        table = _workload_of(run, submissions)
        try:
            simulated = _run(words, recording, table, timeout)
        except SimulatorError as error:
            return Distance(recording.name, len(table), np.nan, real, str(error))
        starts = run.set_index("number")["start"].dropna()
        both = int(simulated.reindex(starts.index).notna().sum())
        if both < LEAST * len(starts):
            why = f"starts {both} of the {len(starts)} jobs that start in the real run"
            return Distance(recording.name, len(table), np.nan, real, why)
        apart.append(_apart(simulated, starts))
    return Distance(recording.name, len(submissions), float(np.mean(apart)), real)


def _run(words: list[str], recording: Path, table: pd.DataFrame, timeout: float) -> pd.Series:
    """Return the starts that a simulator writes, by job number."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        table.to_csv(folder / "workload.csv", index=False)
        values = {"workload": folder / "workload.csv", "out": folder / "starts.csv"}
        run_command(words, values | {"site": recording.resolve()}, timeout)
        return read_starts(folder / "starts.csv", submits_of(table), all_start=False)


def _starts_of(path: Path) -> pd.DataFrame:
    """Return number, name, submit, start and run time of the jobs of a repetition.

    A job that is requeued counts with its first submission, and its last start and run time.
    """
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table = table[table["job"].str.isdigit() & (table["name"] != "")]
    first, last = (table.groupby("job", sort=False).nth(k).set_index("job") for k in (0, -1))
    times = last[["start", "end"]].apply(pd.to_numeric)
    jobs = pd.DataFrame({
        "number": first.index.astype("int64"),
        "name": first["name"],
        "submit": first["submit"].astype("int64"),
        "start": times["start"],
        "runtime": times["end"] - times["start"],
        "is_whole": last["state"] != "PREEMPTED",
    })  # fmt: skip
    return jobs.set_index("name", drop=False)


def _apart(one: pd.Series, other: pd.Series) -> float:
    """Return the mean absolute difference of the starts that both have."""
    return float((one - other).abs().mean())


def _workload_of(run: pd.DataFrame, submissions: pd.DataFrame) -> pd.DataFrame:
    """Return what a simulator is given: recorded times, and the words of sbatch."""
    given = submissions.set_index("name").loc[run["name"]]
    known = run["is_whole"] & run["runtime"].notna()
    slept = given["runtime"].astype("int64")
    return (
        given.drop(columns=["runtime", "limit_min", "time"])
        .assign(
            number=run["number"],
            submit=run["submit"],
            runtime=run["runtime"].where(known, slept).astype("int64"),
            estimate=MINUTE * given["limit_min"].astype("int64"),
        )
        .reset_index()
        .sort_values(["submit", "number"], ignore_index=True)
    )
