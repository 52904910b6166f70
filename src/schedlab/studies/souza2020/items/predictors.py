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
NOTE = (
    "Means over replicates, scales and workflows: TWT and makespan in s, core-hours. resubmitted: "
    "resubmitted stages per workflow. (%): change against Per-Stage. learned: TWT minus that with "
    "Algorithm 1, in s. delay: makespan minus that with perfect knowledge of the waits, in s. "
    "lost: additional core-hours per workflow compared with perfect knowledge, plus delay times "
    "the cores of the scale. low and high: 95 % interval over replicates."
)


def make(stages: Sequence[str], rows: Sequence[Mapping]) -> dict[str, tuple[Table, Picture, str]]:
    """Return the table, the sentence and the figure."""
    table = predictors(read_runs(stages), systems_of(rows))
    finding, on = headline(table), background_of(rows)
    logging.info(finding)
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    figure = empty or draw_predictors(table, f"{TITLE}. {on}")
    captioned = Table(table, TITLE, f"{on} {NOTE}\n\n{finding}")
    return {"beyond_predictors": (captioned, Picture(figure), finding)}
