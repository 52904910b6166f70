"""Sums of Table 2's searched weights by scaling and threshold, nearest to the paper first."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.legrand2018 import tables
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface


def make(
    row: Mapping,
    coverings: Sequence[tuple[str, int]],
    surfaces: Sequence[str],
    pure: str,
    published: str,
) -> dict[str, Table]:
    """Return a row per covering; `coverings` are pairs of scaling and threshold."""
    experiment, policies = PeriodExperiment(**row), read_parquet(pure)
    ways = {
        way: by_period(read_surface(path), policies, way[1], experiment.train)
        for way, path in zip(map(tuple, coverings), surfaces, strict=True)
    }
    table = tables.coverings(experiment, ways, read_published(published, "table2"))
    return {"coverings": Table(table, facts={"trace": experiment.name})}
