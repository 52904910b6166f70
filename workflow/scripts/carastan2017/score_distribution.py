"""Draw tuples from a workload and score their tasks by trials."""

from collections.abc import Sequence
from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.resume import digest_of
from schedlab.learning.scores import score_distribution as distribution_of
from schedlab.learning.tuples import draw_tuples


def score_distribution(
    jobs: str,
    processors: int,
    tuples: int,
    trials: int,
    sampler: str,
    key: Sequence[str],
    threads: int,
    code: str,
    scores: str,
) -> None:
    """Write the distribution; one of a log that is not available has no rows."""
    workload = Jobs.from_frame(read_parquet(jobs))
    drawn = draw_tuples(workload, tuples, *key, "places") if len(workload) else []
    part = Path(f"{scores}.part")
    frame = distribution_of(drawn, processors, trials, sampler, key, part, threads, code=code)
    write_parquet(frame, scores)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        score_distribution(
            jobs=job.input.jobs,
            processors=job.params.processors,
            tuples=job.params.tuples,
            trials=job.params.trials,
            sampler=job.wildcards.sampler,
            key=job.params.key,
            threads=job.threads,
            code=digest_of([job.params.environment, job.params.code]).hex(),
            scores=job.output.scores,
        )
