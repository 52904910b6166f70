"""Algorithm 1 for many learners at once: a row for each, a column for each alternative.

A learner is a geometry, or a run, or a geometry in a run: rows have nothing to do with each other.
Random numbers come from outside, one row for each learner, so that none depends on how many others
there are. The twin written to be read is `tests.twins.asa`.

What the pseudocode leaves open: a round's losses are those of the alternatives that were drawn in
it, also the last, which takes one of them above 1 and ends the round; rates count rounds, not
cases; an alternative that is as close to the wait as another is as good as it (both have no loss).

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
    """What k learners know, each of m alternatives.

    Parameters
    ----------
    settings : Settings
        Alternatives, policy and rates of all of them.
    chance : ndarray of float64, shape (k, m)
        Probability of each alternative; rows add up to 1.
    loss : ndarray of float64, shape (k, m)
        Losses of the round that is going on.
    last : ndarray of float64, shape (k, m)
        Last loss of each alternative; 0 where it has not been scored.
    rounds : ndarray of int64, shape (k,)
        Number of the round that is going on, from 1.
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
        """Return `count` learners that know nothing: all alternatives are equally likely."""
        shape = count, len(settings.alternatives)
        chance = np.full(shape, 1 / shape[1])
        return cls(
            settings, chance, np.zeros(shape), np.zeros(shape), np.ones(count, dtype=np.int64)
        )

    def draw(self, uniform: np.ndarray) -> np.ndarray:
        """Draw an alternative for each learner by its chances.

        Parameters
        ----------
        uniform : ndarray of float64, shape (k,)
            Random numbers from 0 up to, not including, 1.

        Returns
        -------
        ndarray of int64, shape (k,)
            Places of the alternatives.
        """
        found = np.count_nonzero(self._reach <= uniform[:, None], axis=1)
        # rounding may leave the sum of a row's chances below 1
        return np.minimum(found, self._reach.shape[1] - 1)

    def choose(self, uniform: np.ndarray) -> np.ndarray:
        """Choose an estimate for each learner by the policy; see `draw`.

        Parameters
        ----------
        uniform : ndarray of float64, shape (k, settings.draws)
            Random numbers; none for the greedy policy.
        """
        if self.settings.policy == "greedy":
            return self.last.argmin(axis=1)
        return self.draw(uniform[:, 0])

    def score(self, place: np.ndarray, loss: np.ndarray) -> None:
        """Count the loss of one alternative for each learner, and end rounds (lines 3 to 7).

        Parameters
        ----------
        place : ndarray of int64, shape (k,)
            The alternatives.
        loss : ndarray of float64, shape (k,)
            Their losses, from 0 to 1.
        """
        self.last[self._rows, place] = loss
        self.loss[self._rows, place] += loss
        # only what has just been scored can have come above the bound
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
        """Learn from the wait that each learner was to estimate.

        Parameters
        ----------
        place : ndarray of int64, shape (k,)
            What each had estimated.
        wait : array_like, shape (k,)
            The waits in seconds.
        uniform : ndarray of float64, shape (k, settings.redraws)
            Random numbers of the tuned policy; none for the others.
        """
        losses = losses_of(self.settings.alternatives, wait)
        self.score(place, losses[self._rows, place])
        for column in uniform.T:
            drawn = self.draw(column)
            self.score(drawn, losses[self._rows, drawn])


def losses_of(alternatives: ArrayLike, wait: ArrayLike) -> np.ndarray:
    """Return the loss of every alternative for each wait: 0 for the closest, 1 otherwise.

    Parameters
    ----------
    alternatives : array_like, shape (m,)
        Waiting times in seconds.
    wait : array_like, shape (k,)
        The waits in seconds.

    Returns
    -------
    ndarray of float64, shape (k, m)

    References
    ----------
    souza2020, equation 3.

    Examples
    --------
    >>> losses_of([10, 20, 40], [12, 30]).tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
    """
    far = np.abs(np.asarray(alternatives)[None, :] - np.asarray(wait)[:, None])
    return (far > far.min(axis=1, keepdims=True)).astype(float)
