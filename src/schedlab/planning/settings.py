"""Settings of planning: the scheduler, its search, and limits."""

from dataclasses import dataclass, field
from numbers import Real
from typing import Literal, get_args

Scheduler = Literal["plan-rs", "orig-bf"]
Reservations = Literal["every", "marking"]
Mode = Literal["aggregate", "nodes"]
Rule = Literal["first", "annealing", "tabu"]
Choice = Literal["uniform", "worst"]
Scope = Literal["machine", "cluster"]


@dataclass(frozen=True)
class Search:
    """Settings of the search of a plan, Random Search by default: budget, times and criteria.

    For a plan before and after a move, each criterion's relative change is (before - after) /
    before. The move is accepted if their weighted sum is more than 0 (10^-9, to exclude rounding
    errors). Wait, slowdown and response are means over planned jobs by planned start and estimate.
    Fairness is the sum over users of (1 + mean - x)^2, where x is a user's total wait per processor
    second used: real times for ended jobs, estimates for others. Rules other than the paper's may
    accept worse plans on the way; their result is the best plan seen. For them, changes are
    relative to the criteria at the beginning of the search, so that plans are comparable whatever
    moves led to them.

    The parameters of these rules are not tuned. The heat falls geometrically, from the median loss
    of a first sample of moves to the smallest loss. At the beginning, half of all losses have a
    probability of more than 1/e; at the end none has. The sample takes the square root of the
    budget, at most 256 iterations. A moved job may not move again for as many moves as the square
    root of the number of jobs.

    Parameters
    ----------
    iterations : int, default 300
        Budget of a search; 0 for no search.
    every : int, default 60
        Minimum number of seconds between two searches.
    timed : bool, default False
        Search at these times even without an event, as long as a job waits. By default the plan is
        searched at events (an arrival, a start, an end), as in the paper's scheduling cycle.
    fairness, wait, slowdown, response : float
        Weights; 10, 1, 1 and 0 by default.
    tau : float, default 10
        Bound of the slowdown in seconds.
    rule : {"first", "annealing", "tabu"}
        Which moves are accepted. first: every move with a gain and no other. annealing: also a
        move with a loss, with probability exp(-loss / heat). tabu: every gain of a job that was
        not moved recently, or of a move to the best plan so far; if there is none for as many
        iterations as there are jobs, the smallest loss among them.
    choose : {"uniform", "worst"}
        Choice of the job: uniform, each with the same probability; worst, one after the other from
        the largest share of the weighted criteria, restarting from the largest after a gain.
    scope : {"machine", "cluster"}
        What an iteration tries. machine: one job of the machine, on all its clusters. cluster, as
        the production scheduler does: on each cluster with at least 4 planned jobs, one of them at
        another place there. That place is behind a random running or planned job, so it is mostly
        the first place if many jobs run.

    Raises
    ------
    ValueError
        A number is out of range, or a value is not a number.
    """

    iterations: int = 300
    every: int = 60
    timed: bool = False
    fairness: float = 10.0
    wait: float = 1.0
    slowdown: float = 1.0
    response: float = 0.0
    tau: float = 10.0
    rule: Rule = "first"
    choose: Choice = "uniform"
    scope: Scope = "machine"

    def __post_init__(self) -> None:
        _must_be_known(self, "search", rule=Rule, choose=Choice, scope=Scope)
        if self.scope == "cluster" and (self.rule, self.choose) != ("first", "uniform"):
            raise ValueError(
                f"search: scope is 'cluster', rule is '{self.rule}' and choose '{self.choose}': "
                "must be 'first' and 'uniform'"
            )
        for name in ("iterations", "every", "tau", "fairness", "wait", "slowdown", "response"):
            if not isinstance(getattr(self, name), Real):
                raise ValueError(f"search: {name} is {getattr(self, name)!r}, must be a number")
        for name, least in (("iterations", 0), ("every", 1), ("tau", 1)):
            if not getattr(self, name) >= least:
                raise ValueError(
                    f"search: {name} is {getattr(self, name)}, must be at least {least}"
                )
        for name in ("fairness", "wait", "slowdown", "response"):
            if not getattr(self, name) >= 0:
                raise ValueError(
                    f"search: weight of {name} is {getattr(self, name)}, must not be negative"
                )

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """Weights of wait, slowdown, fairness and response."""
        return float(self.wait), float(self.slowdown), float(self.fairness), float(self.response)


@dataclass(frozen=True)
class Limits:
    """Limits on simultaneous use, separately on each cluster, as in the paper.

    One user's jobs may use `user` processors together. Jobs with an estimate above `long` seconds
    may together use the `share` of a cluster's processors, rounded down. Raises ValueError, with
    the field, if a limit is below 1, or the share is not above 0 and at most 1.
    """

    user: int | None = None
    long: int | None = None
    share: float = 0.7

    def __post_init__(self) -> None:
        for name in ("user", "long"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"limits: {name} is {value}, must be at least 1, or left out")
        if not 0 < self.share <= 1:
            raise ValueError(f"limits: share is {self.share}, must be more than 0, at most 1")

    def long_most(self, processors: int) -> int:
        """Return the processors of a cluster that long jobs may use together."""
        # 0.7 of 10 must be 7 despite rounding errors
        return processors if self.long is None else int(self.share * processors + 1e-9)


@dataclass(frozen=True)
class Planning:
    """Settings of planning.

    Parameters
    ----------
    scheduler : {"plan-rs", "orig-bf"}
        Plan in order of arrival with Random Search, or backfill by queue priority and fair share.
    mode : {"aggregate", "nodes"}
        Whether processors are counted by cluster, or processors and memory by node.
    search : Search
        Search settings of ``plan-rs``.
    limits : Limits
        No limits by default.
    half_life : int, default 259200
        For ``orig-bf``: seconds at whose multiples the usage of each user is halved.
    reservations : {"every", "marking"}
        For ``orig-bf``. every: every waiting job has a reservation at its earliest gap. marking: a
        job that cannot start marks its total need on every suitable node; jobs behind it do not
        use marked resources, and there are no reservations.
    cycle : tuple of int, optional
        Seconds from a cycle that starts no job to the next one, and from one that starts a job. By
        default the scheduler acts immediately at each event.

    Raises
    ------
    ValueError
        A name is unknown, or a number is out of range.
    """

    scheduler: Scheduler = "plan-rs"
    mode: Mode = "aggregate"
    search: Search = field(default_factory=Search)
    limits: Limits = field(default_factory=Limits)
    half_life: int = 72 * 3600
    reservations: Reservations = "every"
    cycle: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        _must_be_known(self, "planning", scheduler=Scheduler, mode=Mode, reservations=Reservations)
        if self.half_life < 1:
            raise ValueError(f"planning: half_life is {self.half_life} s, must be at least 1")
        if self.cycle is not None and (self.cycle[0] < 1 or self.cycle[1] < 0):
            raise ValueError(
                f"planning: cycle is {self.cycle} s, must be at least 1 s when idle and 0 s when "
                "active"
            )

    @property
    def marks(self) -> bool:
        """Whether blocked jobs mark nodes."""
        return self.scheduler == "orig-bf" and self.reservations == "marking"


def _must_be_known(settings: object, where: str, **fields: object) -> None:
    """Raise ValueError if a field is none of the names that its type allows."""
    for name, names in fields.items():
        if (value := getattr(settings, name)) not in get_args(names):
            raise ValueError(
                f"{where}: {name} is '{value}', must be one of {', '.join(get_args(names))}"
            )
