"""Policies learned on one log and tested on another: their ratios to yardsticks, with intervals.

Windows of the tested log are drawn anew, the same for all policies in a resample, so that ratios
compare like with like. Where a site's own log is tested its tuples are drawn anew as well, and
every resample has the policy that its tuples would have given; policies from elsewhere are held as
they were learned. Neither windows nor tuples overlap, and both are drawn one by one.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.intervals import chance_above, chance_below, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.learning.regimes import PAPERS, YARDSTICKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NO_POLICY = "no policy learned"
ALL_TUPLES = -1  # in the place of a resample's number: the policy of the tuples as they were drawn
YES, NO, OPEN = "yes", "no", "open"
POLICIES = {"trained": "str", "resample": "int64", "policy": "str"}


def policies_of(
    site: str, fit: pd.DataFrame, resampled: pd.DataFrame | None = None
) -> pd.DataFrame:
    """List a site's policy and those of its resamples.

    Parameters
    ----------
    site : str
        Name of the site.
    fit : DataFrame
        Distinct fits, best first.
    resampled : DataFrame, optional
        From `schedlab.learning.resampling.resampled_policies`.

    Returns
    -------
    DataFrame
        Columns trained (the site), resample (`ALL_TUPLES` for its policy, the best distinct
        function that has an expression), policy (expression).
    """
    best = fit.loc[fit["policy"] != "", ["policy"]].head(1).assign(resample=ALL_TUPLES)
    found = best if resampled is None else pd.concat([best, resampled])
    return found.assign(trained=site)[list(POLICIES)].astype(POLICIES).reset_index(drop=True)


def tested_on(policies: pd.DataFrame, site: str) -> pd.Series:
    """Return the policies of `policies_of` that run on a site: of others none of the resamples."""
    own = (policies["trained"] == site) | (policies["resample"] == ALL_TUPLES)
    return policies.loc[own, "policy"]


def yardsticks(own: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """List the policies that learned ones are held against, as `policies_of` does.

    Parameters
    ----------
    own : mapping of str to str
        A reader's own policies, expressions by name, after the registered ones.
    """
    rows = {"trained": [*YARDSTICKS.values(), *own], "policy": [*YARDSTICKS, *own.values()]}
    return pd.DataFrame(rows | {"resample": ALL_TUPLES})[list(POLICIES)].astype(POLICIES)


class Replicates:
    """Medians over windows, once as measured and once for every resample of tuples and windows.

    Parameters
    ----------
    policies : DataFrame
        From `policies_of` and `yardsticks`, below each other.
    measured : mapping of str to DataFrame
        From `schedlab.learning.windows.measure`, by the log that it was measured on; without rows
        where the log is not at hand.
    resamples : int
        Resamples of the windows, and of each site's tuples where they were resampled.
    key : sequence of str or int
        Of the random stream that windows are drawn by.
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
        """Names of yardsticks and of sites that have a policy."""
        return list(dict.fromkeys(name for name, _ in self.policies))

    def is_own(self, tested: str, trained: str) -> bool:
        """Whether it is a site's policy on its own log, and its tuples were resampled."""
        return trained == tested and (trained, 0) in self.policies

    def at_hand(self, regime: str, tested: str) -> bool:
        """Whether there is anything measured."""
        return (regime, tested) in self.values

    def _row(self, regime: str, tested: str, trained: str, resample: int) -> np.ndarray:
        return self.values[regime, tested][self.policies[trained, resample]]

    def median(self, regime: str, tested: str, trained: str) -> float:
        """Median over the windows."""
        return float(np.nanmedian(self._row(regime, tested, trained, ALL_TUPLES)))

    def best_of(self, regime: str, tested: str, names: Sequence[str] = PAPERS) -> float:
        """Least median of registered policies, chosen with hindsight on the same windows."""
        return min(self.median(regime, tested, YARDSTICKS[name]) for name in names)

    def count(self, regime: str, tested: str) -> int:
        """How many windows there are."""
        return self.windows[regime, tested].shape[1]

    def _medians(self, regime: str, tested: str, trained: str) -> np.ndarray:
        """Medians over the resampled windows, each of the policy of the same resample's tuples."""
        drawn = self.windows[regime, tested]
        numbers = range(self.resamples) if self.is_own(tested, trained) else [ALL_TUPLES]
        rows = np.array([self._row(regime, tested, trained, which) for which in numbers])
        rows = np.broadcast_to(rows, (self.resamples, rows.shape[1]))
        return np.nanmedian(np.take_along_axis(rows, drawn, axis=1), axis=1)

    def ratios(
        self, regime: str, tested: str, trained: str, beside: Sequence[str] = PAPERS
    ) -> np.ndarray:
        """Ratios to the best of registered policies in every resample.

        Parameters
        ----------
        regime, tested, trained : str
            Of the cell.
        beside : sequence of str
            Among which the best is chosen, with hindsight in every resample.

        Returns
        -------
        ndarray of float64, shape (resamples,)
        """
        others = [self._medians(regime, tested, YARDSTICKS[name]) for name in beside]
        return self._medians(regime, tested, trained) / np.min(others, axis=0)


def answer(best: np.ndarray, fixed: np.ndarray) -> str:
    """Say whether a learned policy pays: `YES`, `NO` or `OPEN`.

    The best of several policies, chosen with hindsight, is more than a site could have had. So a
    policy pays when it is better than that one, and does not pay when it is worse than one that is
    chosen beforehand; what is neither is undecided, which is not the same as not to pay.

    Parameters
    ----------
    best, fixed : ndarray, shape (resamples,)
        Resampled ratios to the best with hindsight, and to the policy chosen beforehand.
    """
    if interval(best)[1] < 1:
        return YES
    return NO if interval(fixed)[0] > 1 else OPEN


def chance(best: np.ndarray, fixed: np.ndarray) -> float:
    """Return the p-value of what `answer` says, or of what it is nearest to saying.

    At most 5 % where the answer is not `OPEN`, and above it where it is.
    """
    return min(chance_below(best, 1), chance_above(fixed, 1))
