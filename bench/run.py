"""Print throughput, memory and growth of the kernels and write a record of them.

The record is results/bench/<commit>.json. Every case runs in a process of its own, one at a time.
With a C compiler, the C limit (bench/limit.c) runs the same jobs in turn with the kernels.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from schedlab.cli.bench import show_comparison
from schedlab.cosched.schedulers import SCHEDULERS
from schedlab.files.io import whole
from schedlab.flow.build import commit_of
from schedlab.workbench.bench_records import (
    TOLERANCE,
    compare_records,
    machine_facts,
    read_record,
    slower_in_all,
)

HERE = Path(__file__).parent

#: work, primary, backfill (or compression), dialect, threads, repeats, whether the C limit knows it
CASES = [
    ("lub", "fcfs", "fcfs", "full", 1, 15, True),
    ("lubx", "saf", "spf", "full", 1, 15, True),
    ("lubx", "f1", "fcfs", "full", 1, 15, True),
    ("lubx", "fcfs", "-", "full", 1, 15, True),
    ("wagap", "fcfs", "fcfs", "full", 1, 15, True),
    ("lubx", "fcfs", "fcfs", "full", 1, 15, True),
    ("lubx", "wfp3", "-", "full", 1, 9, False),
    ("lubx", "unicef", "-", "full", 1, 9, False),
    ("lubx", "wfp3", "wfp3", "full", 1, 9, False),
    ("lubx", "unicef", "unicef", "full", 1, 9, False),
    ("wagap", "wfp3", "wfp3", "full", 1, 9, False),
    ("lubx", "r - 0.1 * w", "r - 0.1 * w", "full", 1, 3, False),
    ("lubx", "fcfs", "fcfs", "artefact", 1, 3, False),
    ("lubx", "wfp3", "wfp3", "artefact", 1, 3, False),
    ("lub", "fcfs", "fcfs", "full", 2, 9, False),
    ("model-1e4", "fcfs", "fcfs", "full", 1, 9, True),
    ("model-1e5", "fcfs", "fcfs", "full", 1, 5, True),
    ("model-1e6", "fcfs", "fcfs", "full", 1, 3, True),
    ("model-1e4", "saf", "spf", "full", 1, 9, True),
    ("model-1e5", "saf", "spf", "full", 1, 5, True),
    ("model-1e6", "saf", "spf", "full", 1, 3, False),
    ("model-1e6", "fcfs", "-", "full", 1, 3, True),
    ("model-1e4", "wfp3", "wfp3", "full", 1, 5, False),
    ("model-1e5", "wfp3", "wfp3", "full", 1, 1, False),
    ("crowd-1e4", "fcfs", "fcfs", "full", 1, 5, True),
    ("crowd-1e5", "fcfs", "fcfs", "full", 1, 3, True),
    ("crowd-1e5", "spf", "spf", "full", 1, 3, True),
    ("crowd-1e5", "f1", "fcfs", "full", 1, 3, True),
    ("crowd-1e4", "wfp3", "wfp3", "full", 1, 1, False),
    ("crowd-1e5", "wfp3", "wfp3", "full", 1, 1, False),
    ("crowd-1e5", "unicef", "unicef", "full", 1, 1, False),
    *(
        (work, "fcfs", compression, "full", 1, 15, True)
        for compression in ("completion", "none")
        for work in ("lub", "lubx", "wagap", "wagap14")
    ),
    ("wagap14", "fcfs", "instant", "full", 1, 9, False),
    ("wagap14", "saf", "completion", "full", 1, 9, False),
    ("wagap14", "wfp3", "completion", "full", 1, 3, False),
    ("model-1e4", "fcfs", "completion", "full", 1, 5, True),
    ("model-1e5", "fcfs", "completion", "full", 1, 3, True),
    ("model-1e6", "fcfs", "completion", "full", 1, 1, False),
    ("model-1e4", "fcfs", "none", "full", 1, 5, True),
    ("model-1e5", "fcfs", "none", "full", 1, 3, True),
    ("model-1e6", "fcfs", "none", "full", 1, 1, False),
]


#: threads, repeats, whether the C limit runs in turn
TRIALS = [(1, 5, True), (2, 5, False)]

#: scheduler, jobs, nodes, threads, repeats, whether the C limit runs in turn
NODES = [
    *((name, 1000, 420, 1, 15, False) for name in SCHEDULERS),
    ("filler", 1000, 420, 2, 15, False),
    *(
        (name, jobs, nodes, 1, 3, False)
        for name in ("easy-co", "filler", "pop-filler", "popularity")
        for jobs, nodes in ((10_000, 420), (100_000, 420), (100_000, 10_000))
    ),
    ("conservative-textbook", 10_000, 420, 1, 3, False),
]


#: jobs, whether with estimates, repeats, whether the C limit runs in turn
PUBLISHED = [(20_000, "-", 9, False), (20_000, "estimates", 9, False)]


#: work, reservations, seconds between two passes, repeats, whether the C limit runs in turn
SLURM = [
    ("lub", "none", 30, 5, False),
    *((work, "head", 30, 3, False) for work in ("lub", "lubx", "wagap", "wagap14")),
    *(
        (work, "every", interval, 3, True)
        for interval in (600, 30)
        for work in ("lub", "lubx", "wagap")
    ),
]


#: work, users, repeats, whether the C limit runs in turn
PREDICTED = [
    ("wagap", 75, 9, False),
    *(
        (f"{work}-{count}", 200, repeats, False)
        for work in ("model", "crowd")
        for count, repeats in (("1e4", 5), ("1e5", 3))
    ),
]


#: weeks, search, threads, repeats, whether the C limit runs in turn
MIXED = [
    ("model", "grid", 1, 3, True),
    ("model", "grid", 2, 3, False),
    ("model", "xnes6", 1, 3, True),
    ("SDSC-SP2", "grid", 1, 1, True),
    ("SDSC-SP2", "xnes6", 1, 1, True),
    ("SDSC-BLUE", "grid", 1, 1, True),
]


#: work, mode, jobs, repeats, whether the C limit runs in turn
PLANS = [
    *(
        ("search", mode, jobs, 3, False)
        for mode in ("aggregate", "nodes")
        for jobs in (100, 1000, 2000, 10_000, 100_000)
    ),
    *((rule, "aggregate", 2000, 3, False) for rule in ("worst", "annealing", "tabu")),
    ("run", "aggregate", 0, 3, False),
    ("run", "nodes", 0, 1, False),
    ("queues", "aggregate", 0, 3, False),
]


#: work, reservations, policy, repeats, whether the C limit runs in turn
FORKS = [
    ("copy", "none", "fcfs", 300, False),
    ("copy", "head", "fcfs", 300, False),
    ("copy", "head", "wfp3", 300, False),
    ("copy", "every", "fcfs", 300, False),
    ("planned", "head", "fcfs", 300, False),
    ("planned", "every", "fcfs", 300, False),
    ("driven", "head", "fcfs", 3, False),
]


#: kind of policies, reservations, threads, repeats, whether the C limit runs in turn
FORECASTS = [
    ("all", "none", 1, 15, False),
    ("all", "head", 1, 15, False),
    ("all", "head", 2, 15, False),
    ("all", "every", 1, 15, False),
    ("general", "head", 1, 5, False),
]


#: nodes, jobs, load, repeats, whether the C limit runs in turn
SITE = [
    (217, 10_000, 0.5, 3, False),
    (217, 10_000, 0.7, 3, False),
    (217, 10_000, 0.9, 1, False),
    (217, 1_000_000, 0.5, 1, False),
]


#: work, dialect, order, threads, memory, repeats, whether the C limit runs in turn
GYM = [
    *(
        (work, dialect, "fcfs", 1, "zero-copy", 5, True)
        for work in ("lublin", "SDSC-SP2", "HPC2N")
        for dialect in ("full", "full-strict", "rlscheduler")
    ),
    ("lublin", "full", "fcfs", 1, "copy", 5, False),
    ("lublin", "full", "fcfs", 2, "copy", 5, False),
    ("lublin", "full", "fcfs", 2, "zero-copy", 5, False),
    *(
        (f"waiting-{count}", "full", order, 1, "zero-copy", 3, False)
        for order in ("fcfs", "spt")
        for count in ("1e3", "1e4", "1e5")
    ),
]


#: script and case of the short run that is compared with another record; all run with the C limit
SHORT = [
    ("case.py", ("lub", "fcfs", "fcfs", "full", 1, 9, True)),
    ("case.py", ("lubx", "saf", "spf", "full", 1, 9, True)),
    ("case.py", ("lubx", "f1", "fcfs", "full", 1, 9, True)),
    ("case.py", ("lubx", "fcfs", "-", "full", 1, 45, True)),
    ("case.py", ("crowd-1e4", "fcfs", "fcfs", "full", 1, 15, True)),
    ("case.py", ("lubx", "fcfs", "completion", "full", 1, 15, True)),
    ("case.py", ("lubx", "fcfs", "none", "full", 1, 15, True)),
    ("trials_case.py", (1, 3, True)),
    ("mixed_case.py", ("model", "xnes6", 1, 9, True)),
    ("slurm_case.py", ("lub", "every", 600, 5, True)),
    ("slurm_case.py", ("lub", "every", 30, 5, True)),
]
#: runs after which a case that is slower in each of them is a failure
ATTEMPTS = 3


def compile_limit(folder: Path) -> str:
    """Path of the compiled C limit; empty without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return ""
    target = folder / "limit"
    flags = ["-O3", "-march=native", "-std=gnu11", "-o", str(target)]
    subprocess.run([compiler, *flags, str(HERE / "limit.c"), "-lm"], check=True)
    return str(target)


def measure(script: str, case: tuple, limit: str) -> dict | None:
    """Record of one case; None if it failed, and its error is printed."""
    *arguments, known = case
    command = [sys.executable, str(HERE / script), *map(str, arguments)]
    done = subprocess.run(
        command + [limit] * (known and bool(limit)), capture_output=True, text=True, check=False
    )
    if done.returncode:
        error = done.stderr.strip().rpartition("\n")[2]
        print(f"{script} {' '.join(map(str, arguments))}: {error}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def ratio_text(record: dict) -> str:
    """Ratio to the C limit, and to the limit without vector instructions where it was measured."""
    text = f"{record['ratio']:.2f}" if "ratio" in record else ""
    return text + (f" (scalar: {record['scalar_ratio']:.2f})" if "scalar_ratio" in record else "")


def decision_text(record: dict) -> str:
    """Time of each decision that the rules ask for, where these were counted."""
    if "decisions" not in record:
        return ""
    return f"{1e9 * record['n'] / record['per_second'] / record['decisions']:,.0f}"


def show(records: list[dict]) -> None:
    """Print the records as a table."""
    table = Table(
        title="Jobs (for the trials: trials; for plan-rs and planned as it says) simulated, drawn "
        "or copied per second"
    )
    for column in ("kernel", "work"):
        table.add_column(column)
    numbers = ("n", "threads", "per second", "ns/(job·log2 n)", "ns/decision", "C limit", "ratio")
    for column in (*numbers, "peak MB"):
        table.add_column(column, justify="right")
    for record in records:
        growth = 1e9 / record["per_second"] / math.log2(record["n"])
        table.add_row(
            record["kernel"],
            record["work"],
            f"{record['n']:,}",
            str(record["threads"]),
            f"{record['per_second']:,}",
            f"{growth:.1f}",
            decision_text(record),
            f"{record['limit_per_second']:,}" if "limit_per_second" in record else "",
            ratio_text(record),
            str(record["peak_mb"]),
        )
    Console(width=None if sys.stdout.isatty() else 130).print(table)


def all_cases() -> list[tuple[str, tuple]]:
    """Script and case of everything that is measured."""
    plan = [("case.py", case) for case in CASES]
    plan += [("trials_case.py", case) for case in TRIALS]
    plan += [("mixed_case.py", case) for case in MIXED]
    plan += [("nodes_case.py", case) for case in NODES]
    plan += [("published_case.py", case) for case in PUBLISHED]
    plan += [("predicted_case.py", case) for case in PREDICTED]
    plan += [("slurm_case.py", case) for case in SLURM]
    plan += [("site_case.py", case) for case in SITE]
    plan += [("plan_case.py", case) for case in PLANS]
    plan += [("fork_case.py", case) for case in FORKS]
    plan += [("whatif_case.py", case) for case in FORECASTS]
    plan += [("gym_case.py", case) for case in GYM]
    return plan


def measure_all(plan: list[tuple[str, tuple]], folder: Path) -> Path:
    """Measure the cases, print their table and return the path of the record in `folder`.

    Raises SystemExit if cases failed; the record has the others.
    """
    with tempfile.TemporaryDirectory() as built:
        limit = compile_limit(Path(built))
        if not limit:
            print("no C compiler found: measured without the C limit", file=sys.stderr)
        console = Console(stderr=True)
        measured = [
            measure(script, case, limit)
            for script, case in track(plan, description="benchmarks", console=console)
        ]
    cases = [record for record in measured if record]
    show(cases)
    commit = commit_of(HERE, "-changed") or "unknown"
    target = folder / f"{commit}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as path:
        record = {"commit": commit, "machine": machine_facts(), "cases": cases}
        path.write_text(json.dumps(record, indent=1) + "\n")
    if len(cases) < len(plan):
        sys.exit(f"{len(plan) - len(cases)} of {len(plan)} cases failed; {target} has the others")
    return target


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and write; return 1 if a kernel is slower than in the record compared with."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("results/bench"), help="of the record")
    parser.add_argument(
        "--short", action="store_true", help="the main kernels only, in half a minute"
    )
    parser.add_argument(
        "--against",
        type=Path,
        help="another record; fail if a ratio to the C limit is down by more than "
        f"{TOLERANCE:.0%}% in {ATTEMPTS} runs",
    )
    chosen = parser.parse_args(arguments)
    plan = SHORT if chosen.short else all_cases()
    if not chosen.against:
        measure_all(plan, chosen.folder)
        return 0
    before, tables = read_record(chosen.against), []
    while len(tables) < ATTEMPTS:
        tables.append(compare_records(before, read_record(measure_all(plan, chosen.folder))))
        if tables[-1].empty:
            print(f"{chosen.against} has none of the measured cases", file=sys.stderr)
            return 1
        show_comparison(tables[-1])
        if not (slower := slower_in_all(tables)):
            return 0
    for kernel, work, *_ in sorted(slower):
        print(f"{kernel} on {work} is slower in {ATTEMPTS} runs", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
