"""Predict waits of a log's jobs, each at its submission."""

from collections.abc import Mapping

from schedlab.io import read_parquet, write_parquet
from schedlab.jobs import Jobs
from schedlab.logs import logged
from schedlab.papers.souza2020.runs import learning_of
from schedlab.papers.souza2020.sheet import WaitSettings
from schedlab.papers.souza2020.waits import predict
from schedlab.progress import counted


def predict_waits(
    log: str,
    settings: Mapping,
    size: int,
    learning: Mapping,
    jobs: int,
    forks: int,
    predicted: str,
) -> None:
    """Write a row per scored job and predictor."""
    everybody = Jobs.from_frame(read_parquet(log))
    with counted("jobs", jobs) as advance:
        found = predict(
            WaitSettings(**settings), everybody, size, learning_of(learning), jobs, forks, advance
        )
    write_parquet(found, predicted)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        predict_waits(
            log=job.input.jobs,
            settings=job.params.settings,
            size=job.params.size,
            learning=job.params.learning,
            **job.params.waits,
            predicted=job.output.predicted,
        )
