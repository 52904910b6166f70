"""Figure 5: estimates of a wait that changes, by three policies, over many seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.asa.tracking import stepped, track
from schedlab.papers.souza2020.sheet import PAPER
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from schedlab.asa.settings import Settings

POLICIES = {"greedy": "Greedy", "default": "default", "tuned": "tuned"}
#: shares of the runs between which a band lies
LOWER, UPPER = 0.25, 0.75
#: how often a wait changes, and of how many cases a share of hits is that of a case
CHANGES, WINDOW = 5, 20


def convergence(settings: Settings, cases: int, runs: int) -> pd.DataFrame:
    """Let learners of each policy estimate a stepped wait.

    Parameters
    ----------
    settings : Settings
        Of the learners; the policy is replaced.
    cases, runs : int
        How many.

    Returns
    -------
    DataFrame
        case, policy, wait (true, s), median, low, high (of the runs' estimates, s: half of the runs
        lie between low and high), hit (share of runs whose estimate is the closest alternative).
    """
    waits = stepped(settings.alternatives, cases, CHANGES, generator(PAPER, "fig5", "waits"))
    found = []
    for policy, label in POLICIES.items():
        streams = [generator(PAPER, "fig5", policy, run) for run in range(runs)]
        one = track(waits, replace(settings, policy=policy), streams)
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


def steps(curves: pd.DataFrame) -> pd.DataFrame:
    """Return a row per policy and true wait: share of hits in the first and last cases of it.

    Parameters
    ----------
    curves : DataFrame
        From `convergence`.

    Returns
    -------
    DataFrame
        policy, step (from 1), wait in s, early and late: mean share of hits over the first and the
        last `WINDOW` cases.
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
                    "early": part["hit"].head(WINDOW).mean(),
                    "late": part["hit"].tail(WINDOW).mean(),
                }
            )
    return pd.DataFrame(rows)
