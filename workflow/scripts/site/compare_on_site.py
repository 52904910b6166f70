"""Run every scheduler over a site's log, and evaluate the recorded schedule."""

import logging
from collections.abc import Mapping

from schedlab.comparison.runs import expressions_in
from schedlab.comparison.schedulers import REFERENCE
from schedlab.files.io import write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.policies import get
from schedlab.studies.site.comparison import TODAY, compare_on_site
from schedlab.studies.site.settings import SiteSettings
from schedlab.workbench.log import read_cleaned


def compare_site(
    site: Mapping,
    jobs: str,
    ledger: str,
    lost: str,
    learned: str,
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int,
    outputs: Mapping[str, str],
) -> None:
    """Write a row per scheduler and window, facts of the log, and the losing jobs."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    row = settings.contest(log)
    if get(settings.policy) != get(REFERENCE):
        own = dict(own) | {TODAY: get(settings.policy).expression}
    with counted("runs", len(row.schedulers) + len(own)) as advance:
        found = compare_on_site(
            *(row, log.frame, expressions_in(learned), own, points, advice, threads, advance),
            settings.dialect,
        )
    logging.info("%s: %d rows", settings.label, len(found.results))
    write_parquet(found.results, outputs["metrics"])
    write_parquet(found.facts, outputs["facts"])
    write_parquet(found.losers, outputs["losers"])


if __name__ == "__main__":
    run_script(compare_site, snakemake)  # noqa: F821
