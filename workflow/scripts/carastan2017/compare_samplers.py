"""Simulate the published tuples with both samplers, next to the published scores."""

import logging
from collections.abc import Sequence
from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.distributions import join_published, locate, read_published
from schedlab.learning.scores import SAMPLERS, score_distribution
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.traces.records import unaltered


def compare_samplers(
    published: str,
    processors: int,
    trials: int,
    key: Sequence[str],
    threads: int,
    code: str,
    joined: str,
    jobs: str | None = None,
) -> None:
    """Write one row per published task; none when `jobs` or the scores are not available."""
    released = read_published(unaltered(published))
    workload = Jobs.from_frame(read_parquet(jobs)) if jobs else ()
    if released.empty or not len(workload):
        logging.warning("published score distribution or its workload: %s", NOT_AVAILABLE)
        released, tuples = released.iloc[:0], []
    else:
        tuples = locate(released, workload)
    parts = {sampler: Path(f"{joined}.{sampler}.part") for sampler in SAMPLERS}
    computed = {
        sampler: score_distribution(
            tuples, processors, trials, sampler, key, part, threads, code=code
        )
        for sampler, part in parts.items()
    }
    write_parquet(join_published(released, **computed), joined)
    for part in parts.values():
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(compare_samplers, snakemake)  # noqa: F821
