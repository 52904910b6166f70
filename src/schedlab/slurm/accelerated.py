"""A Slurm that lives through hours in minutes, in a network and with settings of its own.

Whatever Slurm this machine has is neither seen nor touched: the one brought up here has its own
network, with the same ports, and its own /etc/slurm. So several run beside each other.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from schedlab.slurm import database as databases
from schedlab.slurm.clock import accelerated
from schedlab.slurm.cluster import SlurmError, install, untold
from schedlab.slurm.interrupts import held_back, interruptible
from schedlab.slurm.settings import BACKFILL, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schedlab.core.jobs import Jobs

PACKAGES = ("faketime", "iproute2", "util-linux")
COMMANDS = ("faketime", "ip", "unshare")
# processes of their own as well: when the first one ends, all do
APART_IN = ("--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
# an address beside 127.0.0.1, by which Slurm finds names; a /dev/shm, where faketime keeps clocks
# under the number of its process
APART = (
    "ip link set lo up && ip address add 10.77.0.1/24 dev lo"
    ' && mount -t tmpfs none /dev/shm && mount --bind "$0" /etc/slurm && exec "$@"'
)


def apart(folder: Path, command: Sequence[str]) -> list[str]:
    """Return a command that runs another one in a network of its own, `folder` as /etc/slurm."""
    return ["unshare", *APART_IN, "sh", "-c", APART, str(folder), *command]


def replayed(
    jobs: Jobs,
    nodes: int,
    lines: Sequence[str],
    database: bool,
    factor: float,
    log: Path,
) -> pd.DataFrame:
    """Let a real Slurm schedule jobs, `factor` times faster than the clock.

    Parameters
    ----------
    jobs : Jobs
        Submit times from 0 on.
    nodes : int
        Of one processor each, that the machine has.
    lines : sequence of str
        Each ``Key=value`` of slurm.conf: order and backfilling.
    database : bool
        Whether it has a database, without which jobs do not age.
    factor : float
        Its seconds in one of ours.
    log : Path
        Where what the daemons say is kept.

    Returns
    -------
    DataFrame
        See `schedlab.slurm.replay.replay`.

    Raises
    ------
    UnavailableError
        Without root, or where Debian's packages cannot be installed.
    SlurmError
        It did not come up, or lost a job.
    """
    request = {"nodes": nodes, "lines": list(lines), "database": database}
    with _session(jobs, request, factor, log) as folder:
        return pd.read_csv(folder / "replay.csv")


def run_among(
    jobs: Jobs,
    nodes: int,
    workflow: Path,
    strategy: str,
    instants: Sequence[int],
    factor: float,
    log: Path,
) -> pd.DataFrame:
    """Run a workflow on a real Slurm, first come, first served, among what everybody else submits.

    Parameters
    ----------
    jobs : Jobs
        Everybody else's, submit times from 0 on.
    nodes : int
        Of one processor each, that the machine has.
    workflow : Path
        Its file, see `schedlab.slurm.described.Described`.
    strategy : str
        One of `schedlab.waits.strategies.STRATEGIES`.
    instants : sequence of int
        When it is submitted, each time anew; the next one waits until the one before has ended. All
        of them learn from each other.
    factor, log
        See `replayed`.

    Returns
    -------
    DataFrame
        See `schedlab.slurm.among.among`.

    Raises
    ------
    UnavailableError, SlurmError
        See `replayed`; also where a stage fails, or a submission is refused.
    """
    request = {
        "nodes": nodes,
        "lines": ["PriorityType=priority/basic", BACKFILL],
        "database": False,
        "workflow": str(workflow.resolve()),
        "strategy": strategy,
        "instants": list(instants),
    }
    with _session(jobs, request, factor, log) as folder:
        return pd.read_csv(folder / "workflows.csv")


@contextlib.contextmanager
def _session(jobs: Jobs, request: dict[str, Any], factor: float, log: Path) -> Iterator[Path]:
    """Hold a session and give the folder with what it wrote."""
    install()
    install(PACKAGES, COMMANDS)
    if request["database"]:
        install(databases.PACKAGES, databases.COMMANDS)
    SETTINGS.mkdir(exist_ok=True)
    with (
        # what ends this process kills the session, and with it all that it started
        interruptible(),
        # what is killed may write for a moment longer
        tempfile.TemporaryDirectory("", "schedlab-", ignore_cleanup_errors=True) as place,
    ):
        folder = Path(place)
        # munged refuses a socket that others could not reach
        folder.chmod(0o755)
        for name in ("etc", "tmp"):
            (folder / name).mkdir()
        jobs.to_frame().to_csv(folder / "jobs.csv", index=False)
        (folder / "request.json").write_text(json.dumps(request))
        session = [sys.executable, "-m", "schedlab.slurm.session", str(folder)]
        command = apart(folder / "etc", [*accelerated(factor), *session])
        # what a session that is killed leaves behind goes with the folder
        if code := _run(command, untold() | {"TMPDIR": str(folder / "tmp")}, log):
            raise SlurmError(f"the session ended with {code}, see {log}")
        yield folder


def _run(command: Sequence[str], environment: dict[str, str], log: Path) -> int:
    """Run a command and return its code; it is killed when this process is asked to end."""
    with log.open("w") as output, contextlib.ExitStack() as cleanup:
        # a signal that comes while it starts would leave it unknown
        with held_back():
            # into a file: what reads a pipe has another clock
            process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment
            )
            cleanup.callback(process.wait)
            cleanup.callback(process.kill)
        return process.wait()
