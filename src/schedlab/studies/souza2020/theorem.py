"""Test theorem 1 of souza2020: regret compared with its bound, in games of several kinds.

Each game is played with the configured rates and with falling ones. The proof needs a constant 1.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from schedlab.core.intervals import LEVEL
from schedlab.core.streams import generator
from schedlab.report.claims import Outcome, all_of
from schedlab.studies.souza2020 import regret
from schedlab.studies.souza2020.regret import Losses
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.backtest_predictors import learners_of
from schedlab.waits.settings import Settings

CONSTANT, SWITCHING, RANDOM, ADVERSARIAL = "constant", "switching", "random", "adversarial"
#: probability of a loss of the best alternative, and of the others, in random losses
BEST, OTHERS = 0.2, 0.5
#: number of periods between which a switching best alternative changes
SWITCHES = 5


def losses_of(kind: str, alternatives: int, cases: int) -> Losses:
    """Make a sequence of losses; ValueError if `kind` is unknown."""
    middle = alternatives // 2
    if kind == CONSTANT:
        return regret.constant(alternatives, middle)
    if kind == SWITCHING:
        best = np.arange(SWITCHES) * max(alternatives // SWITCHES, 1) % alternatives
        return regret.switching(alternatives, best, -(-cases // SWITCHES))
    if kind == RANDOM:
        mean = np.full(alternatives, OTHERS)
        mean[middle] = BEST
        return regret.independent(mean, cases, generator(PAPER, "theorem1", "losses", alternatives))
    if kind == ADVERSARIAL:
        return regret.unlikely
    raise ValueError(f"losses are {kind!r}, must be constant, switching, random or adversarial")


def theorem(
    settings: Settings, alternatives: Sequence[int], deltas: Sequence[float], cases: int, runs: int
) -> pd.DataFrame:
    """Play all games, also with falling rates, and compare regret with its bound."""
    frames = []
    kinds = (CONSTANT, SWITCHING, RANDOM, ADVERSARIAL)
    for kind, count, (name, rates) in product(kinds, alternatives, learners_of(settings).items()):
        # both kinds of rates draw the same numbers
        streams = [generator(PAPER, "theorem1", kind, count, run) for run in range(runs)]
        game_settings = replace(rates, alternatives=tuple(range(1, count + 1)))
        game = regret.play(losses_of(kind, count, cases), cases, game_settings, streams)
        low, high = np.quantile(game.regret, (0.025, 0.975), axis=0)
        for delta in deltas:
            frames.append(
                pd.DataFrame(
                    {
                        "losses": kind,
                        "alternatives": count,
                        "learner": name,
                        "delta": delta,
                        "case": np.arange(1, cases + 1),
                        "regret": game.regret.mean(axis=0),
                        "low": low,
                        "high": high,
                        "bound": regret.bound(game.rounds, count, delta).mean(axis=0),
                        "coverage": regret.coverage(game, count, delta),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def outcomes_of_games(kept: pd.DataFrame) -> pd.Series:
    """Return the outcome of each game by losses, alternatives and learner, over all deltas.

    A game holds if it holds for every delta, and fails if it fails for any.
    """
    results = kept.groupby(["losses", "alternatives", "learner"], sort=False)["result"]
    return results.agg(
        lambda own: (
            Outcome.of(
                all_of(None if each == Outcome.UNDECIDED else each == Outcome.HOLDS for each in own)
            ).value
        )
    )


def coverage_of_bound(curves: pd.DataFrame, runs: int) -> pd.DataFrame:
    """Return a row per game, rates and delta: the least share of runs within the bound."""
    keys = ["losses", "alternatives", "learner", "delta"]
    grouped = curves.groupby(keys, sort=False)
    table = grouped.agg(
        coverage=("coverage", "min"), regret=("regret", "last"), bound=("bound", "last")
    )
    table = table.reset_index()
    table["wanted"] = 1 - table["delta"]
    ends = [
        binomtest(round(share * runs), runs).proportion_ci(LEVEL, method="exact")
        for share in table["coverage"]
    ]
    table["low"], table["high"] = [one.low for one in ends], [one.high for one in ends]
    above, none = table["low"] > table["wanted"], table["high"] <= table["wanted"]
    table["result"] = np.select([above, none], [Outcome.HOLDS, Outcome.FAILS], Outcome.UNDECIDED)
    return table[[*keys, "coverage", "low", "high", "wanted", "result", "regret", "bound"]]
