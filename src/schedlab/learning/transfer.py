"""Policies learned on one log and tested on another: their ratios to yardsticks, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.learning.sites import PAPERS, YARDSTICKS
from schedlab.policies import get
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NO_POLICY = "no policy learned"
ALL_TUPLES = -1  # in the place of a resample's number: the policy of the tuples as they were drawn
LEVEL = 0.95
TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
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


def yardsticks() -> pd.DataFrame:
    """List the registered policies that learned ones are held against, as `policies_of` does."""
    rows = {"trained": [get(name).label for name in YARDSTICKS], "policy": YARDSTICKS}
    return pd.DataFrame(rows | {"resample": ALL_TUPLES})[list(POLICIES)].astype(POLICIES)


class Replicates:
    """Medians over windows, once as measured and once for every resample of tuples and windows.

    Parameters
    ----------
    policies : DataFrame
        From `policies_of` and `yardsticks`, below each other.
    measured : mapping of str to DataFrame
        From `schedlab.learning.sites.measure`, by the log that it was measured on; without rows
        where the log is not at hand.
    resamples : int
        Resamples of the windows, and of each site's tuples where they were resampled.
    key : sequence of str or int
        Of the random stream that windows are drawn by. All policies meet the same windows, so that
        ratios compare like with like.
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
                self.values[regime, tested] = table.T.to_dict("series")
                count = table.shape[1]
                self.windows[tested] = generator(*key, tested).integers(
                    0, count, (resamples, count)
                )

    def trained(self) -> list[str]:
        """Names of yardsticks and of sites that have a policy."""
        return list(dict.fromkeys(name for name, _ in self.policies))

    def is_learned(self, trained: str) -> bool:
        """Whether tuples of it were resampled."""
        return (trained, 0) in self.policies

    def at_hand(self, regime: str, tested: str) -> bool:
        """Whether there is anything measured."""
        return (regime, tested) in self.values

    def _row(self, regime: str, tested: str, trained: str, resample: int) -> np.ndarray:
        text = self.policies[trained, resample if self.is_learned(trained) else ALL_TUPLES]
        return self.values[regime, tested][text].to_numpy()

    def median(self, regime: str, tested: str, trained: str) -> float:
        """Median over the windows."""
        return float(np.nanmedian(self._row(regime, tested, trained, ALL_TUPLES)))

    def best_of(self, regime: str, tested: str, names: Sequence[str] = PAPERS) -> float:
        """Least median of registered policies, chosen with hindsight on the same windows."""
        return min(self.median(regime, tested, get(name).label) for name in names)

    def count(self, tested: str) -> int:
        """How many windows there are."""
        return self.windows[tested].shape[1]

    def medians(self, regime: str, tested: str, trained: str) -> np.ndarray:
        """Medians of the resampled policies over all windows, shape (resamples,)."""
        rows = [self._row(regime, tested, trained, which) for which in range(self.resamples)]
        return np.nanmedian(rows, axis=1)

    def ratios(
        self, regime: str, tested: str, trained: str, beside: Sequence[str] = PAPERS
    ) -> np.ndarray:
        """Ratios to the best of registered policies, tuples and windows resampled.

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
        drawn = self.windows[tested]
        own = [self._row(regime, tested, trained, b)[drawn[b]] for b in range(self.resamples)]
        others = [
            np.nanmedian(self._row(regime, tested, get(name).label, ALL_TUPLES)[drawn], axis=1)
            for name in beside
        ]
        return np.nanmedian(own, axis=1) / np.min(others, axis=0)


def answer(best: np.ndarray, fixed: np.ndarray) -> str:
    """Say whether a learned policy pays: "yes", "no" or "open".

    The best of several policies, chosen with hindsight, is more than a site could have had. So a
    policy pays when it is better than that one, and does not pay when it is worse than one that is
    chosen beforehand.

    Parameters
    ----------
    best, fixed : ndarray, shape (resamples,)
        Resampled ratios to the best with hindsight, and to the policy chosen beforehand.
    """
    if np.quantile(best, TAILS[1]) < 1:
        return "yes"
    return "no" if np.quantile(fixed, TAILS[0]) > 1 else "open"
