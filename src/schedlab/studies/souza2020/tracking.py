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
    """Estimates of r runs over t cases, in seconds, shape (r, t).

    `hit`, of the same shape, states whether no alternative was closer to the wait.
    """

    estimate: np.ndarray
    hit: np.ndarray


def track(waits: np.ndarray, settings: Settings, streams: Sequence[np.random.Generator]) -> Track:
    """Let one learner a run estimate every wait, and then observe it; section 4.4, figure 5.

    `waits` are the true waits in seconds, shape (t,), the same for all runs. Each run has one
    stream; its random numbers do not depend on the other runs.
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
