"""Where published sums of Table 2 that are not reproduced can lie."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.columns import move_to_owners, read_owners
from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.evidence import evidence
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface
from schedlab.studies.legrand2018.tables import threshold_label


def make(
    row: Mapping,
    scalings: Sequence[str],
    surfaces: Sequence[str],
    pure: str,
    search: str,
    varied: str,
    published: str,
    owners: str,
) -> dict[str, Table]:
    """Return the evidence by number and explanation; `surfaces` are those of the scalings."""
    experiment = PeriodExperiment(**row)
    default = read_parquet(search).assign(setting="as used", changed_to="")
    table = evidence(
        experiment,
        dict(zip(scalings, map(read_surface, surfaces), strict=True)),
        pd.concat([default, read_parquet(varied)], ignore_index=True),
        read_parquet(pure),
        read_published(published, "table2"),
        move_to_owners(read_published(published, "table3"), read_owners(owners, "table3"))[
            threshold_label(experiment.threshold)
        ],
    )
    return {"table2_evidence": Table(table, facts={"trace": experiment.name})}
