"""A Slurm for one request, in a process with accelerated clocks: python -m … FOLDER."""

import contextlib
import json
import sys
from pathlib import Path

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import whole
from schedlab.slurm.background_load import run_under_load
from schedlab.slurm.cluster import ends_of_logs, running
from schedlab.slurm.database import with_database
from schedlab.slurm.replay import replay
from schedlab.slurm.settings import SlurmNodes
from schedlab.slurm.site_recording import record_site
from schedlab.slurm.workflow_file import WorkflowFile

# nodes are processors: none is shared or lost, and the controller does not check them
LINES = (
    "SelectTypeParameters=CR_CPU",
    "SlurmdTimeout=0",
    "MessageTimeout=1000",
    "MinJobAge=3000",
    # Slurm must not end a job that uses its whole limit because of its start time
    "OverTimeLimit=UNLIMITED",
)


def execute_request(folder: Path) -> None:
    """Execute a folder's request with its jobs, and write the results into the folder."""
    request = json.loads((folder / "request.json").read_text())
    if "site" in request:
        jobs_of_site = pd.read_csv(folder / "jobs.csv", keep_default_na=False)
        record_site(folder, jobs_of_site, request["site"], request["asks"])
        return
    jobs = Jobs.from_frame(pd.read_csv(folder / "jobs.csv"))
    lines = [*LINES, *request["lines"]]
    machine = SlurmNodes(request["nodes"], cpus=1, memory=1000)
    with contextlib.ExitStack() as cleanup:
        cluster = cleanup.enter_context(running(machine, lines))
        cleanup.callback(lambda: print(ends_of_logs(cluster.folder)))
        if request["database"]:
            cleanup.enter_context(with_database(cluster, lines))
        if "workflow" in request:
            described = WorkflowFile.read(Path(request["workflow"]))
            table = run_under_load(
                jobs, described, request["strategy"], request["instants"], folder
            )
            name = "workflows.csv"
        else:
            table, name = replay(cluster, jobs), "replay.csv"
    with whole(folder / name) as draft:
        table.to_csv(draft, index=False)


if __name__ == "__main__":
    execute_request(Path(sys.argv[1]))
