"""Predictors of waits scored on the jobs of logs."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.souza2020.waits import score
from schedlab.report import tables

NOTE = (
    "wait: mean of the scored jobs, error: mean absolute error, in s; on sample: the error over "
    "the jobs that the queue simulation was asked about; covered: per cent of jobs that waited no "
    "longer than the quantile bound, which is meant to be 95 or more."
)


def score_waits(predicted: Sequence[str], rows: Sequence[Mapping], csv: str, md: str) -> None:
    """Write a row per log and predictor."""
    named = zip(predicted, rows, strict=True)
    found = [score(read_parquet(path), row["source"]) for path, row in named]
    table = pd.concat(found, ignore_index=True)
    tables.write_csv(table, csv)
    digits = {"wait": 0, "error": 0, "on sample": 0, "covered": 1}
    tables.write_markdown(table, md, "Predictors of waits on logs", NOTE, digits)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        score_waits(
            predicted=job.input.predicted,
            rows=job.params.rows,
            csv=job.output.waits_csv,
            md=job.output.waits_md,
        )
