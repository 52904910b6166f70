"""Run every scheduler over a site's log, and measure what it recorded."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.schedulers import REFERENCE
from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.policies import get
from schedlab.studies.site.contest import TODAY, fight
from schedlab.studies.site.settings import SiteSettings


def fight_site(
    site: Mapping,
    learned: str,
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    out: Mapping[str, str],
) -> None:
    """Write a row per scheduler and window, what the log is, and which jobs lose."""
    settings = SiteSettings.of(site)
    log = settings.open()
    row = settings.contest(log)
    table = pd.read_csv(learned)
    expressions = dict(zip(table["name"].str.lower(), table["expression"], strict=True))
    if get(settings.policy) != get(REFERENCE):
        own = dict(own) | {TODAY: get(settings.policy).expression}
    with counted("runs", len(row.schedulers) + len(own)) as advance:
        found = fight(
            *(row, log.frame, expressions, own, points, advice, threads, advance),
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
            learned=job.input.learned,
            own=job.params.own,
            points=job.params.points,
            advice=job.params.advice,
            threads=job.threads,
            out=dict(job.output.items()),
        )
