"""Regret of Algorithm 1 compared with its proven bound: games with given losses.

A game is a sequence of cases. In each case the learner draws an alternative (default policy). Then
the loss of every alternative is computed, and the learner observes only the loss of its draw.
The regret is the learner's total loss so far minus that of the alternative with the least total
loss so far. This is the strictest reading of the theorem, whose fixed alternative is arbitrary.

The bound, with probability above 1 - delta, at any one time t::

    4 eta(t) + ln m + sqrt(2 t ln(m / delta))

eta(t) is the number of mini-batches, or rounds, in the first t cases, including the unfinished
one. The bound is therefore a random number, and the learner's own mistakes raise it: a round ends
only when an alternative has lost more than 1.

A round costs at most m + 1, so with up to three alternatives the regret cannot exceed the bound.
With many alternatives it can, at any rates. The proof uses the losses of the drawn alternatives,
weighted by their probabilities (equation 12), as if they were the expected losses (equation 14).
The latter are up to m times as large. It also needs a constant gamma of 1 (equation 8).

Losses are functions of the case and of the learners' probabilities in it. A sequence may thus be
fixed in advance or chosen against the learner, but it never depends on what is drawn.

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

#: losses from 0 to 1, given the case, from 0, and the probabilities of shape (r, m); the result
#: broadcasts to that shape
Losses = Callable[[int, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Game:
    """Results of r runs of t cases.

    `regret`, float64 of shape (r, t), is the regret after each case, relative to the alternative
    that is best so far. `rounds`, int64 of shape (r, t), is the number of rounds in the cases so
    far.
    """

    regret: np.ndarray
    rounds: np.ndarray


def play(
    losses: Losses, cases: int, settings: Settings, streams: Sequence[np.random.Generator]
) -> Game:
    """Play a game of `cases` cases, once for each of r streams."""
    runs = len(streams)
    learners = Learners.fresh(replace(settings, policy="default"), runs)
    uniform = np.array([stream.random(cases) for stream in streams]).reshape(runs, cases)
    rows = np.arange(runs)
    learner_loss, alternative_losses = np.zeros(runs), np.zeros(learners.chance.shape)
    regret, rounds = np.empty((runs, cases)), np.empty((runs, cases), dtype=np.int64)
    for case in range(cases):
        loss = np.broadcast_to(losses(case, learners.chance), alternative_losses.shape)
        if not ((loss >= 0) & (loss <= 1)).all():
            raise ValueError(f"case {case}: a loss is not between 0 and 1")
        rounds[:, case] = learners.rounds
        place = learners.draw(uniform[:, case])
        learners.score(place, loss[rows, place])
        learner_loss += loss[rows, place]
        alternative_losses += loss
        regret[:, case] = learner_loss - alternative_losses.min(axis=1)
    return Game(regret, rounds)


def bound(rounds: np.ndarray, alternatives: int, delta: float) -> np.ndarray:
    """Return the bound of theorem 1 after each case, in the shape of `rounds`."""
    if not 0 < delta < 1:
        raise ValueError(f"delta is {delta}, must be between 0 and 1")
    time = np.arange(1, rounds.shape[-1] + 1)
    return 4 * rounds + np.log(alternatives) + np.sqrt(2 * time * np.log(alternatives / delta))


def coverage(game: Game, alternatives: int, delta: float) -> np.ndarray:
    """Return the share of runs whose regret is within the bound, after each of t cases, shape (t,).

    The theorem states that the share is above 1 - `delta`. Arguments as for `bound`.
    """
    return (game.regret <= bound(game.rounds, alternatives, delta)).mean(axis=0)


def constant(alternatives: int, best: int) -> Losses:
    """Return losses with one alternative best in all cases: the others lose 1 (equation 3)."""
    loss = _but(alternatives, best)
    return lambda case, chance: loss


def switching(alternatives: int, best: ArrayLike, every: int) -> Losses:
    """Return losses whose best alternative changes cyclically, every so many cases."""
    loss = _but(alternatives, best)
    return lambda case, chance: loss[case // every % len(loss)]


def independent(mean: ArrayLike, cases: int, stream: np.random.Generator) -> Losses:
    """Return random losses: in each case an alternative loses 1 with its probability, otherwise 0.

    `mean` has the m probabilities; all runs have the same losses, in up to `cases` cases.
    """
    mean = np.asarray(mean, dtype=float)
    loss = (stream.random((cases, len(mean))) < mean).astype(float)
    return lambda case, chance: loss[case]


def unlikely(case: int, chance: np.ndarray) -> np.ndarray:
    """Return losses against the learner: its least likely alternative is best, in a tie the first.

    `case` is ignored; `chance` is the probability of the alternatives in each run, (r, m).
    """
    return _but(chance.shape[1], chance.argmin(axis=1))


def _but(alternatives: int, best: ArrayLike) -> np.ndarray:
    """Return losses of 1 except for the best: shape (..., m) for places of shape (...)."""
    return 1 - np.eye(alternatives)[np.asarray(best)]
