"""Regret of Algorithm 1 beside the bound that is proved for it: games against given losses.

A game is a sequence of cases. Before each the learner draws an alternative (the default policy),
then every alternative's loss is known to us, and the learner's own to it. The regret is what it has
lost so far less what the alternative with the least losses so far would have; that is the strictest
reading of the theorem, whose fixed alternative may be any.

The bound, with probability above 1 - delta, at any one time t::

    4 eta(t) + ln m + sqrt(2 t ln(m / delta))

eta(t) is the number of mini-batches, or rounds, into which the t cases fall: the one that is still
going on counts. The bound is a random number therefore, and one that the learner's own mistakes
raise: a round ends only when an alternative has lost more than 1.

A round costs at most m + 1, so that with up to three alternatives the bound cannot be exceeded.
With many it can, whatever the rates: the proof carries the losses of what was drawn, weighted by
the chances (equation 12), and takes them for the expected losses (equation 14), which are up to m
times as large; it also needs a constant gamma of 1 (equation 8).

Losses are functions of the case and of the chances that the learners have in it, so that a sequence
may be fixed beforehand or made against the learner as it goes; never do they see what is drawn.

References
----------
souza2020, appendix A, theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from schedlab.waits.algorithm import Learners

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from schedlab.waits.settings import Settings

#: losses from 0 to 1 of a case, from 0 on, and the chances of shape (r, m): of a shape that
#: broadcasts to theirs
Losses = Callable[[int, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Game:
    """What r runs of t cases came to.

    Parameters
    ----------
    regret : ndarray of float64, shape (r, t)
        After each case, against the alternative that is best so far.
    rounds : ndarray of int64, shape (r, t)
        Into how many rounds the cases so far fall.
    """

    regret: np.ndarray
    rounds: np.ndarray


def play(
    losses: Losses, cases: int, settings: Settings, streams: Sequence[np.random.Generator]
) -> Game:
    """Play a game of `cases` cases, once a stream.

    Parameters
    ----------
    losses : callable
        Losses of a case; see `constant`, `switching`, `independent`, `unlikely`.
    cases : int
        How many.
    settings : Settings
        Alternatives, which only count here, and rates; the policy is the default one.
    streams : sequence of Generator, length r
        One for each run; a run's numbers do not depend on the others.

    Raises
    ------
    ValueError
        A loss is not between 0 and 1; the case is named.
    """
    runs = len(streams)
    learners = Learners.fresh(replace(settings, policy="default"), runs)
    uniform = np.array([stream.random(cases) for stream in streams]).reshape(runs, cases)
    rows = np.arange(runs)
    own, others = np.zeros(runs), np.zeros(learners.chance.shape)
    regret, rounds = np.empty((runs, cases)), np.empty((runs, cases), dtype=np.int64)
    for case in range(cases):
        loss = np.broadcast_to(losses(case, learners.chance), others.shape)
        if not ((loss >= 0) & (loss <= 1)).all():
            raise ValueError(f"case {case}: a loss is not between 0 and 1")
        rounds[:, case] = learners.rounds
        place = learners.draw(uniform[:, case])
        learners.score(place, loss[rows, place])
        own += loss[rows, place]
        others += loss
        regret[:, case] = own - others.min(axis=1)
    return Game(regret, rounds)


def bound(rounds: np.ndarray, alternatives: int, delta: float) -> np.ndarray:
    """Return the bound of theorem 1 after each case.

    Parameters
    ----------
    rounds : ndarray of int64, shape (..., t)
        Into how many rounds the cases so far fall; the last axis counts the cases from the first.
    alternatives : int
        How many, m.
    delta : float
        Share of runs that may exceed it at any one time.

    Returns
    -------
    ndarray of float64, shape (..., t)

    Raises
    ------
    ValueError
        `delta` is not between 0 and 1.
    """
    if not 0 < delta < 1:
        raise ValueError(f"delta is {delta}, must be between 0 and 1")
    time = np.arange(1, rounds.shape[-1] + 1)
    return 4 * rounds + np.log(alternatives) + np.sqrt(2 * time * np.log(alternatives / delta))


def held(game: Game, alternatives: int, delta: float) -> np.ndarray:
    """Return the share of runs whose regret is within the bound, after each case.

    Parameters
    ----------
    game : Game
        From `play`.
    alternatives, delta
        As for `bound`; the theorem says that the share is above 1 - delta.

    Returns
    -------
    ndarray of float64, shape (t,)
    """
    return (game.regret <= bound(game.rounds, alternatives, delta)).mean(axis=0)


def constant(alternatives: int, best: int) -> Losses:
    """One alternative is best in all cases: the others lose 1 (equation 3)."""
    loss = _but(alternatives, best)
    return lambda case, chance: loss


def switching(alternatives: int, best: ArrayLike, every: int) -> Losses:
    """The best alternative changes after `every` cases, through `best` and from its start again."""
    loss = _but(alternatives, best)
    return lambda case, chance: loss[case // every % len(loss)]


def independent(mean: ArrayLike, cases: int, stream: np.random.Generator) -> Losses:
    """Every alternative loses 1 or nothing in each case by a chance of its own.

    Parameters
    ----------
    mean : array_like, shape (m,)
        The chances.
    cases : int
        How many there are at most.
    stream : Generator
        For the draws; the same losses meet all runs.
    """
    mean = np.asarray(mean, dtype=float)
    loss = (stream.random((cases, len(mean))) < mean).astype(float)
    return lambda case, chance: loss[case]


def unlikely(case: int, chance: np.ndarray) -> np.ndarray:
    """Losses against the learner: best is what it is least likely to draw, the first of several.

    Parameters
    ----------
    case : int
        Does not matter.
    chance : ndarray of float64, shape (r, m)
        Chances of the alternatives in each run.
    """
    return _but(chance.shape[1], chance.argmin(axis=1))


def _but(alternatives: int, best: ArrayLike) -> np.ndarray:
    """Losses of 1 but for the best: shape (..., m) for places of shape (...)."""
    return 1 - np.eye(alternatives)[np.asarray(best)]
