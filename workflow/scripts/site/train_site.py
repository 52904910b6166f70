"""Learn and tune a policy on the first half of a site's log, and test both on the second."""

import logging
from collections.abc import Mapping

from schedlab.files.io import write_text
from schedlab.flow.scripts import run_script
from schedlab.report import tables
from schedlab.report.figures.picture import save
from schedlab.studies.site.figures import draw_held_out, nothing
from schedlab.studies.site.recommendation import own_policies
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.training import train
from schedlab.workbench.log import read_cleaned


def train_site(
    site: Mapping, jobs: str, ledger: str, lost: str, threads: int, outputs: Mapping[str, str]
) -> None:
    """Write the trained policies and their test results; `outputs` has the files by item."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    found = train(log, settings.points, settings.tuples, settings.trials, threads, settings.dialect)
    summary = own_policies(found.held_out)
    words = [f"{summary[0].upper()}{summary[1:]}.", *(f"{word}." for word in found.warnings)]
    logging.info(" ".join(words))
    write_text("\n".join(words), outputs["held_out_said_txt"])
    for item, table in {"policies": found.policies, "held_out": found.held_out}.items():
        tables.write_csv(table, outputs[f"{item}_csv"])
        tables.write_markdown(table, outputs[f"{item}_md"], item.replace("_", " ").capitalize())
    tables.write_csv(found.held_out, outputs["fig_held_out_csv"])
    empty = "The second half of the log has no whole week"
    figure = draw_held_out(found.held_out) if len(found.held_out) else nothing(empty)
    save(figure, outputs["fig_held_out_pdf"], outputs["fig_held_out_png"])


if __name__ == "__main__":
    run_script(train_site, snakemake)  # noqa: F821
