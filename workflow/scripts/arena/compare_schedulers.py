"""Run every scheduler once over a log, and guards of several strengths."""

import logging
from collections.abc import Mapping

from schedlab.comparison.runs import columns_of, compare_schedulers, expressions_in
from schedlab.comparison.settings import ContestSettings
from schedlab.files.io import columns_in, read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.queue.dialect_cells import dialect_of
from schedlab.studies.arena.guards import run_guards


def compare(
    jobs: str,
    settings: Mapping,
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    outputs: Mapping[str, str],
    learned: str | None = None,
) -> None:
    """Write a row per scheduler and window, facts of the log, losing jobs and guards."""
    row = ContestSettings(**settings)
    expressions = expressions_in(learned) if learned else {}
    frame = read_parquet(jobs, columns=columns_of(row, own, columns_in(jobs)))
    with counted("runs", len({*row.schedulers, *own})) as advance:
        found = compare_schedulers(
            *(row, frame, expressions, own, points, advice, threads, advance),
            dialect_of(row.dialect),
        )
    logging.info("%s: %d rows", row.experiment, len(found.results))
    write_parquet(found.results, outputs["metrics"])
    write_parquet(found.facts, outputs["facts"])
    write_parquet(found.losers, outputs["losers"])
    write_parquet(run_guards(row, frame, threads), outputs["guards"])


if __name__ == "__main__":
    run_script(compare, snakemake)  # noqa: F821
