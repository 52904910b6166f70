"""Beyond souza2020: the same strategies with other wait predictors."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, read_runs, systems_of
from schedlab.studies.souza2020.figures.beyond import draw_predictors
from schedlab.studies.souza2020.tables.predictors import headline, predictors

TITLE = "Strategies with other predictors of waits"


def make(stages: Sequence[str], rows: Sequence[Mapping]) -> dict[str, tuple[Table, Picture, str]]:
    """Return the table, the sentence and the figure."""
    table = predictors(read_runs(stages), systems_of(rows))
    finding, on = headline(table), background_of(rows)
    logging.info(finding)
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    figure = empty or draw_predictors(table, f"{TITLE}. {on}")
    captioned = Table(table, facts={"on": on}, more=finding)
    return {"beyond_predictors": (captioned, Picture(figure), finding)}
