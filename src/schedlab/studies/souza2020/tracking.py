"""Estimates of a changing wait, run by run, and whether learners converge to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.waits.algorithm import Learners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.waits.settings import Settings


@dataclass(frozen=True, eq=False)
class Track:
    """Estimates of r runs, case after case.

    Parameters
    ----------
    estimate : ndarray of int64, shape (r, t)
        In seconds.
    hit : ndarray of bool, shape (r, t)
        Whether no alternative was closer to the wait.
    """

    estimate: np.ndarray
    hit: np.ndarray


def track(waits: np.ndarray, settings: Settings, streams: Sequence[np.random.Generator]) -> Track:
    """Let one learner a run estimate every wait, and then observe it.

    Parameters
    ----------
    waits : ndarray, shape (t,)
        True waits in seconds, the same for all runs.
    settings : Settings
        Settings of the learners.
    streams : sequence of Generator, length r
        One for each run; a run's random numbers do not depend on the other runs.

    References
    ----------
    souza2020, section 4.4 and figure 5.
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


def stepped(alternatives: Sequence[int], cases: int, changes: int, stream: np.random.Generator):
    """Draw a true wait that changes at equal intervals.

    Parameters
    ----------
    alternatives : sequence of int
        Waits to draw from, in seconds; none is drawn twice in a row.
    cases : int
        Number of cases in all.
    changes : int
        Number of waits that are drawn, including the one of the first case.
    stream : Generator
        For the draws.

    Returns
    -------
    ndarray of int64, shape (cases,)

    Notes
    -----
    The paper varies the wait at random at cases 0, 200, 400, 600 and 800 of 1000, and does not
    state the possible waits. Here every alternative is equally likely.
    """
    place = [int(stream.integers(len(alternatives)))]
    for _ in range(changes - 1):
        step = int(stream.integers(1, len(alternatives)))
        place.append((place[-1] + step) % len(alternatives))
    each = -(-cases // changes)
    return np.repeat(np.array(alternatives, dtype=np.int64)[place], each)[:cases]
