"""Policies with listed priorities, such as those of a site's scheduler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from schedlab.policies.pure import Policy

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs


@dataclass(frozen=True)
class ListedPolicy(Policy):
    """Policy with scores by job number, made by `policy_of_scores`; other jobs have 0."""

    listed: Mapping[int, float] = field(default_factory=dict)

    def scores(self, jobs: Jobs, head: int = 0, wait: float | np.ndarray = 0.0) -> np.ndarray:
        """Return the listed score of each job; see `Policy.scores`."""
        score = np.array([self.listed.get(job, 0.0) for job in jobs.number.tolist()], dtype=float)
        score[:head] = -np.inf
        return score


def policy_of_scores(name: str, scores: Mapping[int, float]) -> ListedPolicy:
    """Return the static policy with the given scores, by job number; the smallest runs first.

    The name is also its label.

    Examples
    --------
    >>> from schedlab.core.jobs import Jobs
    >>> jobs = Jobs([7, 8], [0, 0], [1, 1], [1, 1], [1, 1])
    >>> policy_of_scores("site", {7: -10, 8: -20}).scores(jobs)
    array([-10., -20.])
    """
    # the expression of any score that does not change
    return ListedPolicy(name, name, "0", listed=dict(scores))
