"""Simulate the published tuples once more with both samplers, beside the published scores."""

import logging
from collections.abc import Sequence
from pathlib import Path

from schedlab.io import read_parquet, write_parquet
from schedlab.jobs import Jobs
from schedlab.learning import scores
from schedlab.logs import logged
from schedlab.report.tables import NOT_AT_HAND
from schedlab.traces.records import unaltered


def compare_samplers(
    published: str,
    jobs: str | None,
    processors: int,
    trials: int,
    key: Sequence[str],
    threads: int,
    beside: str,
) -> None:
    """Write one row per published task; none when `jobs` or the scores are not at hand."""
    theirs = scores.read_published(unaltered(published))
    workload = Jobs.from_frame(read_parquet(jobs)) if jobs else ()
    if theirs.empty or not len(workload):
        logging.warning("published score distribution or its workload: %s", NOT_AT_HAND)
        theirs, tuples = theirs.iloc[:0], []
    else:
        tuples = scores.locate(theirs, workload)
    parts = {sampler: Path(f"{beside}.{sampler}.part") for sampler in scores.SAMPLERS}
    ours = {
        sampler: scores.score_distribution(tuples, processors, trials, sampler, key, part, threads)
        for sampler, part in parts.items()
    }
    write_parquet(scores.beside_published(theirs, **ours), beside)
    for part in parts.values():
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_samplers(
            *(job.input.published, job.input.get("jobs"), job.params.processors),
            *(job.params.trials, job.params.key, job.threads, job.output.beside),
        )
