"""Deliberate faults on a cluster: kill a job, or a node with all jobs that run on it."""

import contextlib
import os
import re
import signal
from pathlib import Path

from schedlab.slurm.cluster import (
    RunningSlurm,
    cancel_jobs,
    end,
    node_states,
    run,
    start_node,
    wait_until,
)

# how a job ends whose processes are killed: by Slurm's record of its exit
ENDED_BADLY = ("FAILED", "CANCELLED", "NODE_FAIL")


def jobs(state: str, name: str = "", folder: Path | None = None) -> list[str]:
    """Return the numbers of jobs in a state whose names have this, of a folder if given."""
    lines = run("squeue", "--noheader", f"--states={state}", "--format=%i|%Z|%k").splitlines()
    rows = (line.split("|", 2) for line in lines)
    return [
        number
        for number, place, comment in rows
        if name in comment and folder in (None, Path(place))
    ]


def node_of(job: str) -> str:
    return run("squeue", "--noheader", f"--jobs={job}", "--format=%N").strip()


def kill_job(job: str) -> None:
    run("scancel", "--signal=KILL", "--full", job)


def kill_node(cluster: RunningSlurm, name: str) -> None:
    """Kill a node's daemon and everything that it started, at once: nothing can report its end."""
    there = run("squeue", "--noheader", f"--nodelist={name}", "--format=%i", check=False).split()
    cluster.daemons[name].kill()
    # first what watches over the steps, so that nothing reports how they ended
    for steps in (True, False):
        for process in Path("/proc").glob("[0-9]*"):
            if is_step(process, there) if steps else is_on(process, name):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process.name), signal.SIGKILL)
    cluster.daemons[name].wait()


def is_step(process: Path, there: list[str]) -> bool:
    """Return whether a process is Slurm's own that watches over a step of one of these jobs."""
    found = re.match(r"slurmstepd: \[(\d+)\.", content(process / "cmdline"))
    return bool(found) and found[1] in there


def is_on(process: Path, name: str) -> bool:
    """Return whether a process was started by a job on a node."""
    return f"SLURMD_NODENAME={name}" in content(process / "environ").split("\0")


def content(path: Path) -> str:
    """Return the text of a file of /proc; nothing where the process has ended."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def revive(cluster: RunningSlurm, name: str) -> None:
    """Start a node's daemon again."""
    end(cluster.daemons[name])
    cluster.daemons[name] = start_node(cluster.folder, name)
    wait_until("every node", lambda: not any("down" in state for _, state in node_states()))


def empty_queue() -> None:
    """Cancel what is left in the queue, as one does whose Snakemake died."""
    cancel_jobs()
