"""Schedule a window on a real Slurm."""

from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.slurm.accelerated import replayed
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.windows import NODES

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log.messages):
        setting = SETTINGS[job.wildcards.order]
        jobs = Jobs.from_frame(read_parquet(job.input.jobs))
        log = Path(job.log.slurm)
        found = replayed(jobs, NODES, setting.lines, setting.database, job.params.factor, log)
        write_parquet(found, job.output.jobs)
