"""Compare the claims in the text of legrand2018 with the simulations.

If a claim leaves a bound open, its text here states the bound. It follows from the paper's numbers
where they are published: in Table 2 w* is 0.50 and 0.55 of SAF, w*_train 0.99 and 1.08. Resampled
weeks decide (`schedlab.report.claims.decide`). Training and testing weeks are resampled separately,
in blocks of neighbors, identically for all policies, weights and searches. Weights are not learned
again from resampled weeks. A stand-in for the log is not compared with the paper.

References
----------
legrand2018, sections 6 to 10.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from schedlab.core.intervals import block_length, resampled_places
from schedlab.core.streams import generator
from schedlab.report import claims
from schedlab.report.claims import RESAMPLES, Claim, Found, Sample
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, TRAINED, pure_by_period, sums
from schedlab.studies.legrand2018.sheet import PAPER, PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface
from schedlab.studies.legrand2018.tables import about, policy_label, threshold_label

# Tolerances: ratio to be far below another sum; relative difference to be about it, the same, a
# little better.
FAR_BELOW, ABOUT, SAME, LITTLE = 0.55, 0.10, 0.02, 0.05
COLUMNS = ["trace", "ran_on", "claim", "where", "found", "result"]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The simulations of a trace by weeks.

    `table` is from `adaptation.by_period`; `pure` has the columns `surface.PURE_COLUMNS`; `surface`
    is from `periods.cover_space`. `search` is from `search.search_weights`, with three and with six
    features. `weeks` are the drawn weeks of a resample, which replace those of `table`.
    """

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
        """Replace the weeks by the drawn ones."""
        if self.weeks is None:
            return table
        return table.loc[list(self.weeks)].set_axis(self.table.index)


def blocks(weeks: int) -> int:
    """Return the number of blocks of neighbors in this number of weeks."""
    return weeks // block_length(weeks)


def sampled(evidence: Evidence) -> Sample:
    """Return evidence with its resamples and the number of blocks of its smaller set of weeks."""
    train, test, _ = parts_of(evidence)
    return Sample(
        evidence, min(blocks(len(train)), blocks(len(test))), partial(resampled, evidence)
    )


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


def saf_is_best(evidence: Evidence) -> Found:
    """Compare the pure policies' sums over all periods."""
    pure = evidence.all()[list(evidence.experiment.policies)].sort_values(kind="stable")
    first, second = (f"{policy_label(name)} {pure[name]:.2f}" for name in pure.index[:2])
    return f"best {first}, then {second}", pure.index[0] == "saf"


def optimum_is_far_below(evidence: Evidence) -> Found:
    """Compare each period's best weights with SAF."""
    total = evidence.all()
    return _ratio(OPTIMUM, "saf", total), total[OPTIMUM] <= FAR_BELOW * total["saf"]


def trained_is_about_saf(evidence: Evidence) -> Found:
    """Compare the weights learned from the training periods with SAF on the testing periods."""
    total = evidence.test()
    return _ratio(TRAINED, "saf", total), abs(total[TRAINED] / total["saf"] - 1) <= ABOUT


def trained_is_first_or_second(evidence: Evidence) -> Found:
    """Rank the weights learned from the training periods among the pure policies when tested."""
    total = evidence.test()[[TRAINED, *evidence.experiment.policies]]
    rank = int(total.rank(method="min")[TRAINED])
    return f"place {rank} of {len(total)}", rank <= 2


def greedy_is_worse(evidence: Evidence) -> Found:
    """Compare the best weights of the period before with SAF on the testing periods."""
    total = evidence.test()
    return _ratio(GREEDY, "saf", total), total[GREEDY] > total["saf"]


def thresholds_pull_to_fcfs(evidence: Evidence) -> Found:
    """Compare how far the policies are from FCFS without and with the smallest threshold."""
    tight, *_, loose = sorted(evidence.experiment.thresholds, key=lambda each: each or np.inf)
    away = []
    for threshold in (loose, tight):
        total = evidence.under(threshold)
        away.append(100 * np.abs(total / total["fcfs"] - 1).drop("fcfs").mean())
    labels = [threshold_label(threshold).lower() for threshold in (loose, tight)]
    distances = [f"{value:.1f}% with {label}" for value, label in zip(away, labels, strict=True)]
    return f"mean distance from FCFS {distances[0]}, {distances[1]}", away[1] < away[0]


def smallest_first_is_better(evidence: Evidence) -> Found:
    """Compare the halves of the space of weights, smallest and largest jobs first."""
    space = evidence.space()
    q, values = space.weights[:, 0], space.values
    large, small = values[:, q < 0].mean(axis=1), values[:, q > 0].mean(axis=1)
    share = 100 * (small <= large).mean()
    means = f"mean {small.sum():.2f} over q >= 0, {large.sum():.2f} over q <= 0"
    return f"{means}; lower or equal in {share:.0f}% of the periods", small.sum() < large.sum()


def search_finds_the_optimum(evidence: Evidence) -> Found:
    """Compare xNES on three features with the coverage of the space."""
    best_searched, covered = evidence.searched(3), evidence.space().values.min(axis=1).sum()
    text = f"xNES {best_searched:.2f}, coverage {covered:.2f}"
    return text, best_searched <= (1 + SAME) * covered


def six_features_add_little(evidence: Evidence) -> Found:
    """Compare xNES on six features with three."""
    three, six = evidence.searched(3), evidence.searched(6)
    return f"six {six:.2f}, three {three:.2f}", (1 - LITTLE) * three <= six <= three


CLAIMS = (
    Claim("SAF has the lowest mean of all pure policies", "6.1", saf_is_best),
    Claim("the best weights of each period are far below SAF: at most 55% of its sum", "7.1",
          optimum_is_far_below),
    Claim("weights learned from the training periods are within 10% of SAF on the testing periods",
          "7.2.1", trained_is_about_saf),
    Claim("weights learned from the training periods rank first or second among the pure policies "
          "on the testing periods", "9", trained_is_first_or_second),
    Claim("the best weights of the previous period are worse than SAF on the testing periods",
          "7.2.2", greedy_is_worse),
    Claim("a low threshold brings the policies closer to FCFS on average", "10",
          thresholds_pull_to_fcfs),
    Claim("the half of the space with q >= 0 has the lower mean", "7.3", smallest_first_is_better),
    Claim("xNES finds the optimum of three features: at most 2% above the best of the grid",
          "8.1.2", search_finds_the_optimum),
    Claim("six features are better by a very small margin: at most 5%", "8.1.2",
          six_features_add_little),
)  # fmt: skip


def check(evidence: Evidence) -> pd.DataFrame:
    """Compare every claim with the simulations of a trace, and return `COLUMNS`.

    A result is an outcome, or `NOT_AVAILABLE` if nothing or a stand-in was simulated. The value
    found on a stand-in is still shown.
    """
    stand_in = evidence.experiment.stand_in
    kinds = {"": evidence if stand_in else sampled(evidence)}
    kinds = {} if evidence.table.empty else kinds
    checked = claims.check(CLAIMS, {"result": kinds}, "result")
    checked = checked.assign(**about(evidence.experiment))
    return checked.assign(result=NOT_AVAILABLE if stand_in else checked["result"])[COLUMNS]


def count(checked: pd.DataFrame) -> str:
    """Return a sentence: how many claims hold, how many are undecided and which fail."""
    return claims.count(checked, "{trace}, {claim}")


def _ratio(policy: str, base: str, total: pd.Series) -> str:
    numbers = [f"{policy_label(name)} {total[name]:.2f}" for name in (policy, base)]
    return f"{numbers[0]}, {numbers[1]}: ratio {total[policy] / total[base]:.3f}"
