"""Try changed settings of a site's own Slurm, one at a time, and search for better ones."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from schedlab.core.slurm_site import Site
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.site_cells import with_settings
from schedlab.studies.site.advice import WHOLE_LOG, advise
from schedlab.studies.site.calibration import with_changes
from schedlab.studies.site.changes import changes_of, table_of
from schedlab.studies.site.search import search
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.trials import Trials, course_of, ratios_on, try_changes
from schedlab.workbench.log import read_cleaned


def try_settings(
    site: Mapping,
    jobs: str,
    ledger: str,
    lost: str,
    changes: str,
    schedule: str,
    advice: Mapping[str, float],
    threads: int,
    outputs: Mapping[str, str],
) -> None:
    """Write the results of each change, its groups of jobs, and the changes."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    log = replace(log, zone=settings.timezone or log.zone)
    happened = pd.read_csv(changes)
    slurm = dialect_of(settings.dialect).site
    assert slurm is not None

    def read(texts: Sequence[str]) -> Site:
        changed = replace(slurm, site=with_settings(settings.dialect, texts))
        return with_changes(changed, happened, log, settings.changes or changes).site

    slurm = with_changes(slurm, happened, log, settings.changes or changes)
    every = course_of(log, slurm, read, read_parquet(schedule)).latest(len(log), settings.days)
    course = every.latest(settings.tries["jobs"], settings.days)
    course = replace(course, today=course.starts(None))
    tried = changes_of(slurm.site)
    with counted("changed settings", len(tried) + 1) as advance:
        trials = try_changes(course, tried, threads, advance)
    count = settings.tries["search"]
    with counted("simulations of the search", count) as advance:
        best = search(course, count, advice["longest_wait"], threads, advance)
    logging.info("search: %s", best)
    if best.change:
        tried.append(best.change)
        trials = Trials.joined(trials, try_changes(course, [best.change], today=course.today))
    write_parquet(trials.results, outputs["results"])
    write_parquet(trials.groups, outputs["groups"])
    write_parquet(trials.refused, outputs["refused"])
    facts = {"jobs": len(course.log), "of": len(log), "split": len(course.training)}
    advised = advise(trials, tried, len(course.training), advice["longest_wait"])
    if advised.verdict == "change" and len(course.log) < len(every.log):
        (first,) = [one for one in tried if one.label == advised.order[0]]
        facts |= dict(zip(WHOLE_LOG, ratios_on(every, first, advice["longest_wait"]), strict=True))
    facts |= {"evaluations": best.evaluations, "value": best.value}
    facts |= {"searched": best.change.label if best.change else ""}
    write_parquet(table_of(tried).assign(**facts), outputs["changes"])


if __name__ == "__main__":
    run_script(try_settings, snakemake)  # noqa: F821
