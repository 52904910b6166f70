"""What a learner of waiting times chooses among, how it chooses, and how fast it learns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

Policy = Literal["default", "greedy", "tuned"]
#: Waiting times in seconds: 53 up to some 28 hours, most of them tens and hundreds. How many they
#: are and what they are multiples of is published (souza2020, section 4.3), which ones is not.
ALTERNATIVES = (
    *range(10, 100, 5),
    *range(100, 1_000, 50),
    *range(1_000, 10_000, 1_000),
    *range(10_000, 80_000, 10_000),
    100_000,
)


@dataclass(frozen=True)
class Settings:
    """What Algorithm 1 is run with.

    Parameters
    ----------
    alternatives : tuple of int
        Waiting times to choose among, in seconds, ascending; `ALTERNATIVES` by default.
    policy : {"tuned", "default", "greedy"}
        How an estimate is chosen. ``default``: drawn by the chances of the alternatives, and what
        was drawn is scored. ``tuned``: the same, and then the wait that was observed is used
        `repetitions` times more to draw and score alternatives. ``greedy``: the alternative whose
        last loss is the least, the smallest of several: nothing is drawn. Once a wait has dropped
        every alternative has lost, and it keeps to the smallest (section 4.4).
    repetitions : int, default 50
        Of the tuned policy.
    rate, power : float, default 1 and 0
        The t-th round's losses count with gamma_t = rate / t**power, which never increases.

    Raises
    ------
    ValueError
        Fewer than two alternatives, one that is no whole number of seconds, or a descending one; an
        unknown policy; a number out of range.

    Notes
    -----
    The paper asks of gamma_t that it is non-increasing; its proof (appendix A, equation 8) has a
    constant 1, which is the default, and no `rate` above that is taken. With a falling rate, such
    as ``power=0.5``, a learner that has seen many jobs hardly follows a queue that changes: in the
    games of figure 5 it hits the fifth wait a quarter as often.

    References
    ----------
    souza2020, Algorithm 1 and sections 4.3 to 4.5.
    """

    alternatives: tuple[int, ...] = ALTERNATIVES
    policy: Policy = "tuned"
    repetitions: int = 50
    rate: float = 1.0
    power: float = 0.0

    def __post_init__(self) -> None:
        waits = self.alternatives
        if len(waits) < 2:
            raise ValueError(f"alternatives: {len(waits)} given, at least 2 are needed")
        for wait in waits:
            if isinstance(wait, bool) or not isinstance(wait, int) or wait < 0:
                raise ValueError(f"alternatives: {wait!r} is no whole number of seconds")
        for one, after in pairwise(waits):
            if after <= one:
                raise ValueError(f"alternatives: {after} follows {one}, must ascend")
        if self.policy not in get_args(Policy):
            known = ", ".join(get_args(Policy))
            raise ValueError(f"policy is {self.policy!r}, must be one of {known}")
        if self.repetitions < 1:
            raise ValueError(f"repetitions is {self.repetitions}, must be at least 1")
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate is {self.rate}, must be above 0 and at most 1")
        if not 0 <= self.power < float("inf"):
            raise ValueError(f"power is {self.power}, must be at least 0")

    @property
    def draws(self) -> int:
        """How many numbers an estimate takes from a random stream."""
        return 0 if self.policy == "greedy" else 1

    @property
    def redraws(self) -> int:
        """How many numbers an observation takes from a random stream."""
        return self.repetitions if self.policy == "tuned" else 0
