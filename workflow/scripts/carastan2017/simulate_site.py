"""Run policies of all sites, or those that they are compared with, on the second half of a log."""

import logging
from collections.abc import Sequence

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.learning.transfer import tested_on
from schedlab.learning.windows import run_on_windows


def simulate_site(
    pieces: str,
    site: str,
    policies: Sequence[str],
    further: Sequence[str],
    processors: int,
    threads: int,
    measured: str,
) -> None:
    """Write the metric of every policy, regime and window; none if the log is not available.

    `policies` are tables of policies; resampled ones run only on their site. `further` are names
    and expressions.
    """
    windows = read_parquet(pieces)
    learned = [policy for path in policies for policy in tested_on(read_parquet(path), site)]
    frame = run_on_windows([*further, *learned], windows, processors, threads)
    logging.info("%d runs on %d jobs", len(frame), len(windows))
    write_parquet(frame, measured)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_site(
            pieces=job.input.pieces,
            site=job.params.label,
            policies=job.input.get("policies", []),
            further=job.params.further,
            processors=job.params.processors,
            threads=job.threads,
            measured=job.output.measured,
        )
