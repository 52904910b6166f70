"""Predict the wait of every job of a site at its submission, and score the predictors."""

import logging
from collections.abc import Mapping

from schedlab.flow.scripts import run_script
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table, write_items
from schedlab.report.words import filled, in_lines
from schedlab.studies.site.figures import nothing
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.waits import facts_of_waits, score
from schedlab.waits.figures import draw_waits
from schedlab.workbench.log import read_cleaned


def predict_waits(
    site: Mapping,
    jobs: str,
    ledger: str,
    lost: str,
    outputs: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]],
) -> None:
    """Write a row per kind of waits and predictor, and the figure, to the files of the items."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    table, weeks = score(log, settings.forks)
    summary = in_lines(filled(words["waits_said"]["text"], facts_of_waits(table, weeks)))
    logging.info(summary)
    drawn = table.assign(log=settings.label)
    waited = len(table) and table["wait"].max() > 0
    empty = "Nothing to predict: the log is too short, or no job waits"
    figure = draw_waits(drawn, words["waits"]["title"], "on sample") if waited else nothing(empty)
    parts = {"waits": Table(table, 1, more=summary), "fig_waits": Picture(figure, drawn)}
    write_items(parts | {"waits_said": summary}, outputs, words=words)


if __name__ == "__main__":
    run_script(predict_waits, snakemake)  # noqa: F821
