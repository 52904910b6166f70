"""Run every scheduler over a site's log, and measure what it recorded."""

import logging
from collections.abc import Mapping

from schedlab.comparison.runs import expressions_in
from schedlab.comparison.schedulers import REFERENCE
from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.policies import get
from schedlab.studies.site.contest import TODAY, fight
from schedlab.studies.site.settings import SiteSettings
from schedlab.workbench.log import Log, read_cleaned


def fight_site(
    site: Mapping,
    log: Log,
    learned: str,
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    out: Mapping[str, str],
) -> None:
    """Write a row per scheduler and window, what the log is, and which jobs lose."""
    settings = SiteSettings.of(site)
    row = settings.contest(log)
    if get(settings.policy) != get(REFERENCE):
        own = dict(own) | {TODAY: get(settings.policy).expression}
    with counted("runs", len(row.schedulers) + len(own)) as advance:
        found = fight(
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
        fight_site(
            site=job.params.site,
            log=read_cleaned(job.input.jobs, job.input.ledger, job.input.lost),
            learned=job.input.learned,
            own=job.params.own,
            points=job.params.points,
            advice=job.params.advice,
            threads=job.threads,
            out=dict(job.output.items()),
        )
