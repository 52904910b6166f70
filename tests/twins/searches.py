"""The twin of the rules by which plans are searched, written to be read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from schedlab.planning.settings import Rule, Search
from twins.splitmix import Stream

#: a gain that is no more is rounding, as in the kernel
LEAST = Fraction(1, 10**9)
#: in the place of a criterion that is 0
TINY = Fraction(1, 10**9)
#: losses that a sample takes at most, and iterations
SAMPLE = 256
#: in parts of which shares are compared, and the most that is counted with
SHARE_UNIT, MOST_SHARE = 2**32, 2**30

#: of a plan: wait, slowdown, unfairness, response
Criteria = Sequence[Fraction]


def changes(before: Criteria, after: Criteria, base: Criteria) -> list[Fraction]:
    """By which part of `base` each criterion is better after than before."""
    return [(old - new) / max(of, TINY) for old, new, of in zip(before, after, base, strict=True)]


def weighted(weights: Sequence[float], parts: Sequence[Fraction]) -> Fraction:
    """Weighted sum of the criteria's parts."""
    return sum((Fraction(w) * part for w, part in zip(weights, parts, strict=True)), Fraction(0))


class First:
    """Make every gain on the plan as it is; the last plan is the best."""

    def __init__(self, plan: Any, criteria: Criteria, search: Search, jobs: int) -> None:
        self.plan, self.criteria, self.search, self.jobs = plan, criteria, search, jobs

    def base(self) -> Criteria:
        """What changes are parts of."""
        return self.criteria

    def take(self, numbers: Stream, job: int, gain: Fraction, made: tuple) -> bool:
        """Whether a move is made: `made` is the plan that it leads to, its criteria and its row."""
        return gain > LEAST

    def make(self, job: int, made: tuple) -> None:
        self.plan, self.criteria = made[:2]

    def pause(self, iteration: int) -> tuple | None:
        """End an iteration in which no move was made; a move that is to be made none the less."""

    def step(self, iteration: int) -> None:
        """Begin an iteration."""

    def best(self) -> tuple[Any, Criteria]:
        return self.plan, self.criteria


class Best(First):
    """What rules have in common that may lose: gains are since the beginning, the best is kept."""

    def __init__(self, plan: Any, criteria: Criteria, search: Search, jobs: int) -> None:
        super().__init__(plan, criteria, search, jobs)
        self.begin, self.gain = criteria, Fraction(0)
        self.best_plan, self.best_criteria, self.best_gain = plan, criteria, Fraction(0)

    def base(self) -> Criteria:
        return self.begin

    def make(self, job: int, made: tuple) -> None:
        super().make(job, made)
        parts = changes(self.begin, self.criteria, self.begin)
        self.gain = weighted(self.search.weights, parts)
        if self.gain > self.best_gain + LEAST:
            self.best_plan, self.best_criteria, self.best_gain = *made[:2], self.gain

    def best(self) -> tuple[Any, Criteria]:
        return self.best_plan, self.best_criteria


class Annealing(Best):
    """Make a loss with probability exp(-loss / heat)."""

    def __init__(self, plan: Any, criteria: Criteria, search: Search, jobs: int) -> None:
        super().__init__(plan, criteria, search, jobs)
        self.losses: list[Fraction] = []
        self.sampled = min(math.isqrt(search.iterations), SAMPLE)
        self.heat, self.cooling, self.iteration = 0.0, 1.0, 0

    def step(self, iteration: int) -> None:
        """Set the heat."""
        self.iteration = iteration
        self.heat *= self.cooling
        if iteration == self.sampled and self.losses:
            losses = sorted(self.losses)
            self.heat = float(losses[(len(losses) - 1) // 2])
            steps = self.search.iterations - iteration - 1
            self.cooling = (float(losses[0]) / self.heat) ** (1 / max(steps, 1))

    def take(self, numbers: Stream, job: int, gain: Fraction, made: tuple) -> bool:
        """Take a sample, then draw."""
        if self.iteration < self.sampled and gain < -LEAST and len(self.losses) < SAMPLE:
            self.losses.append(-gain)
        if self.heat == 0:
            return gain > LEAST
        return (numbers.draw() >> 11) * 2.0**-53 < math.exp(min(float(gain) / self.heat, 1))


class Tabu(Best):
    """Bar moved jobs, and make the smallest loss if no move gains any more."""

    def __init__(self, plan: Any, criteria: Criteria, search: Search, jobs: int) -> None:
        super().__init__(plan, criteria, search, jobs)
        self.recent: list[int] = []
        self.idle, self.out = 0, None

    def take(self, numbers: Stream, job: int, gain: Fraction, made: tuple) -> bool:
        """To the best plan so far, or a gain of a job that is free; remember the smallest loss."""
        if self.gain + gain > self.best_gain + LEAST:
            return True
        if job in self.recent:
            return False
        if gain > LEAST:
            return True
        if gain < -LEAST and (self.out is None or gain > self.out[0] + LEAST):
            self.out = gain, job, made
        return False

    def make(self, job: int, made: tuple) -> None:
        super().make(job, made)
        self.recent = [*self.recent, job][-math.isqrt(self.jobs) :]
        self.idle, self.out = 0, None

    def pause(self, iteration: int) -> tuple | None:
        """After as many iterations as jobs: the smallest loss."""
        self.idle += 1
        return self.out if self.idle >= self.jobs else None


RULES: dict[Rule, type[First]] = {"first": First, "annealing": Annealing, "tabu": Tabu}


class Uniform:
    """Any job alike."""

    def __init__(self, numbers: Stream) -> None:
        self.numbers = numbers

    def next(self, waiting: list[int], shares: Any) -> int:
        """The waiting job whose turn it is, in the plan's order."""
        return waiting[self.numbers.below(len(waiting))]

    def again(self) -> None:
        """A move has gained."""


class Worst(Uniform):
    """The job with the largest share first, then the one with the next."""

    queue: Sequence[int] = ()

    def next(self, waiting: list[int], shares: Any) -> int:
        """The next by share."""
        if not self.queue:
            share = {
                job: math.floor(own * SHARE_UNIT + Fraction(1, 2)) for job, own in shares().items()
            }
            self.queue = sorted(waiting, key=lambda job: -share[job])
        job, *self.queue = self.queue
        return job

    def again(self) -> None:
        """Begin from the largest share."""
        self.queue = ()


CHOICES = {"uniform": Uniform, "worst": Worst}
