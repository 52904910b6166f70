"""A slice of a whole site: some nodes of every kind, and as many jobs of every QOS."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Site
from schedlab.queue.site_run import simulate_site
from schedlab.traces.archive import archive_folders
from schedlab.traces.slurm.site_events import read_events
from schedlab.traces.slurm.site_files import read_site
from schedlab.traces.slurm.site_values import time

#: the site's folder below one of the archive, and its files
SITE, EVENTS, SCRIPT = "ub-medium", "workload_week.events.gz", "sacctmgr.script"
CONFIGURATION = ("slurm.conf", "gres.conf", "topology.conf")
#: commands of sacctmgr in the slice's folder
ACCOUNTS = "sacctmgr.txt"
#: nodes by the letters of their names
NODES = {"n": 16, "m": 18, "b": 4, "g": 2, "gn": 1}
#: jobs of each QOS, at equal distances in order of submission
PER_QOS = 83
#: seconds from the first to the last submission
SPAN = 9 * 3600
#: run times and limits, of jobs and partitions, are divided by this
FACTOR = 10
#: keys of slurm.conf that decide about starts; the others are of daemons
KEPT = re.compile(
    r"^(Priority|Scheduler|Select|Preempt|AccountingStorage(Enforce|TRES)|FairShare|KillWait|"
    r"EnforcePartLimits|GresTypes|TopologyPlugin|JobRequeue|NodeName|PartitionName)",
    re.IGNORECASE,
)
#: types of GPUs, which no job of the slice asks for
_TYPE = re.compile(r"Gres=gpu:[^:\s]+:")
_RANGE = re.compile(r"\b([a-z]+)\[(\d+)-(\d+)\]")
_TIME = re.compile(r"\b(MaxTime|DefaultTime|PriorityMaxAge|PriorityDecayHalfLife)=(\S+)")


def find_site(setting: str | None = None) -> Path | None:
    """Return the site's folder in the archive, None if it is not available."""
    folders = (folder / SITE for folder in archive_folders(setting))
    return next((folder for folder in folders if (folder / EVENTS).is_file()), None)


def files_of(folder: Path) -> list[Path]:
    """Return the files of a site from which the slice is cut."""
    return [folder / name for name in (EVENTS, SCRIPT, *CONFIGURATION)]


def cut_files(folder: Path) -> dict[str, str]:
    """Return the slice's configuration and commands of sacctmgr by file name."""
    texts = {}
    for name in CONFIGURATION:
        text = _RANGE.sub(_fewer, (folder / name).read_text(encoding="utf-8"))
        texts[name] = _TIME.sub(_shorter, _TYPE.sub("Gres=gpu:", text))
    lines = [line for line in texts["slurm.conf"].splitlines() if KEPT.match(line)]
    texts["slurm.conf"] = "\n".join([*lines, ""])
    return texts | {ACCOUNTS: commands_of((folder / SCRIPT).read_text(encoding="utf-8"))}


def commands_of(script: str) -> str:
    """Return the commands of sacctmgr for a cluster of the name that a Slurm here has."""
    lines = []
    for line in script.splitlines():
        if re.match(r"(add|modify|remove)\s", line):
            text = line.replace('"', "")
            lines.append(re.sub(r"^add cluster Name=\S+", "add cluster Name=schedlab", text))
    return "\n".join([*lines, ""])


def _fewer(match: re.Match[str]) -> str:
    """Return the part of a range of nodes that is in the slice."""
    letters, first, last = match.groups()
    end = min(int(last), int(first) + NODES[letters] - 1)
    return f"{letters}[{first}-{end:0{len(last)}}]"


def _shorter(match: re.Match[str]) -> str:
    """Return a setting's time in minutes of the slice."""
    return f"{match[1]}={_minutes(time(match[2]))}"


def _minutes(seconds: float) -> int:
    return math.ceil(seconds / FACTOR / 60)


def read_slice(folder: Path) -> Site:
    """Return the site of the slice's files in a folder."""
    return read_site(folder / CONFIGURATION[0], folder / ACCOUNTS)


def cut_jobs(folder: Path, site: Site) -> pd.DataFrame:
    """Return the jobs of the slice, with the columns of `read_events`, in order of submission.

    Of each QOS there are `PER_QOS`, or all if there are fewer. Submissions are from 0 to `SPAN`.
    Jobs that the slice can never start are left out beforehand.
    """
    table, _ = read_events(folder / EVENTS)
    table = table.sort_values(["submit", "number"], kind="stable").reset_index(drop=True)
    table = table[_can_start(table, site)].reset_index(drop=True)
    chosen = [
        place[np.linspace(0, len(place) - 1, min(PER_QOS, len(place))).round().astype(int)]
        for place in table.groupby("qos").indices.values()
    ]
    jobs = table.iloc[np.sort(np.concatenate(chosen))].reset_index(drop=True)
    since = jobs["submit"] - jobs["submit"].iloc[0]
    minutes = np.ceil(jobs["estimate"] / FACTOR / 60).astype(np.int64)
    return jobs.assign(
        submit=np.rint(since * SPAN / since.iloc[-1]).astype(np.int64),
        runtime=np.maximum(1, np.rint(jobs["runtime"] / FACTOR)).astype(np.int64),
        estimate=60 * minutes,
    )


def _can_start(table: pd.DataFrame, site: Site) -> np.ndarray:
    """Return which jobs start on the idle slice: each alone, a second long."""
    alone = table.assign(submit=np.arange(len(table)) * 60, runtime=1, estimate=60)
    jobs = Jobs.from_frame(alone[["number", "submit", "runtime", "estimate", "procs"]])
    jobs = Jobs(jobs.number, jobs.submit, jobs.runtime, jobs.estimate, jobs.procs,
                requests=Requests.from_frame(alone))  # fmt: skip
    return simulate_site(site, jobs).start >= 0


def facts_of(jobs: pd.DataFrame, site: Site) -> Mapping[str, object]:
    """Return what the slice has: jobs, nodes, load of its processors, longest run time."""
    area = (jobs["runtime"] * jobs["procs"]).sum()
    return {
        "jobs": len(jobs),
        "nodes": len(site.machine),
        "processors": site.machine.processors,
        "qos": jobs["qos"].nunique(),
        "users": jobs["user"].nunique(),
        "load": float(area / (SPAN * site.machine.processors)),
        "longest": int(jobs["runtime"].max()),
    }
