"""What Slurm's commands are called with and print in tests of the client."""

import os
from dataclasses import replace
from pathlib import Path

from schedlab.slurm.client import SbatchRequest

REQUEST = SbatchRequest(
    "flow.a", Path("jobs/a.sh"), Path("out/%j.txt"), 4, 3, ("--partition=main",)
)
ME = os.getuid()
MARKED = replace(REQUEST, mark="schedlab:1.a.token", made=1_795_362_666)


def identity(number, script="jobs/a.sh", comment="(null)", user=ME, name="flow.a", submit=0):
    """Return a line of squeue on a job, submitted so many seconds after its request."""
    return f"{number}|{user}|{MARKED.made + submit}|PENDING|{name}|{script}|{comment}"
