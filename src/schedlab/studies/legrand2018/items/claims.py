"""Compare the claims in the text of legrand2018 with the simulations."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.legrand2018 import claims
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface


def make(
    rows: Sequence[Mapping], surfaces: Sequence[str], pure: Sequence[str], searches: Sequence[str]
) -> dict[str, tuple[Table, str]]:
    """Return a row per claim and trace, and a sentence with the counts."""
    frames = []
    for row, surface, runs, search in zip(rows, surfaces, pure, searches, strict=True):
        experiment = PeriodExperiment(**row)
        space, policies = read_surface(surface), read_parquet(runs)
        table = by_period(space, policies, experiment.threshold, experiment.train)
        evidence = (experiment, table, policies, space, read_parquet(search))
        frames.append(claims.check(claims.Evidence(*evidence)))
    checked = pd.concat(frames, ignore_index=True)
    summary = claims.count(checked)
    logging.info(summary)
    return {"claims": (Table(checked, more=summary), summary)}
