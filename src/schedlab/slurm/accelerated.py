"""A Slurm with an accelerated clock, in a separate network and with separate settings.

It neither reads nor changes another Slurm of this machine: it has a separate network namespace,
with the same ports, and a separate /etc/slurm. So several can run at the same time.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from schedlab.slurm import database as databases
from schedlab.slurm.cluster import SlurmError, clean_environment, faketime_prefix, install
from schedlab.slurm.interrupts import deferred_signals, interruptible
from schedlab.slurm.settings import BACKFILL, SETTINGS
from schedlab.slurm.site_recording import PREDICTED, RECORDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from schedlab.core.jobs import Jobs

PACKAGES = ("faketime", "iproute2", "util-linux")
COMMANDS = ("faketime", "ip", "unshare")
# separate processes as well: when the first one ends, all end
APART_IN = ("--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
# An address besides 127.0.0.1, which Slurm uses to resolve names; a /dev/shm, where faketime
# stores clocks by process number.
APART = (
    "ip link set lo up && ip address add 10.77.0.1/24 dev lo"
    ' && mount -t tmpfs none /dev/shm && mount --bind "$0" /etc/slurm && exec "$@"'
)


def apart(folder: Path, command: Sequence[str]) -> list[str]:
    """Return a command that runs another one in a separate network, with `folder` as /etc/slurm."""
    return ["unshare", *APART_IN, "sh", "-c", APART, str(folder), *command]


def replayed(
    jobs: Jobs, nodes: int, lines: Sequence[str], database: bool, factor: float, log: Path
) -> pd.DataFrame:
    """Replay jobs on a real Slurm, `factor` times faster than real time; for the rest see `replay`.

    Without a database, jobs do not age.
    """
    request = {"nodes": nodes, "lines": list(lines), "database": database}
    with _session(jobs.to_frame(), request, factor, log) as folder:
        return pd.read_csv(folder / "replay.csv")


def record_site(
    jobs: pd.DataFrame,
    files: Mapping[str, str],
    factor: float,
    log: Path,
    into: Path,
    asks: bool = False,
) -> None:
    """Record a site's jobs on a real Slurm of its files; see `schedlab.slurm.site_recording`.

    `jobs` has columns as `schedlab.traces.slurm.site_events.read_events`, `files` are slurm.conf,
    gres.conf, topology.conf and the commands of sacctmgr. The recording is written into a folder;
    if it `asks`, with Slurm's own predictions of starts.
    """
    request = {"site": dict(files), "database": True, "asks": asks}
    with _session(jobs, request, factor, log) as folder:
        into.mkdir(parents=True, exist_ok=True)
        for name in (*RECORDED, PREDICTED) if asks else RECORDED:
            shutil.copy(folder / name, into / name)


def run_workflow_under_load(
    jobs: Jobs,
    nodes: int,
    workflow: Path,
    strategy: str,
    instants: Sequence[int],
    factor: float,
    log: Path,
) -> pd.DataFrame:
    """Run a workflow on a real Slurm, first come first served; see `run_under_load`."""
    request = {
        "nodes": nodes,
        "lines": ["PriorityType=priority/basic", BACKFILL],
        "database": False,
        "workflow": str(workflow.resolve()),
        "strategy": strategy,
        "instants": list(instants),
    }
    with _session(jobs.to_frame(), request, factor, log) as folder:
        return pd.read_csv(folder / "workflows.csv")


@contextlib.contextmanager
def _session(
    jobs: pd.DataFrame, request: dict[str, Any], factor: float, log: Path
) -> Iterator[Path]:
    """Run a session and yield the folder with its output."""
    install()
    install(PACKAGES, COMMANDS)
    if request["database"]:
        install(databases.PACKAGES, databases.COMMANDS)
    SETTINGS.mkdir(exist_ok=True)
    with (
        # the end of this process kills the session and all processes that it started
        interruptible(),
        # killed processes may write for a moment longer
        tempfile.TemporaryDirectory("", "schedlab-", ignore_cleanup_errors=True) as place,
    ):
        folder = Path(place)
        # munged refuses a socket that other users cannot reach
        folder.chmod(0o755)
        for name in ("etc", "tmp"):
            (folder / name).mkdir()
        jobs.to_csv(folder / "jobs.csv", index=False)
        (folder / "request.json").write_text(json.dumps(request))
        session = [sys.executable, "-m", "schedlab.slurm.session", str(folder)]
        command = apart(folder / "etc", [*faketime_prefix(factor), *session])
        # temporary files of a killed session are deleted with the folder
        if code := _run(command, clean_environment() | {"TMPDIR": str(folder / "tmp")}, log):
            raise SlurmError(f"the session ended with {code}, see {log}")
        yield folder


def _run(command: Sequence[str], environment: dict[str, str], log: Path) -> int:
    """Run a command and return its code; kill it if this process is asked to end."""
    with log.open("w") as output, contextlib.ExitStack() as cleanup:
        # a signal during the start would leave the process unknown
        with deferred_signals():
            # into a file: a reader of a pipe would have another clock
            process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment
            )
            cleanup.callback(process.wait)
            cleanup.callback(process.kill)
        return process.wait()
