"""Table 1: the traces by weeks."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import ran_on, trace_facts, within

NOTE = (
    "duration: months from first to last submission; avg_duration: mean run time in seconds; "
    "avg_size: mean processors. Of the jobs that the experiments keep, in all weeks of the log's "
    "own clock but the first and the last."
)


def make_trace_facts(rows: Sequence[Mapping], jobs: Sequence[str], csv: str, md: str) -> None:
    """Write Table 1."""
    facts = pd.DataFrame(
        [
            trace_facts(PeriodExperiment(**row), within(read_parquet(path)))
            for row, path in zip(rows, jobs, strict=True)
        ]
    )
    tables.write_csv(facts, csv)
    tables.write_markdown(facts, md, f"Table 1: {ran_on(facts)}", NOTE, 1)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_trace_facts(
            rows=job.params.rows,
            jobs=job.input.jobs,
            csv=job.output.csv,
            md=job.output.md,
        )
