"""Schedulers of kellari2025 by name, and registration of user-defined orders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from schedlab.cosched.speeds import NODE_ORDERS
from schedlab.files.known_words import nearest
from schedlab.policies.expression import compile_expression, orders_nothing
from schedlab.policies.user_files import load_functions

ALLOCATIONS = ("compact", "spread", "striped", "hybrid")
BACKFILLS = (None, "easy", "conservative", "textbook")
KEY_TIMES = ("runtime", "wall", "estimate")
KEYS = ("double", "exact")

#: built-in orders of the kernel; gap: share of the free processors that the job takes, id: number
#: of the job, index: place in a sort of the n waiting jobs, from 0
ORDERS = {
    "fcfs": "order of arrival",
    "sjf": "shortest first",
    "ljf": "longest first",
    "laf": "largest product of processes and time first",
    "filler": "gap / ((id + 1) / n)",
    "sjf-filler": "gap + index / n, index in a sort by time, longest first",
    "pop-filler": "gap + index / n, index in a sort by rank, most popular first",
    "pop-filler-ascending": "the same, index in a sort by rank, least popular first",
    "popularity": "how many other waiting jobs make a pair above the threshold",
}

#: orders that use ranks
RANKED = ("pop-filler", "pop-filler-ascending", "popularity")


@dataclass(frozen=True)
class Waiting:
    """Input of an order: n waiting jobs by arrival, and the machine.

    Parameters
    ----------
    place : ndarray of int32, shape (n,)
        Places of the jobs in the workload, from 0.
    submit, time, wall : ndarray of float64, shape (n,)
        Seconds; `time` is the one that the scheduler may see (`CoScheduler.key_time`).
    app : ndarray of int32, shape (n,)
        Index of the application in the pool.
    procs : ndarray of int64, shape (n,)
        Processes.
    free_cores : int
        Number of cores without a job.
    now : float
        Present time in seconds.
    """

    place: np.ndarray
    submit: np.ndarray
    time: np.ndarray
    wall: np.ndarray
    app: np.ndarray
    procs: np.ndarray
    free_cores: int
    now: float


Order = Callable[[Waiting], np.ndarray]
_OWN: dict[str, Order] = {}


def register_order(name: str, function: Order) -> None:
    """Register a user-defined order under a name for `CoScheduler.order`.

    The function maps `Waiting` to keys, shape (n,): largest first, ties by arrival.
    """
    if name in ORDERS:
        raise ValueError(f"order '{name}' is built in; choose another name")
    _OWN[name] = function


def load_orders(places: Mapping[str, str]) -> None:
    """Register user-defined orders from Python files, each executed once.

    `places` are ``path/to/file.py:function`` by name of the order.
    """
    for name, function in load_functions(places, "order").items():
        register_order(name, function)


def custom_order(name: str) -> Order | None:
    """Return the function registered as `name`; None for a built-in order."""
    return None if name in ORDERS else _OWN[name]


def _check(what: str, value: object, choices: object) -> None:
    if value not in choices:
        names = [str(name) for name in choices]
        hint = nearest(value, names) or f", must be one of {', '.join(names)}"
        raise ValueError(f"{what} is '{value}'{hint}")


@dataclass(frozen=True)
class CoScheduler:
    """Scheduler: its order, nodes, allocation and backfilling.

    kellari2025's conservative, which its saved schedules follow, walks through the candidates
    behind the oldest job, which has no reservation. For each candidate it finds the running job at
    whose wall-time end enough nodes become free (in addition to the idle ones for the first
    candidate, without them for the others). It adds the time from now until then to a sum; the
    candidate must end within the sum. Running jobs whose actual end is within the sum are then
    ignored. The first candidate for which the remaining nodes do not suffice may last indefinitely,
    and the walk ends there.

    Parameters
    ----------
    name, label : str
        Key, and name in figures.
    order : str
        A key of `ORDERS`, or a name given to `register_order`.
    nodes : str
        A key of `NODE_ORDERS`; compact jobs always take the lowest-numbered idle nodes.
    allocation : {'compact', 'spread', 'striped', 'hybrid'}
        compact: whole nodes. spread: half of each node, idle or occupied by one job. striped: the
        same, but either on occupied nodes only or on idle nodes only. hybrid: compact for jobs
        with a rank below `compact_below`, and spread for the others.
    backfill : {None, 'easy', 'conservative', 'textbook'}
        None; easy, a reservation for the oldest waiting job; conservative, kellari2025's variant
        as it was run (see above); textbook, conservative backfilling of Mu'alem and Feitelson
        (2001), where every job keeps its reservation or gets a better one.
    repeat : bool
        Whether to start and backfill until nothing starts any more, instead of once per event.
    depth : int, optional
        Number of jobs behind the oldest that backfilling considers; None for all.
    queue_depth : int, optional
        Number of jobs that the order sees, the oldest first; None for all.
    key_time : {'runtime', 'wall', 'estimate'}
        The time that orders use.
    keys : {'double', 'exact'}
        How orders with a gap compute their keys: double, as kellari2025's simulator, whose
        rounding errors decide ties in its saved schedules; or exact, as fractions.
    threshold : float
        Mean speedup above which a pair counts for the ranks.
    compact_below : int
        Jobs with smaller ranks are compact in a hybrid allocation.
    backfill_allocation : str, optional
        Allocation of backfilled jobs (EASY only), compact or spread; by default `allocation`.

    Raises
    ------
    ValueError
        A name is unknown, or a combination is invalid.
    """

    name: str
    label: str
    order: str = "fcfs"
    nodes: str = "lowest"
    allocation: str = "compact"
    backfill: str | None = None
    repeat: bool = True
    depth: int | None = 100
    queue_depth: int | None = None
    key_time: str = "runtime"
    keys: str = "double"
    threshold: float = 1.0
    compact_below: int = 3
    backfill_allocation: str | None = None

    def __post_init__(self) -> None:
        where = f"co-scheduler {self.name}:"
        _check(f"{where} order", self.order, [*ORDERS, *_OWN])
        _check(f"{where} nodes", self.nodes, NODE_ORDERS)
        _check(f"{where} allocation", self.allocation, ALLOCATIONS)
        _check(f"{where} backfill", self.backfill, BACKFILLS)
        _check(f"{where} key_time", self.key_time, KEY_TIMES)
        _check(f"{where} keys", self.keys, KEYS)
        for name, least in (("depth", 0), ("queue_depth", 1)):
            if (value := getattr(self, name)) is not None and value < least:
                raise ValueError(f"{where} {name} is {value}, must be at least {least}")
        _check(f"{where} backfill_allocation", self.backfill_allocation, (None, *ALLOCATIONS[:2]))
        if self.backfill_allocation and self.backfill != "easy":
            raise ValueError(f"{where} backfill_allocation is for EASY backfilling")
        if self.backfill == "conservative" and self.allocation != "compact":
            raise ValueError(
                f"{where} conservative backfilling is for whole nodes, not {self.allocation} ones"
            )
        if self.backfill == "textbook" and (self.order, self.allocation) != ("fcfs", "compact"):
            raise ValueError(
                f"{where} textbook conservative backfilling keeps the order of arrival on whole "
                f"nodes, not {self.order} on {self.allocation} ones"
            )


def _compact(name: str, label: str, order: str, backfill: str | None = None) -> CoScheduler:
    return CoScheduler(name, label, order, backfill=backfill)


def _co(name: str, label: str, order: str, nodes: str, allocation: str = "spread") -> CoScheduler:
    return CoScheduler(name, label, order, nodes, allocation, "easy")


#: kellari2025's thirteen schedulers, and conservative backfilling as in the literature
SCHEDULERS: dict[str, CoScheduler] = {
    scheduler.name: scheduler
    for scheduler in (
        _compact("fcfs", "FCFS", "fcfs"),
        _compact("easy", "EASY", "fcfs", "easy"),
        _compact("conservative", "Conservative", "fcfs", "conservative"),
        _compact("sjf", "SJF", "sjf"),
        _compact("ljf", "LJF", "ljf"),
        _co("easy-co", "EASY-Co", "fcfs", "occ"),
        _co("sjf-co", "SJF-Co", "sjf", "occ"),
        _co("ljf-co", "LJF-Co", "ljf", "occ"),
        _co("laf-co", "LAF-Co", "laf", "occ"),
        _co("filler", "Filler", "filler", "speed"),
        _co("sjf-filler", "SJF-Filler", "sjf-filler", "speed"),
        _co("pop-filler", "Pop-Filler", "pop-filler", "speed"),
        _co("popularity", "Popularity", "popularity", "speed", "hybrid"),
        _compact("conservative-textbook", "Conservative (textbook)", "fcfs", "textbook"),
    )
}


def order_of(name: str, expression: str) -> Order:
    """Return the order of a policy's expression: its smallest score has the largest key.

    >>> import numpy as np
    >>> none, times = np.zeros(2), np.array([60.5, 60.25])
    >>> order_of("spt", "r")(Waiting(none, none, times, times, none, none, 0, 0.0)).tolist()
    [-60.5, -60.25]
    """
    program = compile_expression(expression)

    def keys(waiting: Waiting) -> np.ndarray:
        columns = waiting.time, waiting.procs, waiting.submit, waiting.now - waiting.submit
        score, faulty = program.checked(*columns)
        if faulty >= 0:
            seen = (column[faulty] for column in columns)
            raise orders_nothing(name, expression, waiting.place[faulty], score[faulty], *seen)
        return -score

    return keys


def of_policy(name: str, expression: str) -> CoScheduler:
    """Return the scheduler of a policy, with whole nodes and no backfilling, like SJF."""
    order = f"policy {name}"
    register_order(order, order_of(name, expression))
    return CoScheduler(name, name, order)
