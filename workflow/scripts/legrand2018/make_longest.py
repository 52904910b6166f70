"""Table 7: the jobs of a trace that ran longest."""

from collections.abc import Mapping

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import longest, ran_on
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf

NOTE = (
    "The ten longest of the whole log. kept: whether the job lies within a whole week, or the "
    "cleaning rule that left it out of the experiments."
)


def make_longest(row: Mapping, jobs: str, ledger: str | None, csv: str, md: str) -> None:
    """Write Table 7 as .csv and .md; of a model's workload, which has no ledger, as well."""
    experiment = PeriodExperiment(**row)
    log = read_parquet(jobs) if ledger is None else read_swf(unaltered(jobs)).jobs
    changes = read_parquet(ledger) if ledger else pd.DataFrame(columns=[*LEDGER_DTYPES])
    table = longest(experiment, log, changes)
    tables.write_csv(table, csv)
    title = f"Table 7: the longest jobs, {ran_on(table) or experiment.label}"
    tables.write_markdown(table, md, title, NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_longest(
            row=job.params.row,
            jobs=job.input.jobs,
            ledger=job.input.get("ledger"),
            csv=job.output.csv,
            md=job.output.md,
        )
