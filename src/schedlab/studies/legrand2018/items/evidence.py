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

NOTE = (
    "low and high: range of sums by this evidence; inside: whether the published sum is in it. "
    "searches: sums of w* by all settings of xNES, and on the grids of three features. equally "
    "good vectors: sums of w_greedy over vectors that are best together in the week before. "
    "remainder of Table 3: the sum over all weeks that Table 3 publishes, rounded, less the "
    "computed sums of the other weeks; if the published sum is outside, the paper contradicts "
    "itself."
)


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
    title = f"Where sums of Table 2 can lie: {experiment.name}"
    return {"table2_evidence": Table(table, title, NOTE)}
