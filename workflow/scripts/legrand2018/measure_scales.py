"""Compute possible divisors of the features of jobs: deviations, maxima, or ones."""

from collections.abc import Sequence

import pandas as pd

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.weights.mixed import FEATURES, maxima_of, scales_of
from schedlab.studies.legrand2018 import periods


def measure_scales(pieces: str, numbers: Sequence[int], processors: int, scales: str) -> None:
    """Write a row per feature, a column per scaling; all are one if the log is not available."""
    jobs = list(periods.read_periods(pieces, numbers).values())
    table = pd.DataFrame({"feature": FEATURES, "deviation": 1.0, "maximum": 1.0, "none": 1.0})
    if jobs:
        table["deviation"] = scales_of(jobs, processors)
        table["maximum"] = maxima_of(jobs, processors)
    write_parquet(table, scales)


if __name__ == "__main__":
    run_script(measure_scales, snakemake)  # noqa: F821
