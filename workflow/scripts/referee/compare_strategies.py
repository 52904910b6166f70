"""Put the strategies' real runs beside the simulation of the same load."""

from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report.tables import write_csv, write_markdown
from schedlab.slurm.among import simulated_among
from schedlab.slurm.described import Described
from schedlab.studies.referee.strategies import INSTANTS, NOTE, strategies_table
from schedlab.studies.referee.windows import NODES

DIGITS = {"core_hours": 2, "idle_core_hours": 2}

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        jobs = Jobs.from_frame(read_parquet(job.input.jobs))
        workflow = Described.read(Path(job.input.workflow)).workflow
        found = {}
        for strategy, path in zip(job.params.strategies, job.input.real, strict=True):
            found[strategy, "real"] = read_parquet(path)
            found[strategy, "simulated"] = simulated_among(
                jobs, workflow, strategy, INSTANTS, NODES
            )
        table = strategies_table(found)
        digits = {
            name: next((kept for start, kept in DIGITS.items() if name.startswith(start)), 0)
            for name in table.columns[2:]
        }
        write_csv(table, job.output.csv)
        write_markdown(table, job.output.md, "Strategies on a real Slurm", NOTE, digits)
