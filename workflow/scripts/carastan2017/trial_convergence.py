"""Repeat trial score distributions of one tuple with increasing numbers of trials."""

from collections.abc import Sequence

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.scores import SAMPLERS, convergence
from schedlab.learning.tuples import draw_tuples

REPETITIONS = 10


def trial_convergence(
    jobs: str,
    processors: int,
    counts: Sequence[int],
    key: Sequence[str],
    threads: int,
    deviations: str,
) -> None:
    """Write the deviations of both samplers; none if the log is not available."""
    workload = Jobs.from_frame(read_parquet(jobs))
    frames = [pd.DataFrame(columns=["sampler", "trials", "task", "deviation"])]
    if len(workload):
        # The first tuple of the distribution itself.
        (one,) = draw_tuples(workload, 1, *key, "places")
        own = (*key, "convergence")
        frames = [
            convergence(one, processors, counts, REPETITIONS, sampler, own, threads)
            for sampler in SAMPLERS
        ]
    write_parquet(pd.concat(frames, ignore_index=True), deviations)


if __name__ == "__main__":
    run_script(trial_convergence, snakemake)  # noqa: F821
