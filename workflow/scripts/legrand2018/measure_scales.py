"""Measure what features of jobs are divided by: their deviations over all periods."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from schedlab.io import write_parquet
from schedlab.logs import logged
from schedlab.tuning import periods
from schedlab.tuning.mixed import FEATURES, scales_of


def measure_scales(pieces: str, numbers: Sequence[int], processors: int, scales: str) -> None:
    """Write a scale per feature; they are one when the log is not at hand."""
    jobs = periods.read_periods(pieces, numbers)
    found = scales_of(list(jobs.values()), processors) if jobs else np.ones(len(FEATURES))
    write_parquet(pd.DataFrame({"feature": FEATURES, "scale": found}), scales)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        measure_scales(
            pieces=job.input.pieces,
            numbers=job.params.numbers,
            processors=job.params.processors,
            scales=job.output.scales,
        )
