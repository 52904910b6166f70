"""The twin of Algorithm 1 and its policies, written to be read: one learner, plain lists."""

from __future__ import annotations

import math
from collections.abc import Iterable


class AsaTwin:
    """One learner: gamma_t = rate / t**power; its random numbers are given, one by one."""

    def __init__(
        self,
        alternatives: list[int],
        policy: str,
        repetitions: int,
        rate: float,
        power: float,
        uniform: Iterable[float],
    ) -> None:
        self.alternatives, self.policy, self.repetitions = alternatives, policy, repetitions
        self.rate, self.power, self.uniform = rate, power, iter(uniform)
        count = len(alternatives)
        self.p = [1 / count] * count
        self.loss = [0.0] * count
        self.last = [0.0] * count
        self.t = 1

    def sample(self) -> int:
        """Sample an action according to p (line 4)."""
        u, reached = next(self.uniform), 0.0
        for action, p in enumerate(self.p):
            reached += p
            if u < reached:
                return action
        return len(self.p) - 1

    def estimate(self) -> int:
        """Choose an action by the policy."""
        if self.policy == "greedy":
            return self.last.index(min(self.last))
        return self.sample()

    def score(self, action: int, wait: float) -> None:
        """Lines 3 and 5 to 7 for one action."""
        distances = [abs(alternative - wait) for alternative in self.alternatives]
        loss = 0 if distances[action] == min(distances) else 1
        self.loss[action] += loss
        self.last[action] = loss
        if max(self.loss) <= 1:
            return
        gamma = self.rate / self.t**self.power
        weights = [p * math.exp(-gamma * x) for p, x in zip(self.p, self.loss, strict=True)]
        self.p = [weight / sum(weights) for weight in weights]
        self.loss = [0.0] * len(self.p)
        self.t += 1

    def observe(self, action: int, wait: float) -> None:
        """Score what was estimated and, if tuned, what else would have been."""
        self.score(action, wait)
        if self.policy == "tuned":
            for _ in range(self.repetitions):
                self.score(self.sample(), wait)
