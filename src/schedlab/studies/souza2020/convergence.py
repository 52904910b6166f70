"""Figure 5: estimates of a changing wait under three policies, over many seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from schedlab.core.intervals import LEVEL
from schedlab.core.streams import generator
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.algorithm import Learners
from schedlab.waits.settings import Settings


@dataclass(frozen=True, eq=False)
class Track:
    """Estimates of r runs over t cases, in seconds, shape (r, t).

    `hit`, of the same shape, states whether no alternative was closer to the wait.
    """

    estimate: np.ndarray
    hit: np.ndarray


def track(waits: np.ndarray, settings: Settings, streams: Sequence[np.random.Generator]) -> Track:
    """Let one learner a run estimate every wait, and then observe it; section 4.4, figure 5.

    `waits` are in seconds, the same for all runs. The numbers of a stream depend on no other run.
    """
    learners = Learners.fresh(settings, len(streams))
    alternatives = np.array(settings.alternatives)
    draws, width = settings.draws, settings.draws + settings.redraws
    estimate = np.empty((len(streams), len(waits)), dtype=np.int64)
    for case, wait in enumerate(waits):
        uniform = np.array([stream.random(width) for stream in streams])
        place = learners.choose(uniform[:, :draws])
        estimate[:, case] = alternatives[place]
        learners.observe(place, np.full(len(streams), wait), uniform[:, draws:])
    far = np.abs(estimate - waits)
    least = np.abs(alternatives[:, None] - waits).min(axis=0)
    return Track(estimate, far == least)


def stepwise_waits(
    alternatives: Sequence[int], cases: int, changes: int, stream: np.random.Generator
):
    """Draw a true wait that changes at equal intervals; shape (cases,), int64."""
    place = [int(stream.integers(len(alternatives)))]
    for _ in range(changes - 1):
        step = int(stream.integers(1, len(alternatives)))
        place.append((place[-1] + step) % len(alternatives))
    cases_per_wait = -(-cases // changes)
    return np.repeat(np.array(alternatives, dtype=np.int64)[place], cases_per_wait)[:cases]


POLICIES = {"greedy": "Greedy", "default": "default", "tuned": "tuned"}
#: quantiles of the runs' estimates between which the band is drawn
LOWER, UPPER = 0.25, 0.75
#: number of waits in a sequence, and number of cases in a window of first or last cases
CHANGES, WINDOW = 5, 20


def tracks(settings: Settings, cases: int, runs: int) -> tuple[np.ndarray, dict[str, Track]]:
    """Return a stepwise changing wait in seconds, and what learners of each policy estimate."""
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
    ends = binomtest(round(share * runs), runs).proportion_ci(LEVEL, method="exact")
    return {name: share, f"{name} low": float(ends.low), f"{name} high": float(ends.high)}
