"""Predict the wait of every job of a log at its submission."""

from collections.abc import Mapping

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.souza2020.runs import learning_of
from schedlab.studies.souza2020.sheet import WaitSettings
from schedlab.studies.souza2020.waits import predict


def predict_waits(
    jobs: str, settings: Mapping, size: int, learning: Mapping, forks: int, predicted: str
) -> None:
    """Write a row per kind of waits and scored job."""
    row = WaitSettings(**settings)
    write_parquet(predict(row, read_parquet(jobs), size, learning_of(learning), forks), predicted)


if __name__ == "__main__":
    run_script(predict_waits, snakemake)  # noqa: F821
