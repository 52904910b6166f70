"""Predict the wait of every job of a site at its submission, and score the predictors."""

import logging
from collections.abc import Mapping

from schedlab.files.io import write_text
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.site.figures import nothing
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.waits import score, waits_summary
from schedlab.waits.figures import draw_waits
from schedlab.workbench.log import Log, read_cleaned

TITLE = "Predictors of waits, each of every job at its submission"


def predict_waits(site: Mapping, log: Log, out: Mapping[str, str]) -> None:
    """Write a row per kind of waits and predictor, and the figure; `out` has the files by item."""
    settings = SiteSettings.of(site)
    table, weeks = score(log, settings.forks)
    summary = waits_summary(table, weeks)
    logging.info(summary)
    write_text(summary, out["waits_said_txt"])
    tables.write_csv(table, out["waits_csv"])
    tables.write_markdown(table, out["waits_md"], TITLE, summary, decimals=1)
    drawn = table.assign(log=settings.label)
    tables.write_csv(drawn, out["fig_waits_csv"])
    waited = len(table) and table["wait"].max() > 0
    empty = "Nothing to predict: the log is too short, or no job waits"
    figure = draw_waits(drawn, TITLE, "on sample") if waited else nothing(empty)
    save(figure, out["fig_waits_pdf"], out["fig_waits_png"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        log = read_cleaned(job.input.jobs, job.input.ledger, job.input.lost)
        predict_waits(site=job.params.site, log=log, out=dict(job.output.items()))
