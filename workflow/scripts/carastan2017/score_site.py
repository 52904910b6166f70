"""Draw contended tuples from the first half of a site's log and score their tasks by trials."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.scores import score_distribution
from schedlab.learning.sites import Draws, draw_contended, effective_tasks, first_half


def score_site(
    jobs: str,
    label: str,
    processors: int,
    settings: Mapping[str, int],
    key: Sequence[str],
    threads: int,
    code: str,
    scores: str,
    draws: str,
) -> None:
    """Write the scores and facts of the draws; no scores if too few tuples are contended."""
    early = first_half(Jobs.from_frame(read_parquet(jobs)))
    found = Draws([], 0)
    if len(early):
        found = draw_contended(early, processors, settings["tuples"], *key, "places")
    logging.info("%s: %d of %d tuples are contended", label, len(found.tuples), found.drawn)
    tuples = found.tuples if len(found.tuples) >= settings["fewest"] else []
    part = Path(f"{scores}.part")
    frame = score_distribution(
        tuples, processors, settings["trials"], "uniform", key, part, threads, code=code
    )
    row = {"site": label, "processors": processors, "jobs": len(early), "drawn": found.drawn}
    row |= {"contended": len(found.tuples), "effective_tasks": effective_tasks(frame)}
    write_parquet(pd.DataFrame([row]), draws)
    write_parquet(frame, scores)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(score_site, snakemake)  # noqa: F821
