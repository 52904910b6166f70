"""Evidence on the numbers of Table 2 that are not reproduced: where each published sum can lie.

References
----------
legrand2018, Tables 2 and 3, section 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.report.columns import move_to_owners, read_owners
from schedlab.report.comparison import read_published
from schedlab.report.items import From, each, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import truncate
from schedlab.studies.legrand2018 import inputs
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, after_ties, pure_by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment, drawn_trace
from schedlab.studies.legrand2018.surface import Surface, read_surface
from schedlab.studies.legrand2018.tables import about, policy_label, printed, threshold_label

EVIDENCE = ["row", "column", "published", "evidence", "low", "high", "inside"]
# Table 3 rounds its sums over all weeks to two decimals, so each is within half a unit; Table 2
# cuts its sums.
HALF_UNIT = 0.005


@item("table2_evidence", section="Tables", **inputs.LARGE)
def make_evidence(
    row: inputs.Row,
    surfaces: Annotated[
        list[Surface],
        From(
            lambda study, _: [
                inputs.covered(study, scaling, drawn_trace(study.rows).threshold)
                for scaling in inputs.SCALINGS
            ],
            each(read_surface),
        ),
    ],
    pure: inputs.Pure,
    search: inputs.Search,
    varied: inputs.Varied,
    published: inputs.Published,
    owners: inputs.Owners,
) -> Table:
    """Return where published sums of Table 2 that are not reproduced can lie."""
    searches = pd.concat(
        [search.assign(setting="as used", changed_to=""), varied], ignore_index=True
    )
    table3 = move_to_owners(read_published(published, "table3"), read_owners(owners, "table3"))
    table = evidence(
        row,
        dict(zip(inputs.SCALINGS, surfaces, strict=True)),
        searches,
        pure,
        read_published(published, "table2"),
        table3[threshold_label(row.threshold)],
    )
    return Table(table, facts={"trace": row.name})


def evidence(
    experiment: PeriodExperiment,
    surfaces: Mapping[str, Surface],
    searches: pd.DataFrame,
    pure: pd.DataFrame,
    published: pd.DataFrame,
    totals: pd.Series,
) -> pd.DataFrame:
    """Return for numbers of Table 2 the range of sums by each explanation.

    - w*: sums of all searches of three and of six features, and of the grids of three.
    - w_greedy: sums of the vectors that are best together in the week before, by scaling.
    - Pure policies: what the published sum over all weeks leaves for these weeks, without the
      computed sums of the other weeks.

    A number is inside if the range has its published digits, cut after the last.
    """
    if experiment.stand_in or pure.empty:
        return pd.DataFrame(columns=["trace", "ran_on", *EVIDENCE])
    ranges = {"Training": experiment.train, "Testing": experiment.test}
    rows = []
    for column, ends in ranges.items():
        limits = [
            *((OPTIMUM, *each) for each in _optima(surfaces, searches, ends)),
            *((GREEDY, *each) for each in _ties(surfaces, ends)),
            *_remainders(pure_by_period(pure, experiment.threshold).map(printed), totals, ends),
        ]
        for row, what, low, high in limits:
            if row not in published.index:
                continue
            text = published.at[row, column]
            number, decimals = Decimal(text), len(text.partition(".")[2])
            inside = truncate(low, decimals) <= number <= truncate(high, decimals)
            cells = (row, column, text, what, low, high, "yes" if inside else "no")
            rows.append(about(experiment) | dict(zip(EVIDENCE, cells, strict=True)))
    table = pd.DataFrame(rows)
    order = {name: place for place, name in enumerate(published.index)}
    return table.sort_values("row", key=lambda names: names.map(order), kind="stable")


def _optima(
    surfaces: Mapping[str, Surface], searches: pd.DataFrame, ends: tuple[int, int]
) -> Iterator[tuple[str, float, float]]:
    """Yield the range of sums of w* with three features and with six."""
    grids = [_sum(surface.between(*ends).values.min(axis=1)) for surface in surfaces.values()]
    within = searches[searches["piece"].between(*ends)]
    sums = within.groupby(["features", "setting", "changed_to"])["value"].agg(_sum)
    for features, others in ((3, grids), (6, [])):
        every = [*sums.loc[features], *others]
        yield f"searches with {features} features", min(every), max(every)


def _ties(
    surfaces: Mapping[str, Surface], ends: tuple[int, int]
) -> Iterator[tuple[str, float, float]]:
    """Yield the range of sums of w_greedy over equally good vectors, by scaling."""
    for scaling, surface in surfaces.items():
        inside = (surface.pieces >= ends[0]) & (surface.pieces <= ends[1])
        low, high = (_sum(values[inside]) for values in after_ties(surface).T)
        yield f"equally good vectors, scaling: {scaling}", low, high


def _remainders(
    weeks: pd.DataFrame, totals: pd.Series, ends: tuple[int, int]
) -> Iterator[tuple[str, str, float, float]]:
    """Yield for each pure policy what its published total leaves for these weeks."""
    for name in weeks:
        row = policy_label(name)
        if row in totals.index:
            left = float(totals[row]) - weeks[name].drop(weeks.loc[slice(*ends)].index).sum()
            yield row, "remainder of Table 3", left - HALF_UNIT, left + HALF_UNIT


def _sum(values: np.ndarray | pd.Series) -> float:
    """Return the sum of averages that are rounded as the paper's simulator wrote them."""
    return float(sum(map(printed, values)))
