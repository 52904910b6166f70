"""Settings of Algorithm 1: its alternatives, how it chooses, and how fast it learns."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

Policy = Literal["default", "greedy", "tuned"]
#: Waits in seconds: 53 up to about 28 hours, most of them tens and hundreds. Their number and the
#: multiples are published (souza2020, section 4.3), the values are not.
ALTERNATIVES = (
    *range(10, 100, 5),
    *range(100, 1_000, 50),
    *range(1_000, 10_000, 1_000),
    *range(10_000, 80_000, 10_000),
    100_000,
)


@dataclass(frozen=True)
class Settings:
    """Settings of Algorithm 1 (souza2020, sections 4.3 to 4.5).

    The paper requires a non-increasing gamma_t. Its proof (appendix A, equation 8) uses a constant
    1, which is the default and the largest accepted `rate`. With a falling rate, such as
    ``power=0.5``, a learner that has seen many jobs hardly follows a changing queue. In the games
    of figure 5 it hits the fifth wait a quarter as often.

    Parameters
    ----------
    alternatives : tuple of int
        Waits to choose among, in whole seconds, ascending, at least two.
    policy : {"tuned", "default", "greedy"}
        How an estimate is chosen. ``default``: draw an alternative by the probabilities, and score
        it. ``tuned``: the same, and the observed wait is then used `repetitions` more times to draw
        and score alternatives. ``greedy``: the alternative with the least last loss, the smallest
        in a tie, without a draw. Once a wait has dropped, every alternative has a loss, and the
        greedy policy keeps to the smallest (section 4.4).
    repetitions : int, default 50
        Repetitions of the tuned policy.
    rate, power : float, default 1 and 0
        The t-th round's losses have the weight gamma_t = rate / t**power, which never increases.

    Raises
    ------
    ValueError
        Alternatives or policy are not as above, or a number is out of range.
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
        for before, after in pairwise(waits):
            if after <= before:
                raise ValueError(f"alternatives: {after} follows {before}, must ascend")
        if self.policy not in get_args(Policy):
            policies = ", ".join(get_args(Policy))
            raise ValueError(f"policy is {self.policy!r}, must be one of {policies}")
        if self.repetitions < 1:
            raise ValueError(f"repetitions is {self.repetitions}, must be at least 1")
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate is {self.rate}, must be above 0 and at most 1")
        if not 0 <= self.power < float("inf"):
            raise ValueError(f"power is {self.power}, must be at least 0")

    @property
    def draws(self) -> int:
        """Return how many random numbers an estimate uses."""
        return 0 if self.policy == "greedy" else 1

    @property
    def redraws(self) -> int:
        """Return how many random numbers an observation uses."""
        return self.repetitions if self.policy == "tuned" else 0
