"""Transfer of policies between logs: ratios to fixed policies, with intervals.

Windows of the tested log are resampled, the same for all policies. If a site's own log is tested,
its tuples are resampled as well, and every resample has the policy of its tuples. Policies from
other sites stay as they were learned. Neither windows nor tuples overlap, and both are resampled
one by one.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pandas as pd

from schedlab.core.intervals import chance_above, chance_below, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.learning.regimes import PAPERS, REFERENCES

NO_POLICY = "no policy learned"
ALL_TUPLES = -1  # number of the policy of the original tuples, instead of a resample's number
YES, NO, OPEN = "yes", "no", "open"
POLICIES = {"trained": "str", "resample": "int64", "policy": "str"}


def policies_of(
    site: str, fit: pd.DataFrame, resampled: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return a table of a site's policy and the policies of its resamples.

    Columns: trained (the site), resample (`ALL_TUPLES` for its policy, the best distinct function
    with an expression), policy (expression).
    """
    best = fit.loc[fit["policy"] != "", ["policy"]].head(1).assign(resample=ALL_TUPLES)
    policies = best if resampled is None else pd.concat([best, resampled])
    return policies.assign(trained=site)[list(POLICIES)].astype(POLICIES).reset_index(drop=True)


def tested_on(policies: pd.DataFrame, site: str) -> pd.Series:
    """Return the policies of `policies_of` to run on a site: resamples only if they are its own."""
    is_tested = (policies["trained"] == site) | (policies["resample"] == ALL_TUPLES)
    return policies.loc[is_tested, "policy"]


def references(custom: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """Return a table of the policies that learned ones are compared with, as `policies_of` does."""
    rows = {"trained": [*REFERENCES.values(), *custom], "policy": [*REFERENCES, *custom.values()]}
    return pd.DataFrame(rows | {"resample": ALL_TUPLES})[list(POLICIES)].astype(POLICIES)


class Replicates:
    """Medians over windows, for the original data and for every resample of tuples and windows.

    `resamples` is the number of resamples of the windows, and of each site's tuples if they were
    resampled.
    """

    def __init__(
        self,
        policies: pd.DataFrame,
        measured: Mapping[str, pd.DataFrame],
        resamples: int,
        key: Sequence[str | int],
    ) -> None:
        self.policies = {
            (trained, resample): text
            for trained, resample, text in policies[list(POLICIES)].itertuples(index=False)
        }
        self.resamples = resamples
        self.values, self.windows = {}, {}
        for tested, frame in measured.items():
            for regime, rows in frame.groupby("regime"):
                table = rows.pivot(index="policy", columns="window", values="avebsld")
                self.values[regime, tested] = dict(zip(table.index, table.to_numpy(), strict=True))
                self.windows[regime, tested] = resampled_places(
                    table.shape[1], resamples, generator(*key, tested)
                )

    def trained(self) -> list[str]:
        """Return names of fixed policies and of sites that have a policy."""
        return list(dict.fromkeys(name for name, _ in self.policies))

    def is_own(self, tested: str, trained: str) -> bool:
        """Return whether a policy was trained on the tested site and its tuples were resampled."""
        return trained == tested and (trained, 0) in self.policies

    def is_available(self, regime: str, tested: str) -> bool:
        """Return whether there are measured values."""
        return (regime, tested) in self.values

    def _row(self, regime: str, tested: str, trained: str, resample: int) -> np.ndarray:
        return self.values[regime, tested][self.policies[trained, resample]]

    def median(self, regime: str, tested: str, trained: str) -> float:
        """Return the median over the windows."""
        return float(np.nanmedian(self._row(regime, tested, trained, ALL_TUPLES)))

    def best_of(self, regime: str, tested: str, names: Sequence[str] = PAPERS) -> float:
        """Return the smallest median of registered policies, chosen with hindsight."""
        return min(self.median(regime, tested, REFERENCES[name]) for name in names)

    def count(self, regime: str, tested: str) -> int:
        """Return the number of windows."""
        return self.windows[regime, tested].shape[1]

    def _medians(self, regime: str, tested: str, trained: str) -> np.ndarray:
        """Return medians over resampled windows, each for the policy of the resample's tuples."""
        places = self.windows[regime, tested]
        numbers = range(self.resamples) if self.is_own(tested, trained) else [ALL_TUPLES]
        rows = np.array([self._row(regime, tested, trained, which) for which in numbers])
        rows = np.broadcast_to(rows, (self.resamples, rows.shape[1]))
        return np.nanmedian(np.take_along_axis(rows, places, axis=1), axis=1)

    def ratios(
        self, regime: str, tested: str, trained: str, rivals: Sequence[str] = PAPERS
    ) -> np.ndarray:
        """Return the ratios to the best of registered policies in every resample: (resamples,).

        The best of `rivals` is chosen with hindsight in every resample.
        """
        rival_medians = [self._medians(regime, tested, REFERENCES[name]) for name in rivals]
        return self._medians(regime, tested, trained) / np.min(rival_medians, axis=0)


def answer(best: np.ndarray, fixed: np.ndarray) -> str:
    """Return whether a learned policy pays: `YES`, `NO` or `OPEN`.

    A learned policy pays if it beats the best of the fixed policies, although that one is chosen
    with hindsight. It does not pay if it is worse than the policy chosen beforehand. Otherwise the
    answer is undecided. `best` and `fixed` are resampled ratios to these two, shape (resamples,).
    """
    if interval(best)[1] < 1:
        return YES
    return NO if interval(fixed)[0] > 1 else OPEN


def chance(best: np.ndarray, fixed: np.ndarray) -> float:
    """Return the p-value of the `answer`, or of the nearest answer if it is open.

    It is at most 5 % unless the answer is `OPEN`.
    """
    return min(chance_below(best, 1), chance_above(fixed, 1))
