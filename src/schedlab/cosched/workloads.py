"""Workloads drawn from a pool of applications, such as the NAS Parallel Benchmarks.

The options are those of the thesis's simulator, for applications (at random, by frequencies, from
a list) and for arrivals (constant, random, Poisson or Weibull gaps), and the gaps of a log.
Applications, arrivals and estimates have separate random streams. So two workloads that differ in
arrivals have the same applications.

References
----------
kellari2025, section 4.1.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.core.machine import Machine
from schedlab.core.streams import generator
from schedlab.cosched.machine import needs, node_of
from schedlab.cosched.pool import Pool, PoolError
from schedlab.cosched.simulation import CoJobs
from schedlab.workloads.tsafrir import with_estimates

ARRIVALS = ("constant", "random", "poisson", "weibull", "log")
WALL = 1.4  # wall time divided by the time alone, as in the thesis's workloads
FACTOR = 5.0  # the f-model's largest estimate, divided by the time alone
LONGEST_ESTIMATE = 3600  # seconds, for the Tsafrir model


@dataclass(frozen=True)
class Arrivals:
    """Arrival process of jobs.

    `kind` is the distribution of gaps: equal ("constant"), uniform from 0 to twice the mean
    ("random"), exponential ("poisson"), "weibull", or those of a log in its order ("log"). `gap`
    is the mean in seconds; 0 if all jobs arrive at the start. With a `shape` of the Weibull
    distribution below 1 arrivals are bursty.
    """

    kind: str = "constant"
    gap: float = 0.0
    shape: float = 0.5
    submit: Sequence[float] = ()

    def __post_init__(self) -> None:
        if self.kind not in ARRIVALS:
            raise ValueError(f"arrivals: '{self.kind}' is not one of {', '.join(ARRIVALS)}")
        if not (math.isfinite(self.gap) and self.gap >= 0):
            raise ValueError(f"arrivals: the mean gap is {self.gap:g} s, must be finite and >= 0")
        if self.kind == "weibull" and not self.shape > 0:
            raise ValueError(f"arrivals: the shape is {self.shape:g}, must be above 0")
        if self.kind == "log" and (len(self.submit) < 2 or self.submit[-1] <= self.submit[0]):
            raise ValueError(
                "arrivals: a log of two jobs at least, and of some duration, is needed"
            )

    def draw(self, count: int, stream: np.random.Generator) -> np.ndarray:
        """Return submit times of `count` jobs in seconds, from 0; float64, shape (count,)."""
        gaps = {
            "constant": lambda: np.ones(count),
            "random": lambda: stream.uniform(0, 2, count),
            "poisson": lambda: stream.exponential(1, count),
            "weibull": lambda: stream.weibull(self.shape, count) / math.gamma(1 + 1 / self.shape),
            "log": lambda: self._gaps_of_log(count, stream),
        }[self.kind]()
        times = np.cumsum(self.gap * gaps)
        return times - times[0] if count else times

    def _gaps_of_log(self, count: int, stream: np.random.Generator) -> np.ndarray:
        """Return gaps of the log from a random place on, cyclic, with mean 1."""
        gaps = np.diff(np.asarray(self.submit, dtype=float))
        first = int(stream.integers(len(gaps)))
        cycled = gaps[(first + np.arange(count)) % len(gaps)]
        return cycled / cycled.mean() if cycled.any() else np.ones(count)


def by_frequencies(
    pool: Pool, count: int, stream: np.random.Generator, frequencies: Mapping[str, float]
) -> np.ndarray:
    """Draw applications by relative frequencies; other applications do not occur."""
    weights = np.array(list(frequencies.values()), dtype=float)
    for name, weight in frequencies.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"workload: the frequency of '{name}' is {weight}, must be >= 0")
    if not weights.sum() > 0:
        raise ValueError("workload: every frequency is 0")
    places = stream.choice(len(weights), size=count, p=weights / weights.sum())
    return pool.index(frequencies)[places]


def choose_applications(
    pool: Pool, count: int, stream: np.random.Generator, applications: Sequence[str] = ()
) -> np.ndarray:
    """Choose `count` applications by the specification in a sheet; int32, places in the pool.

    An empty specification: all with equal probability. ``name=weight`` each: by relative
    frequencies. Only names: the list in its order, repeated as necessary.
    """
    if not applications:
        return stream.integers(len(pool), size=count, dtype=np.int32)
    if frequencies := _frequencies(applications):
        return by_frequencies(pool, count, stream, frequencies)
    return np.resize(pool.index(applications), count)


def _frequencies(applications: Sequence[str]) -> dict[str, float]:
    """Parse ``name=weight`` texts; return an empty dict if no name has a weight."""
    if not any("=" in text for text in applications):
        return {}
    frequencies = {}
    for text in applications:
        name, _, weight = text.partition("=")
        try:
            frequencies[name] = float(weight)
        except ValueError:
            raise ValueError(
                f"workload: the frequency of '{name}' is '{weight}', must be a number"
            ) from None
    return frequencies


def check_fits(pool: Pool, applications: np.ndarray, cluster: Machine) -> None:
    """Raise a `PoolError` for the first application that exceeds the machine.

    It must also fit if spread over twice the nodes, because a co-scheduler could not start it
    otherwise.
    """
    for application in np.unique(applications):
        procs = int(pool.procs[application])
        if needs(cluster, procs, "spread") > len(cluster):
            raise PoolError(
                f"{pool.label}: application '{pool.names[application]}' asks for {procs} "
                f"processes; spread over half of each node they do not fit on {len(cluster)} "
                f"nodes of {node_of(cluster).cpus} cores"
            )


def workload(
    pool: Pool,
    applications: np.ndarray,
    submit: np.ndarray,
    cluster: Machine,
    wall: np.ndarray | float = WALL,
) -> CoJobs:
    """Return jobs of applications, numbered from 0; the machine must fit each.

    `wall` has seconds of each job; a number is a factor on the time alone.
    """
    applications = np.asarray(applications, dtype=np.int32)
    check_fits(pool, applications, cluster)
    time = pool.compact[applications]
    walls = wall * time if np.isscalar(wall) else np.asarray(wall, dtype=float)
    number = np.arange(len(applications))
    return CoJobs(number, submit, applications, pool.procs[applications], time, walls)


def requested_wall_times(time: np.ndarray, how: str, stream: np.random.Generator) -> np.ndarray:
    """Return wall times as users would request them, in seconds, at least the time alone.

    `time` are seconds alone, float64 of shape (n,). "wall" is 1.4 times the time alone, as in the
    thesis. "factor" is a factor uniform between 1 and 5 (the f-model). "tsafrir" are the modal
    estimates of the Tsafrir model up to an hour.
    """
    if how == "wall":
        return WALL * time
    if how == "factor":
        return time * stream.uniform(1, FACTOR, len(time))
    if how == "tsafrir":
        jobs = pd.DataFrame({"runtime": np.ceil(time).astype(np.int64)})
        return with_estimates(jobs, LONGEST_ESTIMATE, stream)["estimate"].to_numpy(float)
    raise ValueError(f"workload: no estimates '{how}', there are wall, factor, tsafrir")


def mean_gap(pool: Pool, cluster: Machine, load: float, applications: Sequence[str] = ()) -> float:
    """Return the mean gap in seconds at which jobs offer `load` of the cores."""
    work = pool.procs * pool.compact
    weights = np.ones(len(pool))
    if applications:
        frequencies = _frequencies(applications)
        weights = np.zeros(len(pool))
        np.add.at(weights, pool.index(frequencies or applications),
                  list(frequencies.values()) or 1.0)  # fmt: skip
    return float(np.average(work, weights=weights)) / (cluster.processors * load)


def random_workload(
    pool: Pool,
    cluster: Machine,
    count: int,
    key: Sequence[str | int],
    arrivals: Arrivals | None = None,
    estimates: str = "wall",
    applications: Sequence[str] = (),
) -> CoJobs:
    """Draw the workload of a key: applications, their arrivals and their wall times.

    `key` is that of the random streams, such as paper, experiment, replicate. By default all jobs
    arrive at the start, and all applications are equally likely. `estimates` is as for
    `requested_wall_times`, `applications` as for `choose_applications`.
    """
    apps = choose_applications(pool, count, generator(*key, "applications"), applications)
    submit = (arrivals or Arrivals()).draw(count, generator(*key, "arrivals"))
    wall = requested_wall_times(pool.compact[apps], estimates, generator(*key, "estimates"))
    return workload(pool, apps, submit, cluster, wall)
