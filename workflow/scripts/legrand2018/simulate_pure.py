"""Run pure policies on every period, under every threshold."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.legrand2018 import periods


def simulate_pure(
    pieces: str,
    numbers: Sequence[int],
    processors: int,
    policies: Mapping[str, str],
    thresholds: Sequence[int | None],
    dialect: str,
    tau: float,
    metrics: str,
) -> None:
    """Write a row per threshold, policy and period; none if the log is not available.

    `policies` maps labels to the policies that run: a registered name or an expression.
    """
    jobs = periods.read_periods(pieces, numbers)
    frame = periods.simulate_pure(jobs, processors, policies, thresholds, tau, dialect)
    logging.info("%d runs, %d jobs", len(frame), frame["jobs"].sum())
    write_parquet(frame, metrics)


if __name__ == "__main__":
    run_script(simulate_pure, snakemake)  # noqa: F821
