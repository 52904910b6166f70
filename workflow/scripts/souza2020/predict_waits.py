"""Predict the wait of every job of logs, at its submission."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.papers.souza2020.runs import learning_of
from schedlab.papers.souza2020.sheet import WaitSettings
from schedlab.papers.souza2020.waits import predict


def predict_waits(
    logs: Sequence[str],
    settings: Sequence[Mapping],
    sizes: Sequence[int],
    learning: Mapping,
    forks: int,
    predicted: str,
) -> None:
    """Write a row per log, kind of waits and scored job."""
    rows = [WaitSettings(**cells) for cells in settings]
    found = [
        predict(row, read_parquet(log), size, learning_of(learning), forks).assign(
            source=row.source
        )
        for row, log, size in zip(rows, logs, sizes, strict=True)
    ]
    write_parquet(pd.concat(found, ignore_index=True), predicted)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        predict_waits(
            logs=job.input.jobs,
            settings=job.params.settings,
            sizes=job.params.sizes,
            learning=job.params.learning,
            forks=job.params.forks,
            predicted=job.output.predicted,
        )
