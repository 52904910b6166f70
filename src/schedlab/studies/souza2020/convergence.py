"""Figure 5: estimates of a changing wait under three policies, over many seeds."""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from schedlab.core.intervals import LEVEL
from schedlab.core.streams import generator
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.studies.souza2020.tracking import Track, stepwise_waits, track
from schedlab.waits.settings import Settings

POLICIES = {"greedy": "Greedy", "default": "default", "tuned": "tuned"}
#: quantiles of the runs' estimates between which the band is drawn
LOWER, UPPER = 0.25, 0.75
#: number of waits in a sequence, and number of cases in a window of first or last cases
CHANGES, WINDOW = 5, 20


def tracks(settings: Settings, cases: int, runs: int) -> tuple[np.ndarray, dict[str, Track]]:
    """Let learners of each policy estimate a stepwise changing wait.

    The policy of `settings` is replaced. Returns the true wait in seconds, shape (cases,), and the
    estimates of the `runs` runs by policy.
    """
    waits = stepwise_waits(settings.alternatives, cases, CHANGES, generator(PAPER, "fig5", "waits"))
    tracks_of = {}
    for policy, label in POLICIES.items():
        streams = [generator(PAPER, "fig5", policy, run) for run in range(runs)]
        tracks_of[label] = track(waits, replace(settings, policy=policy), streams)
    return waits, tracks_of


def convergence(settings: Settings, cases: int, runs: int) -> pd.DataFrame:
    """Return what learners of each policy estimate of a stepwise changing wait."""
    waits, tracked = tracks(settings, cases, runs)
    frames = []
    for label, estimated in tracked.items():
        low, median, high = np.quantile(estimated.estimate, (LOWER, 0.5, UPPER), axis=0)
        columns = {"case": np.arange(cases), "policy": label, "wait": waits, "median": median}
        columns |= {"low": low, "high": high, "hit": estimated.hit.mean(axis=0)}
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def windows(waits: np.ndarray) -> dict[str, np.ndarray]:
    """Return masks of the first (early) and last (late) `WINDOW` cases of each wait of `tracks`."""
    series = pd.Series(waits)
    same = series.groupby(series.ne(series.shift()).cumsum())
    near = {"early": same.cumcount(), "late": same.cumcount(ascending=False)}
    return {name: (place < WINDOW).to_numpy() for name, place in near.items()}


def steps(curves: pd.DataFrame, runs: int) -> pd.DataFrame:
    """Return a row per policy and true wait: share of hits in its first and last cases."""
    rows = []
    for policy, curve in curves.groupby("policy", sort=False):
        changed = curve["wait"].ne(curve["wait"].shift()).cumsum()
        for step, part in curve.groupby(changed):
            row = {"policy": policy, "step": int(step), "wait": int(part["wait"].iloc[0])}
            rows.append(
                row
                | _share("early", part["hit"].head(WINDOW).mean(), runs)
                | _share("late", part["hit"].tail(WINDOW).mean(), runs)
            )
    return pd.DataFrame(rows)


def _share(name: str, share: float, runs: int) -> dict[str, float]:
    """Return a share of runs with its interval."""
    ends = binomtest(round(share * runs), runs).proportion_ci(LEVEL, method="exact")
    return {name: share, f"{name} low": float(ends.low), f"{name} high": float(ends.high)}
