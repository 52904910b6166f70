"""What a Slurm tells of its present queue and itself, as files; nothing is changed there."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from schedlab.traces.slurm import sprio_text
from schedlab.traces.slurm.squeue_text import SITE_COMMAND

#: files and the commands that write them: the queue, the site, changes of nodes, accounts, factors
COMMANDS = {
    "squeue.txt": SITE_COMMAND,
    "config.txt": "scontrol show config",
    "partition.txt": "scontrol show partition",
    "node.txt": "scontrol show node",
    "reservation.txt": "scontrol show reservation",
    "qos.txt": "sacctmgr show qos -P",
    "assoc.txt": "sacctmgr show assoc tree -P",
    "sshare.txt": "sshare -a -P",
    "sprio.txt": sprio_text.COMMAND,
}
#: without these there is no answer
NEEDED = ("squeue.txt", "config.txt", "partition.txt", "node.txt")
MORE = ("partition.txt", "node.txt", "reservation.txt")
ACCOUNTS = ("qos.txt", "assoc.txt", "sshare.txt")
#: seconds for a command
MOST = 120


class LiveFiles(NamedTuple):
    """Files of a folder by what they are for; `lost` names those that there are not, and why."""

    queue: Path
    conf: Path
    more: list[Path]
    accounts: list[Path]
    sprio: Path | None
    lost: list[str]


def collect(folder: Path) -> LiveFiles:
    """Ask the Slurm of this machine, and write its answers into a folder.

    Raises ValueError if a needed command does not work.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lost = []
    for name, command in COMMANDS.items():
        path = folder / name
        path.unlink(missing_ok=True)
        try:
            done = subprocess.run(shlex.split(command), capture_output=True, timeout=MOST)
            problem = done.stderr.decode("utf-8", "replace").strip() if done.returncode else ""
        except (OSError, subprocess.TimeoutExpired) as error:
            problem = str(error)
        if problem and name in NEEDED:
            raise ValueError(
                f"{command.split()[0]}: {problem.splitlines()[0]}; run it on a machine of the "
                "cluster, or give the queue as a file (--queue)"
            )
        if problem:
            lost.append(f"{command}: {problem.splitlines()[0]}")
        # without any, sentences are printed
        elif name not in MORE or b"=" in done.stdout:
            path.write_bytes(done.stdout)
    return files_of(folder, lost)


def files_of(folder: Path, lost: list[str]) -> LiveFiles:
    """Return the files that a folder has."""
    more, accounts = ([folder / name for name in names if (folder / name).exists()]
                      for names in (MORE, ACCOUNTS))  # fmt: skip
    sprio = folder / "sprio.txt"
    return LiveFiles(
        *(folder / "squeue.txt", folder / "config.txt", more, accounts),
        sprio if sprio.exists() else None,
        lost,
    )
