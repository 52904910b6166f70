"""Draw tuples from a workload and score their tasks by trials."""

from collections.abc import Sequence
from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
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
    run_script(score_distribution, snakemake)  # noqa: F821
