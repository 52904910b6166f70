"""Run every scheduler on the windows of a site's log, its own record beside them."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.io import write_parquet
from schedlab.logs import logged
from schedlab.progress import counted
from schedlab.site.contest import fight
from schedlab.site.settings import SiteSettings


def fight_site(
    site: Mapping,
    learned: str,
    own: Mapping[str, str],
    points: int,
    threads: int,
    metrics: str,
    facts: str,
) -> None:
    """Write a row per scheduler and window, and what the log is."""
    settings = SiteSettings.of(site)
    log = settings.open()
    row = settings.contest(log)
    table = pd.read_csv(learned)
    expressions = dict(zip(table["name"].str.lower(), table["expression"], strict=True))
    with counted("runs", row.windows * (len(row.schedulers) + len(own))) as advance:
        given = (row, log.frame, expressions, own, points, threads, advance, settings.dialect)
        results, known = fight(*given)
    logging.info("%s: %d rows", settings.label, len(results))
    write_parquet(results, metrics)
    write_parquet(known, facts)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        fight_site(
            site=job.params.site,
            learned=job.input.learned,
            own=job.params.own,
            points=job.params.points,
            threads=job.threads,
            metrics=job.output.metrics,
            facts=job.output.facts,
        )
