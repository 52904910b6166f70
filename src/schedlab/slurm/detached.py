"""Client of a run in the background, which outlives its terminal."""

import os
import subprocess
import sys
import time
from pathlib import Path

from schedlab.slurm.client import SlurmError
from schedlab.slurm.client_lock import Client, read_client
from schedlab.slurm.folder import PROGRESS
from schedlab.slurm.journal import Journal

#: seconds for which a client may start, on a slow file system
START_S = 120.0


def start_detached(folder: Path) -> Client:
    """Start a process that resumes a run, without a terminal, and return it when it runs.

    Its lines go to ``progress.txt``; `SlurmError` has the last one if it ends at once.
    """
    before = len(Journal.read(folder).records)
    progress = folder / PROGRESS
    with progress.open("a") as output:
        begin = output.tell()
        process = subprocess.Popen(
            [sys.executable, "-m", "schedlab", "asa", "resume", str(folder), "--detached"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        code = process.poll()
        client = read_client(folder)
        if client and client.process == process.pid:
            records = Journal.read(folder).records[before:]
            if any(record["kind"] == "client" for record in records):
                return client
        if code == 0:
            return Client("this machine", process.pid)
        if code is not None:
            lines = progress.read_text(errors="replace")[begin:].splitlines()
            raise SlurmError(lines[-1] if lines else f"{progress}: the client ended with {code}")
        time.sleep(0.05)
    raise SlurmError(f"{folder}: no sign of the client for {START_S:g} s; see {progress}")
