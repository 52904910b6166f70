"""Predict the wait of every job of a site at its submission, and score the predictors."""

import logging
from collections.abc import Mapping

from schedlab.files.io import write_text
from schedlab.flow.scripts import run_script
from schedlab.report import tables
from schedlab.report.figures.picture import save
from schedlab.studies.site.figures import nothing
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.waits import score, waits_summary
from schedlab.waits.figures import draw_waits
from schedlab.workbench.log import read_cleaned

TITLE = "Predictors of waits, each of every job at its submission"


def predict_waits(
    site: Mapping, jobs: str, ledger: str, lost: str, outputs: Mapping[str, str]
) -> None:
    """Write a row per kind of waits and predictor, and the figure, to the files of the items."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    table, weeks = score(log, settings.forks)
    summary = waits_summary(table, weeks)
    logging.info(summary)
    write_text(summary, outputs["waits_said_txt"])
    tables.write_csv(table, outputs["waits_csv"])
    tables.write_markdown(table, outputs["waits_md"], TITLE, summary, decimals=1)
    drawn = table.assign(log=settings.label)
    tables.write_csv(drawn, outputs["fig_waits_csv"])
    waited = len(table) and table["wait"].max() > 0
    empty = "Nothing to predict: the log is too short, or no job waits"
    figure = draw_waits(drawn, TITLE, "on sample") if waited else nothing(empty)
    save(figure, outputs["fig_waits_pdf"], outputs["fig_waits_png"])


if __name__ == "__main__":
    run_script(predict_waits, snakemake)  # noqa: F821
