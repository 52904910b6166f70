"""Learn and tune a policy on the first half of a site's log, and test both on the second."""

import logging
from collections.abc import Mapping

from schedlab.flow.scripts import run_script
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table, Text, write_items
from schedlab.studies.site.figures import draw_held_out, nothing
from schedlab.studies.site.recommendation import own_policies
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.training import train
from schedlab.workbench.log import read_cleaned


def train_site(
    site: Mapping,
    jobs: str,
    ledger: str,
    lost: str,
    threads: int,
    outputs: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]],
) -> None:
    """Write the trained policies and their test results; `outputs` has the files by item."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    found = train(log, settings.points, settings.tuples, settings.trials, threads, settings.dialect)
    logging.info("policies:\n%s", found.policies)
    empty = "The second half of the log has no whole week"
    figure = draw_held_out(found.held_out) if len(found.held_out) else nothing(empty)
    parts = {
        "policies": Table(found.policies),
        "held_out": Table(found.held_out),
        "fig_held_out": Picture(figure, found.held_out),
        "held_out_said": Text(own_policies(found.held_out) | {"warnings": found.warnings}),
    }
    write_items(parts, outputs, words=words)


if __name__ == "__main__":
    run_script(train_site, snakemake)  # noqa: F821
