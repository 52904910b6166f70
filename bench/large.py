"""Time and memory of each stage from a log's file to its metrics, by number of jobs.

    python bench/large.py FOLDER TABLE JOBS...

Every stage runs in a process of its own and leaves its files in FOLDER for the next one, as the
jobs of the workflow do. TABLE is replaced; docs/large.tsv is the one of the documentation.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv
from rich.console import Console

from schedlab.comparison.runs import columns_of, compare_schedulers
from schedlab.comparison.settings import ContestSettings
from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import compute_metrics
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet, whole, write_parquet
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.traces import archive
from schedlab.traces.cleaning import Cleaning
from schedlab.traces.fields import read_fields
from schedlab.traces.registry import LogEntry
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.swf import DTYPES, Header, write_swf
from schedlab.workbench.log import load_log
from schedlab.workloads.lublin import generate
from schedlab.workloads.users import with_users

#: the log is of many groups of users, each with the jobs of the model on a machine of this size
PROCESSORS = 256
GROUP_JOBS = 45_000  # somewhat more than a year
GROUP_USERS = 10
#: shares of jobs that cleaning drops or changes
CANCELLED, OVERRUN = 0.02, 0.03
#: fields of a dump, its time zone, and Unix time of its first day
DUMPED = (
    "JobID|JobIDRaw|User|Account|Partition|Submit|Eligible|Start|End|Elapsed|State|NCPUS|Timelimit"
)
ZONE, FIRST_DAY = "Europe/Paris", 1_500_000_000
LINES = 500_000  # that are written at a time
COLUMNS = ["number", "submit", "runtime", "estimate", "procs"]


def groups_of(jobs: int) -> int:
    """Return the number of groups of a log."""
    return max(1, jobs // GROUP_JOBS)


def draw_group(group: int, jobs: int) -> dict[str, np.ndarray]:
    """Return the jobs of one group by field, in 32 bits."""
    rng = generator("bench", "large", group)
    frame = with_users(generate(jobs, PROCESSORS, rng), GROUP_USERS, rng)
    runtime = frame["runtime"].to_numpy().clip(min=1)
    requested = runtime * rng.integers(1, 8, jobs)
    overrun = rng.random(jobs) < OVERRUN
    requested[overrun] = np.maximum(runtime[overrun] - 30, 1)
    runtime[rng.random(jobs) < CANCELLED] = 0
    fields = {
        "submit": frame["submit"].to_numpy(),
        "runtime": runtime,
        "procs": frame["procs"].to_numpy(),
        "requested_time": requested,
        "user": frame["user"].to_numpy() + group * GROUP_USERS,
        "group": np.full(jobs, group),
    }
    return {name: values.astype(np.int32) for name, values in fields.items()}


def draw_jobs(jobs: int) -> pd.DataFrame:
    """Return the jobs of all groups by submit time."""
    count = groups_of(jobs)
    sizes = [jobs // count + (place < jobs % count) for place in range(count)]
    parts = [draw_group(group, size) for group, size in enumerate(sizes)]
    columns = {name: np.concatenate([part.pop(name) for part in parts]) for name in list(parts[0])}
    order = np.argsort(columns["submit"], kind="stable")
    columns = {name: values[order] for name, values in columns.items()}
    return pd.DataFrame(columns, copy=False)


def make_log(folder: Path, jobs: int) -> None:
    """Write a log of the model with users, compressed."""
    frame, count = draw_jobs(jobs), groups_of(jobs)
    unknown = np.broadcast_to(np.int32(-1), jobs)
    numbers = np.arange(1, jobs + 1, dtype=np.int32)
    known = {"number": numbers, "requested_procs": frame["procs"], "status": unknown}
    for name in DTYPES:
        if name not in frame:
            frame[name] = known.get(name, unknown)
    header = Header((" Version: 2.2", f" MaxProcs: {PROCESSORS * count}", " UnixStartTime: 0"))
    write_swf(folder / "archive/large.swf.gz", frame, header, level=1)


def make_dump(folder: Path, jobs: int) -> None:
    """Write the same jobs as sacct prints them, in local times of Paris; six in ten wait."""
    frame, rng = draw_jobs(jobs), generator("bench", "large", "dump")
    states = np.array(["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1000"])
    options = arrow_csv.WriteOptions(include_header=False, delimiter="|", quoting_style="none")
    with whole(folder / "dump.txt") as part, part.open("wb") as file:
        file.write(f"{DUMPED}\n".encode())
        for first in range(0, jobs, LINES):
            rows = frame.iloc[first : first + LINES]
            submit = FIRST_DAY + rows["submit"].to_numpy(dtype=np.int64)
            start = submit + rng.integers(0, 100_000, len(rows)) * (rng.random(len(rows)) < 0.6)
            runtime = rows["runtime"].to_numpy(dtype=np.int64)
            number = np.arange(first + 1, first + 1 + len(rows))
            submitted = clock(submit)
            columns = [
                *(
                    number,
                    number,
                    texts("user", rows["user"]),
                    texts("account", rows["group"] % 99),
                ),
                *(texts("part", rows["group"] % 7), submitted, submitted, clock(start)),
                *(clock(start + runtime), spans(runtime), rng.choice(states, len(rows))),
                *(rows["procs"].to_numpy(), spans(rows["requested_time"].to_numpy())),
            ]
            arrow_csv.write_csv(pa.table(columns, names=DUMPED.split("|")), file, options)


def texts(word: str, numbers: pd.Series) -> pa.Array:
    """Return names of owners by their numbers."""
    return pc.binary_join_element_wise(word, pa.array(numbers).cast(pa.string()), "")


def clock(seconds: np.ndarray) -> pa.Array:
    """Return local times of Unix seconds."""
    times = pa.array(seconds.astype("datetime64[s]")).cast(pa.timestamp("s", "UTC"))
    return pc.strftime(times.cast(pa.timestamp("s", ZONE)), "%Y-%m-%dT%H:%M:%S")


def spans(seconds: np.ndarray) -> pa.Array:
    """Return durations as Slurm writes them."""
    days, rest = np.divmod(seconds, 86_400)
    time = pc.strftime(pa.array(rest.astype("datetime64[s]")), "%H:%M:%S")
    with_days = pc.binary_join_element_wise(pa.array(days).cast(pa.string()), time, "-")
    return pc.if_else(pa.array(days > 0), with_days, time)


def import_dump(folder: Path, jobs: int) -> None:
    """Make a log and a ledger of the dump."""
    size = PROCESSORS * groups_of(jobs)
    read = read_sacct(folder / "dump.txt", timezone=ZONE, processors=size)
    write_swf(folder / "imported.swf", read, read.header)
    read.fates.write(folder / "imported.csv")


def fetch(folder: Path, jobs: int) -> None:
    """Find the log in the archive's folder, unpack it and check its checksum and its count."""
    size = PROCESSORS * groups_of(jobs)
    entry = LogEntry("large", "large.swf", (), None, None, "", "", size, jobs)
    report = archive.fetch(entry, [folder / "archive"], folder / "large.swf", None)
    with whole(folder / "large.json") as part:
        part.write_text(f'{{"written": "{report.sha256}"}}\n')


def clean(folder: Path, _jobs: int) -> None:
    """Clean the log, with a ledger."""
    fields = read_fields(folder / "large.swf", None, False)
    process = Cleaning("full_estimate", "large", fields.unix_start)
    frame, ledger = process.all_of(fields.parts)
    write_parquet(frame, folder / "jobs.parquet")
    write_parquet(ledger, folder / "ledger.parquet")


def jobs_in(folder: Path) -> Jobs:
    """Return the clean jobs."""
    return Jobs.from_frame(read_parquet(folder / "jobs.parquet", columns=COLUMNS)).rebased()


def run(policy: str, folder: Path, jobs: int) -> None:
    """Simulate the log under a policy with EASY backfilling."""
    clean_jobs = jobs_in(folder)
    settings = Run(clean_jobs, PROCESSORS * groups_of(jobs), get(policy), reservations="head")
    start = simulate(settings).start
    write_parquet(pd.DataFrame({"start": start}, copy=False), folder / f"{policy}.parquet")


def measure(policy: str, folder: Path, jobs: int) -> None:
    """Compute every metric of a schedule."""
    clean_jobs = jobs_in(folder)
    users = read_parquet(folder / "jobs.parquet", columns=["user"])["user"].to_numpy()
    start = read_parquet(folder / f"{policy}.parquet")["start"].to_numpy()
    schedule = Schedule(start, start + clean_jobs.runtime)
    end = int(clean_jobs.submit[-1]) + 1
    size = PROCESSORS * groups_of(jobs)
    metrics = compute_metrics(clean_jobs, users, schedule, size, 0, end)
    write_parquet(pd.DataFrame([metrics]), folder / f"{policy}.metrics.parquet")


def compare(folder: Path, jobs: int) -> None:
    """Compare both in the windows of the arena, a week each."""
    settings = ContestSettings(
        experiment="large",
        source="large",
        processors=PROCESSORS * groups_of(jobs),
        days=7,
        schedulers=("fcfs", "f1"),
        tau=10,
    )
    frame = read_parquet(folder / "jobs.parquet", columns=columns_of(settings, {}))
    advice = {"late_days": 1}
    found = compare_schedulers(settings, frame, {}, {}, 0, advice, threads=2)
    write_parquet(found.results, folder / "windows.parquet")


def load(folder: Path, _jobs: int) -> None:
    """Read and clean the compressed log for the command line, in one step."""
    load_log(folder / "archive/large.swf.gz")


STAGES: dict[str, Callable[[Path, int], None]] = {
    "generate": make_log,
    "generate sacct's table": make_dump,
    "import sacct's table": import_dump,
    "fetch and check": fetch,
    "clean": clean,
    "EASY-FCFS": partial(run, "fcfs"),
    "EASY-F1": partial(run, "f1"),
    "metrics of EASY-FCFS": partial(measure, "fcfs"),
    "metrics of EASY-F1": partial(measure, "f1"),
    "arena, windows of a week": compare,
    "load on the command line": load,
}


def timed(stage: str, folder: Path, jobs: int) -> tuple[float, float, float]:
    """Run a stage in a new process; return seconds, CPU seconds and peak GB."""
    begin = time.perf_counter()
    process = get_context("spawn").Process(target=STAGES[stage], args=(folder, jobs))
    process.start()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{stage} failed")
    cpu = usage.ru_utime + usage.ru_stime
    return time.perf_counter() - begin, cpu, usage.ru_maxrss / 1e6


def main() -> None:
    """Run every stage for every number of jobs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("jobs", type=lambda text: int(float(text)), nargs="+")
    parser.add_argument("--stages", nargs="+", choices=list(STAGES), default=list(STAGES))
    given = parser.parse_args()
    console = Console()
    rows = []
    for jobs in given.jobs:
        folder = given.folder / str(jobs)
        for stage in given.stages:
            seconds, cpu, peak = timed(stage, folder, jobs)
            rows.append((jobs, stage, f"{seconds:.2f}", f"{cpu:.2f}", f"{peak:.2f}"))
            console.print(
                f"{jobs:>11,}  {stage:26} {seconds:8.1f} s {cpu:8.1f} CPU s {peak:6.2f} GB"
            )
    with whole(given.table) as part, part.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(("jobs", "stage", "seconds", "cpu_seconds", "peak_gb"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
