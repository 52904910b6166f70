"""Run policies of all sites, or those that they are compared with, on the second half of a log."""

import logging
from collections.abc import Sequence

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.transfer import tested_on
from schedlab.learning.windows import run_on_windows


def simulate_site(
    pieces: str,
    label: str,
    further: Sequence[str],
    processors: int,
    threads: int,
    measured: str,
    learned: Sequence[str] = (),
) -> None:
    """Write the metric of every policy, regime and window; none if the log is not available.

    `learned` are tables of policies; resampled ones run only on their site. `further` are names
    and expressions.
    """
    windows = read_parquet(pieces)
    policies = [policy for path in learned for policy in tested_on(read_parquet(path), label)]
    frame = run_on_windows([*further, *policies], windows, processors, threads)
    logging.info("%d runs on %d jobs", len(frame), len(windows))
    write_parquet(frame, measured)


if __name__ == "__main__":
    run_script(simulate_site, snakemake)  # noqa: F821
