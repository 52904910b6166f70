"""Run the pure policies on every period, and measure what features of jobs are divided by."""

import logging
from collections.abc import Sequence

import numpy as np
import pandas as pd

from schedlab.io import write_parquet
from schedlab.logs import logged
from schedlab.tuning import periods
from schedlab.tuning.mixed import FEATURES, scales_of


def simulate_pure(
    pieces: str,
    numbers: Sequence[int],
    processors: int,
    policies: Sequence[str],
    thresholds: Sequence[int | None],
    metrics: str,
    scales: str,
) -> None:
    """Write a row per threshold, policy and period, and a scale per feature.

    There are no rows, and scales of one, when the log is not at hand.
    """
    jobs = periods.read_periods(pieces, numbers)
    frame = periods.simulate_pure(jobs, processors, policies, thresholds)
    logging.info("%d runs, %d jobs", len(frame), frame["jobs"].sum())
    write_parquet(frame, metrics)
    found = scales_of(list(jobs.values()), processors) if jobs else np.ones(len(FEATURES))
    write_parquet(pd.DataFrame({"feature": FEATURES, "scale": found}), scales)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_pure(
            *(job.input.pieces, job.params.numbers, job.params.processors),
            *(job.params.policies, job.params.thresholds),
            *(job.output.metrics, job.output.scales),
        )
