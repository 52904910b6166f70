"""Beyond souza2020: Algorithm 1 with falling rates, compared with the configured ones."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, read_runs, read_stages, systems_of
from schedlab.studies.souza2020.figures.rates import draw_rates
from schedlab.studies.souza2020.runs import learning_of
from schedlab.studies.souza2020.tables.accuracy import of_submissions
from schedlab.studies.souza2020.tables.rates import (
    headline,
    of_figure,
    of_games,
    of_runs,
    of_series,
)

TITLE = "Algorithm 1 with falling rates"


def make(
    stages: Sequence[str],
    series: Sequence[str],
    games: str,
    learning: Mapping,
    convergence: Mapping,
    rows: Sequence[Mapping],
) -> dict[str, Table | tuple[Table, Picture, str]]:
    """Return the tables, the sentence and the figure."""
    played = pd.read_csv(games)
    settings, systems = learning_of(learning), systems_of(rows)
    runs, submitted = read_runs(stages), of_submissions(read_stages(series), settings.alternatives)
    table = _concatenate(
        of_figure(settings, **convergence),
        of_games(played),
        of_runs(runs, systems),
        of_series(submitted, systems),
    )
    by_run = _concatenate(of_runs(runs), of_series(submitted))
    on = background_of(rows)
    finding = headline(table, played, list(dict.fromkeys(systems.values())))
    logging.info(finding)
    figure = draw_rates(table, f"{TITLE}. {on}")
    captioned = Table(table, facts={"on": on}, more=finding)
    return {
        "beyond_rates": (captioned, Picture(figure), finding),
        "beyond_rates_runs": Table(by_run, facts={"on": on}),
    }


def _concatenate(*parts: pd.DataFrame) -> pd.DataFrame:
    """Concatenate tables, and skip those without rows: their column types are undefined."""
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else parts[0]
