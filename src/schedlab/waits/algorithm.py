"""Algorithm 1 for many learners at once: a row for each, a column for each alternative.

A learner is a geometry, or a run, or a geometry in a run: rows are independent. The caller passes
random numbers, one row for each learner, so that no learner depends on the number of others. A
readable reference implementation is `tests.twins.asa`.

Choices where the pseudocode is silent: the losses of a round are those of the alternatives drawn in
it. They include the last draw, which takes one of them above 1 and ends the round. Rates count
rounds, not cases. All alternatives that are equally close to the wait have no loss.

References
----------
souza2020, Algorithm 1 and equation 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from schedlab.waits.settings import Settings

#: a round ends when the losses of one alternative add up to more than this
MOST_LOSS = 1


class Learners:
    """State of k learners of m alternatives each.

    `chance` is the probability of each alternative, and rows add up to 1. `loss` are losses in the
    current round, `last` the last loss of each alternative (0 if it has not been scored). `rounds`
    (int64, shape (k,)) is the number of the current round, from 1.
    """

    def __init__(
        self,
        settings: Settings,
        chance: np.ndarray,
        loss: np.ndarray,
        last: np.ndarray,
        rounds: np.ndarray,
    ) -> None:
        self.settings = settings
        self.chance, self.loss, self.last, self.rounds = chance, loss, last, rounds
        self._rows = np.arange(len(chance))
        self._reach = np.cumsum(chance, axis=1)

    @classmethod
    def fresh(cls, settings: Settings, count: int) -> Self:
        """Return `count` untrained learners: all alternatives are equally likely."""
        shape = count, len(settings.alternatives)
        chance = np.full(shape, 1 / shape[1])
        return cls(
            settings, chance, np.zeros(shape), np.zeros(shape), np.ones(count, dtype=np.int64)
        )

    def draw(self, uniform: np.ndarray) -> np.ndarray:
        """Draw the index of an alternative for each learner by its probabilities."""
        places = np.count_nonzero(self._reach <= uniform[:, None], axis=1)
        # rounding may leave the sum of a row's probabilities below 1
        return np.minimum(places, self._reach.shape[1] - 1)

    def choose(self, uniform: np.ndarray) -> np.ndarray:
        """Choose an estimate for each learner with its policy; see `draw`."""
        if self.settings.policy == "greedy":
            return self.last.argmin(axis=1)
        return self.draw(uniform[:, 0])

    def score(self, place: np.ndarray, loss: np.ndarray) -> None:
        """Add the loss of one alternative for each learner, and end rounds (lines 3 to 7)."""
        self.last[self._rows, place] = loss
        self.loss[self._rows, place] += loss
        # only the alternatives just scored can exceed the bound
        ended = np.flatnonzero(self.loss[self._rows, place] > MOST_LOSS)
        if not ended.size:
            return
        rate = self.settings.rate / self.rounds[ended] ** self.settings.power
        weight = self.chance[ended] * np.exp(-rate[:, None] * self.loss[ended])
        self.chance[ended] = weight / weight.sum(axis=1, keepdims=True)
        self._reach[ended] = np.cumsum(self.chance[ended], axis=1)
        self.loss[ended] = 0
        self.rounds[ended] += 1

    def observe(self, place: np.ndarray, wait: ArrayLike, uniform: np.ndarray) -> None:
        """Learn from the wait that each learner estimated."""
        losses = losses_of(self.settings.alternatives, wait)
        self.score(place, losses[self._rows, place])
        for column in uniform.T:
            alternative = self.draw(column)
            self.score(alternative, losses[self._rows, alternative])


def losses_of(alternatives: ArrayLike, wait: ArrayLike) -> np.ndarray:
    """Return the loss of every alternative for each wait: 0 for the closest, 1 otherwise."""
    far = np.abs(np.asarray(alternatives)[None, :] - np.asarray(wait)[:, None])
    return (far > far.min(axis=1, keepdims=True)).astype(float)
