"""Record what a real Slurm does with the jobs of a site: runs, priorities, shares and decisions.

The files are those of the recordings of the tests. Jobs sleep on the real clock, divided by the
speed of the others' clock: users other than root cannot read the accelerated one.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import json
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from schedlab.files.progress import counted
from schedlab.slurm.cluster import RunningSlurm, SlurmError, run, running, speed, wait_until_idle
from schedlab.slurm.database import with_database
from schedlab.slurm.replay import next_minute
from schedlab.slurm.settings import SETTINGS, SiteNodes, places_of
from schedlab.traces.slurm.hostlist import expand
from schedlab.traces.slurm.squeue_text import SITE_COMMAND

#: commands of sacctmgr, among the files of a site
ACCOUNTS = "sacctmgr.txt"
#: files that a recording has in a session's folder
RECORDED = ("run.csv", "priorities.csv", "shares.csv", "log.txt.gz")
#: the same with what Slurm predicts, see `ASKED`
PREDICTED = "asked.jsonl.gz"
#: what a queue is read from, by name; ``start`` has Slurm's own predictions
ASKED = {
    "squeue": ["sh", "-c", SITE_COMMAND],
    "json": ["squeue", "--json"],
    "start": ["squeue", "--start", "--noheader", "--format=%i|%S"],
    "sprio": ["sprio", "-l"],
    "sshare": ["sshare", "-a", "-P"],
    "node": ["scontrol", "show", "node"],
}
#: seconds between two samples of priorities and shares, and between two looks at the queue
SAMPLE, LOOK = 300, 120
#: seconds that a run may take in all beyond the last submission
MOST = 7 * 86_400
LOG = SETTINGS / "slurmctld.log"
#: all daemons are on this machine, whose load must not look like lost nodes
LINES = (
    "GresTypes=gpu",
    "SlurmdTimeout=0",
    "MessageTimeout=1000",
    "MinJobAge=30000",
    f"SlurmctldLogFile={LOG}",
    "SlurmctldDebug=debug",
    "DebugFlags=Backfill",
)
PRIORITIES = {
    "job": "i", "partition": "r", "priority": "Y", "age": "A", "fairshare": "F", "jobsize": "J",
    "partition_factor": "P", "qos": "Q", "tres": "T", "nice": "N",
}  # fmt: skip
SHARES = {
    "account": "Account", "user": "User", "raw_shares": "RawShares", "norm_shares": "NormShares",
    "raw_usage": "RawUsage", "norm_usage": "NormUsage", "effective_usage": "EffectvUsage",
    "fair_share": "FairShare", "level_fs": "LevelFS",
}  # fmt: skip
SUBMISSIONS = (
    *("name", "time", "user", "account", "partition", "qos", "nodes", "ntasks", "cpus_per_task"),
    *("mem", "gres", "constraint", "exclusive", "reservation", "after", "nice", "limit_min"),
    "runtime",
)
RUNS = (
    *("name", "job", "submit", "eligible", "start", "end", "state", "partition", "qos", "nodes"),
    *("cpus", "cpus_by_node", "tres", "by"),
)
#: variables of faketime
_CLOCK = re.compile("LD_PRELOAD|FAKETIME")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?")


def record_site(
    folder: Path, jobs: pd.DataFrame, files: Mapping[str, str], asks: bool = False
) -> None:
    """Run jobs on the Slurm of a site's files, and write the recording into a session's folder.

    If it `asks`, Slurm also predicts starts, of waiting jobs and of each one before its submission.
    """
    lines = files["slurm.conf"].splitlines()
    machine = machine_of(lines)
    first = replace(machine, lines=_without_partitions(machine))
    rest = [line for line in lines if not line.startswith(("NodeName=", "PartitionName="))]
    commands = files[ACCOUNTS].splitlines()
    (SETTINGS / "topology.conf").write_text(files["topology.conf"], encoding="utf-8")
    (SETTINGS / "gres.conf").write_text(_as_files(files["gres.conf"]), encoding="utf-8")
    _know_users(folder, sorted({command for command in _users(commands)}))
    with contextlib.ExitStack() as cleanup:
        bare = cleanup.enter_context(running(first, LINES))
        cluster = replace(bare, machine=machine)
        settings = [*LINES, *map(_with_budgets, rest)]
        cleanup.enter_context(with_database(cluster, settings, commands))
        wait_until_idle(machine)
        begin = next_minute()
        with contextlib.ExitStack() as files:
            asked = None
            if asks:
                asked = files.enter_context(gzip.open(folder / PREDICTED, "wt", encoding="utf-8"))
            files.enter_context(sampled(folder, begin, asked))
            numbers = _submit(jobs, begin, asked)
            _wait(begin)
        _write_runs(folder, cluster, begin, numbers)


def machine_of(lines: list[str]) -> SiteNodes:
    """Return the nodes of a slurm.conf, each on this machine, with its partitions."""
    nodes, names = [], []
    for line in lines:
        if not line.startswith("NodeName="):
            continue
        hosts, _, rest = line.removeprefix("NodeName=").partition(" ")
        if hosts == "DEFAULT":
            nodes.append((line, ""))
        else:
            nodes += [(f"NodeName={name} {rest}", name) for name in expand(hosts)]
            names += expand(hosts)
    places = dict(places_of(names))
    texts = [f"{line} {places[name]}" if name else line for line, name in nodes]
    partitions = [line for line in lines if line.startswith("PartitionName=")]
    return SiteNodes(tuple(names), "\n".join([*texts, *partitions]))


def _with_budgets(line: str) -> str:
    """Return a line with the time that schedulers may take as long as on the real clock."""
    if not line.startswith("SchedulerParameters="):
        return line
    return f"{line},max_sched_time={2 * speed():.0f},bf_yield_interval=10000000"


def _as_files(text: str) -> str:
    """Return a gres.conf in which counted resources are plain files."""

    def as_files(match: re.Match[str]) -> str:
        for k in range(int(match[1])):
            (SETTINGS / f"device{k}").touch()
        return f"File={SETTINGS}/device[0-{int(match[1]) - 1}]"

    return re.sub(r"Count=(\d+)", as_files, text)


def _without_partitions(machine: SiteNodes) -> str:
    """Return the lines of a machine before its QOS are known: one partition."""
    lines = [line for line in machine.lines.splitlines() if not line.startswith("PartitionName=")]
    return "\n".join([*lines, "PartitionName=main Nodes=ALL Default=YES"])


def write_submissions(jobs: pd.DataFrame, path: Path) -> None:
    """Write jobs as submissions of a recording."""
    _write(path, SUBMISSIONS, map(submission, jobs.to_dict("records")))


def submission(job: dict[str, Any]) -> dict[str, Any]:
    """Return a job as a row of submissions."""
    return {
        "name": f"j{job['number']}", "time": job["submit"], "user": job["user"],
        "account": job["account"], "partition": job["partition"], "qos": job["qos"],
        "nodes": job["nodes"] or "", "ntasks": job["tasks"] or "",
        "cpus_per_task": job["cpus_per_task"] if job["cpus_per_task"] > 1 else "",
        "mem": f"{job['memory']}M" if job["memory"] >= 0 else "", "gres": job["gres"],
        "constraint": job["features"], "exclusive": "1" if job["exclusive"] else "",
        "reservation": "", "after": "", "nice": "",
        "limit_min": job["estimate"] // 60, "runtime": job["runtime"],
    }  # fmt: skip


def _users(commands: list[str]) -> Iterator[str]:
    """Yield the users that commands of sacctmgr add."""
    for command in commands:
        if match := re.match(r"add user (?:name=)?(\w+)", command, re.IGNORECASE):
            yield match[1]


def _know_users(folder: Path, users: list[str]) -> None:
    """Add users to this session's list of users, which no other process sees."""
    passwd = folder / "passwd"
    lines = Path("/etc/passwd").read_text(encoding="utf-8").rstrip("\n").splitlines()
    lines += [f"{user}:x:{20_000 + k}:65534::/:/bin/sh" for k, user in enumerate(users)]
    passwd.write_text("\n".join([*lines, ""]), encoding="utf-8")
    passwd.chmod(0o644)
    run("mount", "--bind", str(passwd), "/etc/passwd")


def _submit(jobs: pd.DataFrame, begin: int, asked: TextIO | None) -> dict[str, str]:
    """Submit the jobs at their times; return the name of each by its number in Slurm."""
    names = {}
    with counted("jobs", len(jobs)) as advance:
        for job in jobs.to_dict("records"):
            row = submission(job)
            time.sleep(max(begin + int(row["time"]) - time.time(), 0))
            if asked:
                _note(asked, begin, {"name": row["name"], "test": _tested(row)})
            names[run(*_sbatch(row, "--parsable"), env=real_clock()).strip()] = str(row["name"])
            advance()
    return names


#: options of sbatch by columns of submissions
OPTIONS = {
    "name": "job-name", "user": "uid", "account": "account", "partition": "partition",
    "qos": "qos", "nodes": "nodes", "ntasks": "ntasks", "cpus_per_task": "cpus-per-task",
    "mem": "mem", "gres": "gres", "constraint": "constraint", "limit_min": "time",
}  # fmt: skip


def _note(asked: TextIO, begin: int, row: dict[str, str]) -> None:
    """Write what was asked now, as a line."""
    asked.write(json.dumps({"time": int(time.time()) - begin} | row) + "\n")


def _tested(row: dict[str, Any]) -> str:
    """Return what Slurm answers to a job that is not submitted; its user asks."""
    asks = ("sh", "-c", 'exec setpriv --clear-groups --reuid="$0" "$@" 2>&1', row["user"])
    return run(*asks, *_sbatch(row | {"user": ""}, "--test-only"), check=False, env=real_clock())


def _sbatch(row: dict[str, Any], *options: str) -> list[str]:
    """Return the command that submits a row of submissions."""
    given = [f"--{option}={row[name]}" for name, option in OPTIONS.items() if row[name] != ""]
    if row["exclusive"]:
        given.append("--exclusive")
    quiet = ("--output=/dev/null", "--chdir=/")
    wrapped = f"--wrap=exec /bin/sleep {int(row['runtime']) / speed():.3f}"
    return ["sbatch", *options, *given, *quiet, wrapped]


def real_clock() -> dict[str, str]:
    """Return the environment of a process, and of what it starts, on the real clock."""
    return {name: value for name, value in os.environ.items() if not _CLOCK.match(name)}


def _wait(begin: int) -> None:
    """Wait until the queue is empty."""
    end = time.time() + MOST
    while queue := run("squeue", "--noheader", "--format=%i %T %r"):
        if time.time() > end:
            raise SlurmError(f"these jobs do not end:\n{queue}")
        time.sleep(LOOK)


@contextlib.contextmanager
def sampled(folder: Path, begin: int, asked: TextIO | None = None) -> Iterator[None]:
    """Sample priorities, shares and processors on nodes until the end."""
    is_over = threading.Event()
    thread = threading.Thread(target=_sample, args=(folder, begin, asked, is_over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _sample(folder: Path, begin: int, asked: TextIO | None, is_over: threading.Event) -> None:
    form = "|".join(f"%{letter}" for letter in PRIORITIES.values())
    with contextlib.ExitStack() as files:
        tables = [
            csv.writer(files.enter_context((folder / f"{name}.csv").open("w", encoding="utf-8")))
            for name in ("priorities", "shares", "places")
        ]
        tables[0].writerow(["time", *PRIORITIES])
        tables[1].writerow(["time", *SHARES])
        next_one = time.time()
        while not is_over.is_set():
            now = int(time.time()) - begin
            if asked:
                texts = {name: run(*one, check=False) for name, one in ASKED.items()}
                _note(asked, begin, texts)
            for line in run("sprio", "--noheader", "-o", form, check=False).splitlines():
                tables[0].writerow([now, *(cell.strip() for cell in line.split("|"))])
            columns = ",".join(SHARES.values())
            shares = run("sshare", "-a", "-P", "-h", "-o", columns, check=False)
            for line in shares.splitlines():
                tables[1].writerow([now, *(cell.strip() for cell in line.split("|"))])
            for line in run("scontrol", "-d", "-o", "show", "job", check=False).splitlines():
                if "JobState=RUNNING" in line:
                    job = re.search(r"JobId=(\d+)", line)
                    tables[2].writerow([job[1] if job else "", cpus_of(line)])
            next_one += SAMPLE
            while not is_over.is_set() and time.time() < next_one:
                time.sleep(min(60, max(next_one - time.time(), 0)))


def cpus_of(line: str) -> str:
    """Return the processors on each node of a job that scontrol shows in detail."""
    counts = []
    for nodes, ids in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+)", line):
        cpus = sum(
            int(last or first) - int(first) + 1
            for first, _, last in (part.partition("-") for part in ids.split(","))
        )
        counts += [f"{node}:{cpus}" for node in expand(nodes)]
    return " ".join(counts)


def _write_runs(folder: Path, cluster: RunningSlurm, begin: int, names: dict[str, str]) -> None:
    """Write runs and the log of decisions, with seconds from `begin`."""
    started: dict[str, str] = {}
    with gzip.open(folder / "log.txt.gz", "wt", encoding="utf-8") as log:
        log.write(f"# seconds since the first submission; time 0 is {begin} s since 1970\n")
        for line in LOG.read_text(encoding="utf-8", errors="replace").splitlines():
            match = re.match(r"\[(\S+?)\] (.*)", line)
            if not match or not re.search(r"sched|preempt", match[2]):
                continue
            text = _relative(match[2], begin)
            log.write(f"{_seconds(match[1]) - begin} {text}\n")
            if found := re.search(r"(Allocate|Started) JobId=(\d+)", text):
                started[found[2]] = "main" if found[1] == "Allocate" else "backfill"
    with (folder / "places.csv").open(encoding="utf-8") as file:
        places = {row[0]: row[1] for row in csv.reader(file) if row}
    rows = []
    for job in cluster.completed():
        number = job["JobId"]
        nodes = job["NodeList"] if "null" not in job["NodeList"] else ""
        hosts = expand(nodes) if nodes else []
        known = f"{hosts[0]}:{job['ProcCnt']}" if len(hosts) == 1 else places.get(number, "")
        times = {
            name: _seconds(job[key]) - begin
            for name, key in (
                *(("submit", "SubmitTime"), ("eligible", "EligibleTime")),
                *(("start", "StartTime"), ("end", "EndTime")),
            )
        }
        rows.append(
            {"name": names.get(number, ""), "job": number, **times, "state": job["JobState"]}
            | {"partition": job["Partition"], "qos": job["QOS"], "nodes": nodes}
            | {"cpus": job["ProcCnt"], "cpus_by_node": known, "tres": job.get("Tres", "")}
            | {"by": started.get(number, "")}
        )
    _write(folder / "run.csv", RUNS, sorted(rows, key=lambda row: int(row["job"])))


def _seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def _relative(text: str, begin: int) -> str:
    """Return a text with times as seconds from `begin`."""
    text = _DATE.sub(lambda match: str(_seconds(match[0]) - begin), text)
    return re.sub(r"\b1[789]\d{8}\b", lambda match: str(int(match[0]) - begin), text)


def _write(path: Path, columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
