"""Run every scheduler on the windows of a log."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.arena.runs import run_contest
from schedlab.arena.sheet import ContestSettings
from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.progress import counted


def fight(
    jobs: str,
    learned: str,
    settings: Mapping,
    own: Mapping[str, str],
    points: int,
    threads: int,
    metrics: str,
    facts: str,
) -> None:
    """Write a row per scheduler and window, and what the log is."""
    row = ContestSettings(**settings)
    table = pd.read_csv(learned)
    expressions = dict(zip(table["name"].str.lower(), table["expression"], strict=True))
    with counted("runs", row.windows * (len(row.schedulers) + len(own))) as advance:
        results, known = run_contest(
            row, read_parquet(jobs), expressions, own, points, threads, advance
        )
    logging.info("%s: %d runs", row.experiment, len(results))
    write_parquet(results, metrics)
    write_parquet(known, facts)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        fight(
            jobs=job.input.jobs,
            learned=job.input.learned,
            settings=job.params.settings,
            own=job.params.own,
            points=job.params.points,
            threads=job.threads,
            metrics=job.output.metrics,
            facts=job.output.facts,
        )
