"""Figure 5: estimates of a changing wait under three policies, over many seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from schedlab.core.intervals import LEVEL
from schedlab.core.streams import generator
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.studies.souza2020.tracking import stepped, track

if TYPE_CHECKING:
    from schedlab.studies.souza2020.tracking import Track
    from schedlab.waits.settings import Settings

POLICIES = {"greedy": "Greedy", "default": "default", "tuned": "tuned"}
#: quantiles of the runs' estimates between which the band is drawn
LOWER, UPPER = 0.25, 0.75
#: number of waits in a sequence, and number of cases in a window of first or last cases
CHANGES, WINDOW = 5, 20


def tracks(settings: Settings, cases: int, runs: int) -> tuple[np.ndarray, dict[str, Track]]:
    """Let learners of each policy estimate a stepwise changing wait.

    Parameters
    ----------
    settings : Settings
        Settings of the learners; the policy is replaced.
    cases, runs : int
        Number of cases of a run, and of runs per policy.

    Returns
    -------
    ndarray of int64, shape (cases,), and dict of str to Track
        The true wait in seconds, and the estimates of the runs by policy.
    """
    waits = stepped(settings.alternatives, cases, CHANGES, generator(PAPER, "fig5", "waits"))
    found = {}
    for policy, label in POLICIES.items():
        streams = [generator(PAPER, "fig5", policy, run) for run in range(runs)]
        found[label] = track(waits, replace(settings, policy=policy), streams)
    return waits, found


def convergence(settings: Settings, cases: int, runs: int) -> pd.DataFrame:
    """Return what learners of each policy estimate of a stepwise changing wait.

    Parameters
    ----------
    settings, cases, runs
        As for `tracks`.

    Returns
    -------
    DataFrame
        case, policy, wait (true, s), median, low, high (of the runs' estimates, s: half of the runs
        lie between low and high), hit (share of runs whose estimate is the closest alternative).
    """
    waits, tracked = tracks(settings, cases, runs)
    found = []
    for label, one in tracked.items():
        low, median, high = np.quantile(one.estimate, (LOWER, 0.5, UPPER), axis=0)
        found.append(
            pd.DataFrame(
                {
                    "case": np.arange(cases),
                    "policy": label,
                    "wait": waits,
                    "median": median,
                    "low": low,
                    "high": high,
                    "hit": one.hit.mean(axis=0),
                }
            )
        )
    return pd.concat(found, ignore_index=True)


def windows(waits: np.ndarray) -> dict[str, np.ndarray]:
    """Return which cases are among the first, or the last, `WINDOW` cases of their wait.

    Parameters
    ----------
    waits : ndarray, shape (cases,)
        From `tracks`.

    Returns
    -------
    dict of str to ndarray of bool, shape (cases,)
        Masks by name: early and late.
    """
    series = pd.Series(waits)
    same = series.groupby(series.ne(series.shift()).cumsum())
    near = {"early": same.cumcount(), "late": same.cumcount(ascending=False)}
    return {name: (place < WINDOW).to_numpy() for name, place in near.items()}


def steps(curves: pd.DataFrame, runs: int) -> pd.DataFrame:
    """Return a row per policy and true wait: share of hits in its first and last cases.

    Parameters
    ----------
    curves : DataFrame
        From `convergence`.
    runs : int
        Number of runs behind the shares.

    Returns
    -------
    DataFrame
        policy, step (from 1), wait in s, early and late: mean share of hits over the first and the
        last `WINDOW` cases. Each has the exact binomial 95 % interval of a single case's share
        (``early low`` and so on), which is conservative: the mean over cases varies no more.
    """
    rows = []
    for policy, own in curves.groupby("policy", sort=False):
        changed = own["wait"].ne(own["wait"].shift()).cumsum()
        for step, part in own.groupby(changed):
            rows.append(
                {
                    "policy": policy,
                    "step": int(step),
                    "wait": int(part["wait"].iloc[0]),
                }
                | _share("early", part["hit"].head(WINDOW).mean(), runs)
                | _share("late", part["hit"].tail(WINDOW).mean(), runs)
            )
    return pd.DataFrame(rows)


def _share(name: str, share: float, runs: int) -> dict[str, float]:
    """Return a share of runs with its interval."""
    ends = binomtest(round(share * runs), runs).proportion_ci(LEVEL, method="exact")
    return {name: share, f"{name} low": float(ends.low), f"{name} high": float(ends.high)}
