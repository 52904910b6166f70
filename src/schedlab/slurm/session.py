"""A Slurm brought up for one request, in a process whose clocks run faster: python -m … FOLDER."""

import contextlib
import json
import sys
from pathlib import Path

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import whole
from schedlab.slurm.among import among
from schedlab.slurm.cluster import ends_of_logs, running
from schedlab.slurm.database import with_database
from schedlab.slurm.described import Described
from schedlab.slurm.replay import replay
from schedlab.slurm.settings import SlurmNodes

# nodes are processors: none is shared, none is lost; nobody asks whether they are still there
LINES = (
    "SelectTypeParameters=CR_CPU",
    "SlurmdTimeout=0",
    "MessageTimeout=1000",
    "MinJobAge=3000",
    # a job that runs as long as it may is not ended for the seconds that starting took
    "OverTimeLimit=UNLIMITED",
)


def hold(folder: Path) -> None:
    """Do what a folder requests with the jobs in it, and write what became of them into it."""
    request = json.loads((folder / "request.json").read_text())
    jobs = Jobs.from_frame(pd.read_csv(folder / "jobs.csv"))
    lines = [*LINES, *request["lines"]]
    machine = SlurmNodes(request["nodes"], cpus=1, memory=1000)
    with contextlib.ExitStack() as held:
        cluster = held.enter_context(running(machine, lines))
        held.callback(lambda: print(ends_of_logs(cluster.folder)))
        if request["database"]:
            held.enter_context(with_database(cluster, lines))
        if "workflow" in request:
            described = Described.read(Path(request["workflow"]))
            found = among(jobs, described, request["strategy"], request["instants"], folder)
            name = "workflows.csv"
        else:
            found, name = replay(cluster, jobs), "replay.csv"
    with whole(folder / name) as draft:
        found.to_csv(draft, index=False)


if __name__ == "__main__":
    hold(Path(sys.argv[1]))
