"""Run the policies of all sites, and those they are held against, on the second half of a log."""

import logging
from collections.abc import Sequence

from schedlab.io import read_parquet, write_parquet
from schedlab.learning.sites import YARDSTICKS, measure
from schedlab.logs import logged


def simulate_site(
    pieces: str, policies: Sequence[str], processors: int, threads: int, measured: str
) -> None:
    """Write the metric of every policy, regime and window; none when the log is not at hand."""
    windows = read_parquet(pieces)
    learned = [policy for path in policies for policy in read_parquet(path)["policy"]]
    frame = measure([*YARDSTICKS, *learned], windows, processors, threads)
    logging.info("%d runs on %d jobs", len(frame), len(windows))
    write_parquet(frame, measured)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_site(
            *(job.input.pieces, job.input.policies, job.params.processors, job.threads),
            job.output.measured,
        )
