"""Can anything be learned online? Learners that choose each period's policy from those before.

Every learner meets the periods in order. It chooses before it sees a period's losses, the average
bounded slowdowns; those who watch see the losses of all policies afterwards, a bandit that of the
one it chose. In the first period nothing is known, so losses are counted from the second on, for
every learner and for what it is held against.

Losses have no bound, and exponential weights want one: they are divided by the largest that the
learner itself has seen so far. Nothing is looked up that a scheduler would not know at that time.

References
----------
legrand2018, section 12, asks; Cesa-Bianchi and Lugosi, Prediction, Learning, and Games (2006),
chapter 2 (Hedge); Bubeck and Cesa-Bianchi, Regret Analysis of Stochastic and Nonstochastic
Multi-armed Bandit Problems (2012), section 3.1 (EXP3 with rates that need no horizon).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.tuning.adaptation import after, best_places
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.tuning.surface import Surface

HEDGE, EXP3, FOLLOW = "Hedge", "EXP3", "follow the leader"
COLUMNS = {"learner": "str", "repetition": "int64", "piece": "int64", "avebsld": "float64"}


def hedge(losses: np.ndarray, stream: np.random.Generator) -> np.ndarray:
    """Draw a policy a period with exponential weights over all policies' losses.

    Parameters
    ----------
    losses : ndarray of float64, shape (p, k)
        Loss of each of k policies in p periods.
    stream : Generator
        For the draws.

    Returns
    -------
    ndarray of int64, shape (p,)
        The policy chosen in each period; with rate sqrt(8 ln k / t) in the t-th.
    """
    rounds, policies = losses.shape
    chosen = np.empty(rounds, dtype=np.int64)
    total, largest = np.zeros(policies), 1.0
    for place in range(rounds):
        rate = np.sqrt(8 * np.log(policies) / (place + 1))
        chosen[place] = stream.choice(policies, p=_exponential(-rate * total / largest))
        total += losses[place]
        largest = max(largest, losses[place].max())
    return chosen


def exp3(losses: np.ndarray, stream: np.random.Generator) -> np.ndarray:
    """Draw a policy a period with exponential weights over the losses of those drawn before.

    Parameters, results
        As for `hedge`; a loss that was seen is weighted by how unlikely its policy was, and the
        rate is sqrt(ln k / (k t)).
    """
    rounds, policies = losses.shape
    chosen = np.empty(rounds, dtype=np.int64)
    total, largest = np.zeros(policies), 1.0
    for place in range(rounds):
        rate = np.sqrt(np.log(policies) / (policies * (place + 1)))
        chance = _exponential(-rate * total / largest)
        drawn = chosen[place] = stream.choice(policies, p=chance)
        total[drawn] += losses[place, drawn] / chance[drawn]
        largest = max(largest, losses[place, drawn])
    return chosen


def _exponential(exponent: np.ndarray) -> np.ndarray:
    weights = np.exp(exponent - exponent.max())
    return weights / weights.sum()


def follow_the_leader(losses: np.ndarray) -> np.ndarray:
    """Return the loss of the policy whose sum over the periods before is smallest.

    Returns
    -------
    ndarray of float64, shape (p,)
        Mean over the policies that lead together; nan in the first period.
    """
    suffered = np.full(len(losses), np.nan)
    total = np.zeros(losses.shape[1])
    for place in range(1, len(losses)):
        total += losses[place - 1]
        suffered[place] = losses[place, best_places(total)].mean()
    return suffered


def learn_online(
    surface: Surface,
    pure: pd.DataFrame,
    windows: Sequence[int],
    repetitions: int,
    key: Sequence[str | int],
) -> pd.DataFrame:
    """Run every learner over the periods of a trace.

    Parameters
    ----------
    surface : Surface
        The space of weights in p periods.
    pure : DataFrame
        Index piece, a column per pure policy, as `schedlab.tuning.adaptation.pure_by_period`.
    windows : sequence of int
        How many periods back mixed weights are learned from, one learner each; each period's from
        those before, again and again.
    repetitions : int
        How often Hedge and EXP3 are drawn.
    key : sequence of str or int
        Key of the random streams; a learner's own is followed by its name and the repetition.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: the learner's loss in every period but the first.
    """
    losses, pieces = pure.to_numpy(dtype=float), pure.index.to_numpy()
    runs = [
        (name, repetition, losses[np.arange(len(losses)), draw(losses, stream)])
        for name, draw in ((HEDGE, hedge), (EXP3, exp3))
        for repetition in range(repetitions)
        for stream in [generator(*key, name, repetition)]
    ]
    runs.append((FOLLOW, 0, follow_the_leader(losses)))
    runs += [(windowed(window), 0, after(surface, window)) for window in windows]
    frames = [
        pd.DataFrame({"learner": name, "repetition": repetition, "piece": pieces, "avebsld": loss})
        for name, repetition, loss in runs
    ]
    frame = pd.concat(frames, ignore_index=True).astype(COLUMNS)
    return frame[frame["piece"] > pieces[:1].sum()].reset_index(drop=True)


def windowed(window: int) -> str:
    """Name the learner that looks back over `window` periods."""
    return f"w_train, last {window}" if window > 1 else "w_greedy"


def regret(online: pd.DataFrame, surface: Surface, pure: pd.DataFrame) -> pd.DataFrame:
    """Hold the learners against the best that was fixed and the best of each period.

    Parameters
    ----------
    online : DataFrame
        From `learn_online`.
    surface, pure
        As for `learn_online`.

    Returns
    -------
    DataFrame
        A row per learner: learner, sum (of the average bounded slowdowns from the second period
        on; mean over the repetitions), deviation (standard deviation over the repetitions),
        best_fixed (the pure policy whose sum is smallest), regret_fixed, regret_weights (against
        the best fixed weights) and regret_optimum (against each period's best weights).
    """
    later = pure.index[1:]
    fixed = pure.loc[later].sum()
    values = surface.values[1:]
    comparators = {
        "best_fixed": fixed.idxmin() if len(later) else "",
        "regret_fixed": fixed.min(),
        "regret_weights": values.sum(axis=0).min() if len(later) else np.nan,
        "regret_optimum": values.min(axis=1).sum(),
    }
    total = online.groupby(["learner", "repetition"], sort=False)["avebsld"].sum()
    rows = []
    for learner, sums in total.groupby(level="learner", sort=False):
        row = {"learner": learner, "sum": sums.mean(), "deviation": sums.std(ddof=0)}
        for name, best in comparators.items():
            row[name] = best if isinstance(best, str) else sums.mean() - best
        rows.append(row)
    columns = ["learner", "sum", "deviation", *comparators]
    return pd.DataFrame(rows, columns=columns)


def regret_paths(online: pd.DataFrame, pure: pd.DataFrame) -> pd.DataFrame:
    """Add up the regret against the best fixed policy, period by period.

    Parameters
    ----------
    online : DataFrame
        From `learn_online`.
    pure : DataFrame
        As for `learn_online`.

    Returns
    -------
    DataFrame
        Columns learner, piece, regret (mean over the repetitions), low and high (a standard
        deviation below and above).
    """
    columns = ["learner", "piece", "regret", "low", "high"]
    if online.empty:
        return pd.DataFrame(columns=columns)
    later = pure.iloc[1:]
    fixed = later[later.sum().idxmin()].cumsum()
    total = online.groupby(["learner", "repetition"], sort=False)["avebsld"].cumsum()
    regret = online.assign(regret=total - fixed.loc[online["piece"]].to_numpy())
    grouped = regret.groupby(["learner", "piece"], sort=False)["regret"]
    found, deviation = grouped.mean().reset_index(), grouped.std(ddof=0).to_numpy()
    found = found.assign(low=found["regret"] - deviation, high=found["regret"] + deviation)
    return found[columns]
