"""Run a workflow by a strategy on a real Slurm, among what a window's users submit."""

from pathlib import Path

from schedlab.io import read_parquet, write_parquet
from schedlab.jobs import Jobs
from schedlab.logs import logged
from schedlab.referee.strategies import INSTANTS
from schedlab.referee.windows import NODES
from schedlab.slurm.accelerated import run_among

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log.said):
        jobs = Jobs.from_frame(read_parquet(job.input.jobs))
        workflow, log = Path(job.input.workflow), Path(job.log.slurm)
        strategy, factor = job.params.strategy, job.params.factor
        stages = run_among(jobs, NODES, workflow, strategy, INSTANTS, factor, log)
        write_parquet(stages, job.output.stages)
