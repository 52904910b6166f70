"""Run every scheduler over a site's log, and evaluate the recorded schedule."""

import logging
from collections.abc import Mapping

from schedlab.comparison.runs import expressions_in
from schedlab.comparison.schedulers import REFERENCE
from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.policies import get
from schedlab.studies.site.comparison import TODAY, compare_on_site
from schedlab.studies.site.settings import SiteSettings
from schedlab.workbench.log import Log, read_cleaned


def compare_site(
    site: Mapping,
    log: Log,
    learned: str,
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    out: Mapping[str, str],
) -> None:
    """Write a row per scheduler and window, facts of the log, and the losing jobs."""
    settings = SiteSettings.of(site)
    row = settings.contest(log)
    if get(settings.policy) != get(REFERENCE):
        own = dict(own) | {TODAY: get(settings.policy).expression}
    with counted("runs", len(row.schedulers) + len(own)) as advance:
        found = compare_on_site(
            *(row, log.frame, expressions_in(learned), own, points, advice, threads, advance),
            settings.dialect,
        )
    logging.info("%s: %d rows", settings.label, len(found.results))
    write_parquet(found.results, out["metrics"])
    write_parquet(found.facts, out["facts"])
    write_parquet(found.losers, out["losers"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_site(
            site=job.params.site,
            log=read_cleaned(job.input.jobs, job.input.ledger, job.input.lost),
            learned=job.input.learned,
            own=job.params.own,
            points=job.params.points,
            advice=job.params.advice,
            threads=job.threads,
            out=dict(job.output.items()),
        )
