"""Statistics of the simulations of legrand2018 that its claims.tsv names.

If a claim leaves a bound open, its text states the bound. It follows from the paper's numbers where
they are published: in Table 2 w* is 0.50 and 0.55 of SAF, w*_train 0.99 and 1.08. Resampled weeks
decide (`schedlab.report.claims.decide`). Training and testing weeks are resampled separately, in
blocks of neighbors, identically for all policies, weights and searches. Weights are not learned
again from resampled weeks.

References
----------
legrand2018, sections 6 to 10.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from sys import modules
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import block_length, resampled_places
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.report.claims import (
    RESAMPLES,
    Facts,
    Sample,
    StandIn,
    check_results,
    counted,
    read_claims,
)
from schedlab.report.columns import move_to_owners, read_owners
from schedlab.report.comparison import read_published
from schedlab.report.items import From, each, item, resource
from schedlab.report.parts import Table
from schedlab.report.verdicts import truncate
from schedlab.studies.legrand2018 import inputs
from schedlab.studies.legrand2018.adaptation import (
    GREEDY,
    OPTIMUM,
    after_ties,
    by_period,
    pure_by_period,
    sums,
)
from schedlab.studies.legrand2018.inputs import LARGE, CoveredByTrace, Rows, RunsByTrace, results
from schedlab.studies.legrand2018.periods import Surface, read_surface
from schedlab.studies.legrand2018.sheet import PAPER, PeriodExperiment, drawn_trace
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


@dataclass(frozen=True, eq=False)
class Evidence:
    """The simulations of a trace by weeks; `weeks` of a resample replace those of `table`."""

    experiment: PeriodExperiment
    table: pd.DataFrame
    pure: pd.DataFrame
    surface: Surface
    search: pd.DataFrame
    weeks: tuple[int, ...] | None = None
    #: cache of tables by period, shared by all resamples
    _tables: dict = field(default_factory=dict)

    def all(self) -> pd.Series:
        """Return the sums over all periods."""
        return self._resample(self.table).sum()

    def test(self) -> pd.Series:
        """Return the sums over the testing periods."""
        return sums(self._resample(self.table), *self.experiment.test)

    def under(self, threshold: int | None) -> pd.Series:
        """Return the sums of the pure policies over all periods under a threshold."""
        key = ("pure", threshold)
        if key not in self._tables:
            self._tables[key] = pure_by_period(self.pure, threshold)
        return self._resample(self._tables[key]).sum()

    def searched(self, features: int) -> float:
        """Return the sum over all periods of the search's values with this number of features."""
        key = ("search", features)
        if key not in self._tables:
            searches = self.search[self.search["features"] == features]
            self._tables[key] = searches.set_index("piece")["value"]
        return float(self._resample(self._tables[key]).sum())

    def space(self) -> Surface:
        """Return the coverage of the space of weights in these periods."""
        if self.weeks is None:
            return self.surface
        places = np.searchsorted(self.surface.pieces, self.weeks)
        return replace(self.surface, values=self.surface.values[places])

    def _resample(self, table: pd.DataFrame | pd.Series) -> pd.DataFrame | pd.Series:
        if self.weeks is None:
            return table
        return table.loc[list(self.weeks)].set_axis(self.table.index)


def blocks(weeks: int) -> int:
    """Return the number of blocks of neighbors in this number of weeks."""
    return weeks // block_length(weeks)


def kinds(evidence: Evidence) -> dict[str, Sample | StandIn] | None:
    """Return evidence with its resamples; a stand-in for the log is not compared with the paper.

    The number of windows is that of the blocks of its smaller set of weeks.
    """
    if evidence.table.empty:
        return None
    if evidence.experiment.stand_in:
        return {"": StandIn(evidence)}
    train, test, _ = parts_of(evidence)
    count = min(blocks(len(train)), blocks(len(test)))
    return {"": Sample(evidence, count, partial(resampled, evidence))}


def parts_of(evidence: Evidence) -> list[np.ndarray]:
    """Return the training weeks, the testing weeks, and the other weeks."""
    weeks = evidence.table.index.to_numpy()
    ends = (evidence.experiment.train, evidence.experiment.test)
    parts = [weeks[(weeks >= first) & (weeks <= last)] for first, last in ends]
    return [*parts, weeks[~np.isin(weeks, np.concatenate(parts))]]


def resampled(evidence: Evidence) -> Iterator[Evidence]:
    """Yield evidence of resampled weeks; each part is resampled separately."""
    weeks = evidence.table.index.to_numpy()
    table = np.tile(weeks, (RESAMPLES, 1))
    for place, part in enumerate(parts_of(evidence)):
        if len(part):
            stream = generator(PAPER, "claims", evidence.experiment.label, place)
            places = resampled_places(len(part), RESAMPLES, stream, block_length(len(part)))
            table[:, np.isin(weeks, part)] = part[places]
    for row in table.tolist():
        yield replace(evidence, weeks=tuple(row))


def best_policies(evidence: Evidence) -> Facts:
    """Return the pure policies with the two lowest sums over all periods."""
    pure = evidence.all()[list(evidence.experiment.policies)].sort_values(kind="stable")
    first, second = (policy_label(name) for name in pure.index[:2])
    return {"first": first, "sum": pure.iloc[0], "second": second, "next_sum": pure.iloc[1]}


def ratio(evidence: Evidence, policy: str, base: str, weeks: str) -> Facts:
    """Return the sums of two policies over all weeks, or over those of testing."""
    total = evidence.all() if weeks == "all" else evidence.test()
    names = {"policy": policy_label(policy), "base": policy_label(base)}
    sums_of = {"sum": total[policy], "base_sum": total[base]}
    return names | sums_of | {"ratio": total[policy] / total[base]}


def rank(evidence: Evidence, policy: str) -> Facts:
    """Rank a policy among the pure ones by its sum over the testing weeks."""
    total = evidence.test()[[policy, *evidence.experiment.policies]]
    return {"place": int(total.rank(method="min")[policy]), "count": len(total)}


def distances_from_fcfs(evidence: Evidence) -> Facts:
    """Return how far the policies are from FCFS without and with the smallest threshold."""
    tight, *_, loose = sorted(evidence.experiment.thresholds, key=lambda each: each or np.inf)
    facts: dict[str, float | str] = {}
    for name, threshold in (("loose", loose), ("tight", tight)):
        total = evidence.under(threshold)
        facts[name] = 100 * np.abs(total / total["fcfs"] - 1).drop("fcfs").mean()
        facts[f"{name}_label"] = threshold_label(threshold).lower()
    return facts


def halves_of_space(evidence: Evidence) -> Facts:
    """Compare the halves of the space of weights, smallest and largest jobs first."""
    space = evidence.space()
    q, values = space.weights[:, 0], space.values
    large, small = values[:, q < 0].mean(axis=1), values[:, q > 0].mean(axis=1)
    percent = 100 * (small <= large).mean()
    return {"small": small.sum(), "large": large.sum(), "percent": percent}


def search_and_coverage(evidence: Evidence) -> Facts:
    """Compare xNES on three features with the coverage of the space."""
    searched, covered = evidence.searched(3), evidence.space().values.min(axis=1).sum()
    return {"searched": searched, "covered": covered, "ratio": searched / covered}


def searches(evidence: Evidence) -> Facts:
    """Compare xNES on six features with three."""
    three, six = evidence.searched(3), evidence.searched(6)
    return {"three": three, "six": six, "ratio": six / three}


@item("claims", kind="table text", section="Tables", **LARGE)
def check_claims(
    rows: Rows,
    surfaces: CoveredByTrace,
    pure: RunsByTrace,
    searches: Annotated[list[pd.DataFrame], From(partial(results, "search"), each(read_parquet))],
    claims: Annotated[str, From(resource("claims.tsv"), str)],
) -> tuple[Table, str]:
    """Return a row per claim and trace, and a sentence with the counts."""
    sentences, frames = read_claims(claims, modules[__name__]), []
    for row, space, policies, search in zip(rows, surfaces, pure, searches, strict=True):
        table = by_period(space, policies, row.threshold, row.train)
        evidence = Evidence(row, table, policies, space, search)
        frames.append(check_results(sentences, kinds(evidence), about(row)))
    return counted(pd.concat(frames, ignore_index=True))
