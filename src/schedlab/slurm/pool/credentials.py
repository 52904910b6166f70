"""Credentials and address of a run's scheduler, in files of the run's folder.

Who connects to a scheduler of distributed can run any code as its user. So scheduler and workers
show each other a certificate of this run, whose key only the user can read.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from schedlab.files.io import write_text
from schedlab.slurm.client import SlurmError

if TYPE_CHECKING:
    from pathlib import Path

    from distributed.security import Security

#: files in the folder of a run
FOLDER, KEY, ADDRESS = "pool", "key.pem", "scheduler.json"
MISSING = "the pool needs the libraries distributed and cryptography: pip install 'schedlab[pool]'"


def check_installed() -> None:
    """Raise `SlurmError`, with what to do, if the libraries of a pool are missing."""
    try:
        import cryptography  # noqa: F401
        import distributed  # noqa: F401
    except ImportError as error:
        raise SlurmError(f"{MISSING} ({error})") from error


def make_credentials(folder: Path) -> None:
    """Make the key and the certificate of a run, unless they are there."""
    from distributed.security import Security

    path = folder / FOLDER / KEY
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, exist_ok=True)
    made = Security.temporary()
    draft = path.with_suffix(f".{os.getpid()}")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "w") as text:
        text.write(f"{made.tls_worker_key}{made.tls_worker_cert}")
    os.replace(draft, path)


def read_credentials(folder: Path) -> Security:
    """Return the credentials of a run, for scheduler, workers and client."""
    from distributed.security import Security

    path = folder / FOLDER / KEY
    # other users could have made or read a file with other rights
    status = path.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise SlurmError(f"{path}: other users may read it; remove it, and resume the run")
    text = str(path)
    files: dict[str, Any] = {"tls_ca_file": text}
    for role in ("client", "scheduler", "worker"):
        files |= {f"tls_{role}_cert": text, f"tls_{role}_key": text}
    return Security(require_encryption=True, **files)


def write_address(folder: Path, address: str) -> None:
    """Write the address of the scheduler, for workers."""
    write_text(json.dumps({"address": address}) + "\n", folder / FOLDER / ADDRESS)


def read_address(folder: Path) -> str | None:
    """Return the address of the scheduler; None if there is none yet."""
    try:
        return json.loads((folder / FOLDER / ADDRESS).read_text())["address"]
    except (OSError, ValueError, KeyError):
        return None
