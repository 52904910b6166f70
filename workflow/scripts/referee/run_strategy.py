"""Run a workflow by a strategy on a real Slurm, under the load of a window's jobs."""

from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.slurm.accelerated import run_workflow_under_load
from schedlab.studies.referee.strategies import INSTANTS
from schedlab.studies.referee.windows import NODES

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log.messages):
        jobs = Jobs.from_frame(read_parquet(job.input.jobs))
        workflow, log = Path(job.input.workflow), Path(job.log.slurm)
        strategy, factor = job.params.strategy, job.params.factor
        stages = run_workflow_under_load(jobs, NODES, workflow, strategy, INSTANTS, factor, log)
        write_parquet(stages, job.output.stages)
