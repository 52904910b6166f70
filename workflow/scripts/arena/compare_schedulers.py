"""Run every scheduler once over a log, and guards of several strengths."""

import logging
from collections.abc import Mapping

from schedlab.comparison.runs import compare_schedulers, expressions_in
from schedlab.comparison.settings import ContestSettings
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.studies.arena.guards import run_guards


def compare(
    jobs: str,
    learned: str | None,
    settings: Mapping,
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    out: Mapping[str, str],
) -> None:
    """Write a row per scheduler and window, facts of the log, losing jobs and guards."""
    row = ContestSettings(**settings)
    expressions = expressions_in(learned) if learned else {}
    frame = read_parquet(jobs)
    with counted("runs", len(row.schedulers) + len(own)) as advance:
        found = compare_schedulers(row, frame, expressions, own, points, advice, threads, advance)
    logging.info("%s: %d rows", row.experiment, len(found.results))
    write_parquet(found.results, out["metrics"])
    write_parquet(found.facts, out["facts"])
    write_parquet(found.losers, out["losers"])
    write_parquet(run_guards(row, frame, threads), out["guards"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare(
            jobs=job.input.jobs,
            learned=job.input.learned or None,
            settings=job.params.settings,
            own=job.params.own,
            points=job.params.points,
            advice=job.params.advice,
            threads=job.threads,
            out=dict(job.output.items()),
        )
