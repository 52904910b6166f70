"""What decides how a machine plans: the scheduler, what it searches for, and limits."""

from __future__ import annotations

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
    """Search of a plan, Random Search by default: its budget, when it is run, what it is for.

    Of a plan before and after a move, each criterion's relative change is (before - after) /
    before, and the move is kept if their weighted sum is more than 0 (10^-9, so that rounding keeps
    none). Wait, slowdown and response are means over planned jobs by planned start and estimate.
    Fairness is the sum over users of (1 + mean - x)^2, x being a user's wait in all for each
    processor second used: of jobs that have ended as they ran, of others by their estimate.

    Other rules than the paper's may make a plan worse on the way, and the best plan seen is what
    they come to. For them changes are parts of what the criteria were when the search began, so
    that plans can be told from better ones whichever way they were come by.

    Parameters
    ----------
    iterations : int, default 300
        Budget of a search; 0: none is made.
    every : int, default 60
        Seconds from one search to the next, at least.
    timed : bool, default False
        Search at these times even when nothing happens, as long as anyone waits. By default the
        plan is searched where something happens (an arrival, a start, an end), as in the paper's
        scheduling cycle.
    fairness, wait, slowdown, response : float
        Weights; 10, 1, 1 and 0 by default.
    tau : float, default 10
        Bound of the slowdown in seconds.
    rule : {"first", "annealing", "tabu"}
        Which moves are kept: every one that gains and no other; with simulated annealing also one
        that loses, with probability exp(-loss / heat); with tabu search every gain of a job that
        has not just been moved, or to the best plan so far, and if there is none for as many
        iterations as there are jobs, the smallest loss among them.
    choose : {"uniform", "worst"}
        Whose turn it is: any job alike, or the jobs one after the other from the one with the
        largest share of the weighted criteria on, and after a gain from the largest anew.
    scope : {"machine", "cluster"}
        What an iteration tries: one job of the machine, on all its clusters; or, as the production
        scheduler does, on each cluster with at least 4 planned jobs one of them, at another place
        there: behind a job drawn from those that run or are planned, which is mostly the first
        place if many run.

    Notes
    -----
    No number of these rules is tuned. The heat falls geometrically, from the middle loss of a first
    sample of moves to the smallest: in the beginning half of all losses have more than a chance of
    1/e, in the end none. The sample takes the square root of the budget, at most 256 iterations. A
    job that has moved is barred from moving for as many moves as the square root of the number of
    jobs.

    Raises
    ------
    ValueError
        A number is out of range, or not a number.
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
    """What may be held at a time, on each cluster for itself: the paper keeps limits by cluster.

    Parameters
    ----------
    user : int, optional
        Processors that one user's jobs may hold together.
    long : int, optional
        Jobs with an estimate of more seconds than this are long ones.
    share : float, default 0.7
        Share of a cluster's processors that long jobs may hold together, rounded down.

    Raises
    ------
    ValueError
        A limit is 0 or less, or the share is more than 1; the message names the field.
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
        """Processors of a cluster that long jobs may hold together."""
        # a share such as 0.7 of 10 is 7, whatever rounding makes of it
        return processors if self.long is None else int(self.share * processors + 1e-9)


@dataclass(frozen=True)
class Planning:
    """How a machine plans.

    Parameters
    ----------
    scheduler : {"plan-rs", "orig-bf"}
        Plan in order of arrival with Random Search, or backfill in the order of queues and fair
        share.
    mode : {"aggregate", "nodes"}
        Whether processors are counted by cluster, or processors and memory by node.
    search : Search
        Of ``plan-rs``.
    limits : Limits
        None by default.
    half_life : int, default 259200
        Of ``orig-bf``: what a user has used is halved whenever the clock comes to a multiple of so
        many seconds.
    reservations : {"every", "marking"}
        Of ``orig-bf``: every waiting job has a reservation at its earliest gap; or a job that
        cannot start marks what all its nodes need on every node that suits it, jobs behind it leave
        this alone, and nothing is reserved ahead.
    cycle : tuple of int, optional
        Seconds from a cycle that starts no job to the next one, and from one that starts a job. By
        default the scheduler acts at once whenever something happens.

    Raises
    ------
    ValueError
        A name is not known, or a number out of range.
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


def _must_be_known(settings: object, where: str, **fields) -> None:
    """Raise ValueError where a field is none of the names that its type allows."""
    for name, names in fields.items():
        if (value := getattr(settings, name)) not in get_args(names):
            raise ValueError(
                f"{where}: {name} is '{value}', must be one of {', '.join(get_args(names))}"
            )
