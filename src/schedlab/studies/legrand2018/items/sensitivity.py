"""Sensitivity of the results of legrand2018 to scaling and to the settings of xNES."""

from collections.abc import Mapping

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface
from schedlab.studies.legrand2018.tables import scaling_sums, search_sums


def make(
    row: Mapping, scaled: str, unscaled: str, pure: str, search: str, varied: str
) -> dict[str, Table]:
    """Return the sums of mixed policies by scaling, and of xNES by its settings."""
    experiment, policies = PeriodExperiment(**row), read_parquet(pure)
    ways = {}
    for name, path in (("deviation", scaled), ("none", unscaled)):
        space = read_surface(path)
        ways[name] = by_period(space, policies, experiment.threshold, experiment.train)
    spaces = scaling_sums(experiment, ways)
    searches = search_sums(experiment, read_parquet(search), read_parquet(varied))
    table = pd.concat([spaces, searches], ignore_index=True)
    return {"sensitivity": Table(table, facts={"trace": experiment.name})}
