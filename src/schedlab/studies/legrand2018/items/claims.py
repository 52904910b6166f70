"""Test the claims of legrand2018 on the simulations of each trace."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.claims import check_results, counted, read_claims
from schedlab.report.parts import Table
from schedlab.studies.legrand2018 import statistics
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface
from schedlab.studies.legrand2018.tables import about


def make(
    rows: Sequence[Mapping],
    surfaces: Sequence[str],
    pure: Sequence[str],
    searches: Sequence[str],
    claims: str,
) -> dict[str, tuple[Table, str]]:
    """Return a row per claim and trace, and a sentence with the counts."""
    sentences, frames = read_claims(claims, statistics), []
    for row, surface, runs, search in zip(rows, surfaces, pure, searches, strict=True):
        experiment = PeriodExperiment(**row)
        space, policies = read_surface(surface), read_parquet(runs)
        table = by_period(space, policies, experiment.threshold, experiment.train)
        evidence = statistics.Evidence(experiment, table, policies, space, read_parquet(search))
        frames.append(check_results(sentences, statistics.kinds(evidence), about(experiment)))
    return counted(pd.concat(frames, ignore_index=True))
