"""The Lublin-Feitelson model of rigid jobs: sizes, run times and arrivals.

References
----------
Lublin and Feitelson, The workload on parallel supercomputers: modeling the characteristics of
rigid jobs, JPDC 63(11), 2003, and the parameters of the model's published program.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.random import BitGenerator, Generator, SeedSequence

    Seed = int | SeedSequence | BitGenerator | Generator

HALF_HOUR = 1800  # seconds, the length of an arrival bucket
BUCKETS = 48  # half hours per day
FIRST_BUCKET = 10  # the daily cycle starts at 5 in the morning
LONGEST_LOG_RUNTIME = 12  # natural logarithm: no run time above 162,754 s
LONGEST_LOG_GAP = 13
INTERACTIVE_QUEUE, BATCH_QUEUE = 0, 1  # SWF: queue 0 is for interactive jobs


@dataclass(frozen=True)
class LublinParameters:
    """Parameters of one job type, with the names of the model.

    Parameters
    ----------
    queue : int
        Queue number of its jobs; if two types arrive together, the lower one comes first.
    serial_prob, pow2_prob : float
        Shares of serial jobs and of jobs whose size is a power of two.
    ulow, umed, uhi, uprob : float
        Two-stage uniform distribution of log2(size): between `ulow` and `umed` with probability
        `uprob`, else between `umed` and `uhi`. `uhi` is log2 of the machine's processors.
    a1, b1, a2, b2 : float
        Shape and scale of the two gamma distributions of ln(run time).
    pa, pb : float
        The first distribution is used with probability ``pa * size + pb``.
    aarr, barr, arar : float
        Shape, scale and shape factor of the gamma distribution of ln(gap between arrivals).
    anum, bnum : float
        Shape and scale, in half hours, of the gamma distribution behind the daily cycle.

    Raises
    ------
    ValueError
        `umed` or `uprob` is outside the range the model allows, or the machine is too small.
    """

    queue: int
    serial_prob: float
    pow2_prob: float
    ulow: float
    umed: float
    uhi: float
    uprob: float
    a1: float
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    aarr: float
    barr: float
    anum: float
    bnum: float
    arar: float

    def __post_init__(self) -> None:
        if self.uhi < self.ulow:
            raise ValueError(
                f"lublin: UHi {self.uhi:.4g} is below ULow {self.ulow:.4g}: "
                f"this job type needs at least {math.ceil(2**self.ulow)} processors"
            )
        # If the machine is so small that the range is below ULow, the first stage becomes a point.
        low, high = max(self.uhi - 3.5, self.ulow), max(self.uhi - 1.5, self.ulow)
        if not low <= self.umed <= high:
            raise ValueError(
                f"lublin: UMed {self.umed:.4g} is outside UHi - 3.5 ... UHi - 1.5 "
                f"(here {low:.4g} ... {high:.4g})"
            )
        if not 0.7 <= self.uprob <= 0.95:
            raise ValueError(f"lublin: Uprob {self.uprob:.4g} is outside 0.7 ... 0.95")

    def on(self, processors: int) -> Self:
        """Return the same type on a machine of `processors`.

        UHi is log2 of the processors and UMed is UHi - 2.5, but not below ULow. Raises ValueError
        if there are fewer than two processors, or too few for the type.
        """
        if processors < 2:
            raise ValueError(f"lublin: processors is {processors}, must be at least 2")
        uhi = math.log2(processors)
        return replace(self, uhi=uhi, umed=max(uhi - 2.5, self.ulow))


# fmt: off
BATCH = LublinParameters(
    queue=BATCH_QUEUE, serial_prob=0.2927, pow2_prob=0.6686, ulow=1.2, umed=5, uhi=7, uprob=0.875,
    a1=6.57, b1=0.823, a2=639.1, b2=0.0156, pa=-0.003, pb=0.6986,
    aarr=6.0415, barr=0.8531, anum=6.1271, bnum=5.2740, arar=1.0519,
)
INTERACTIVE = LublinParameters(
    queue=INTERACTIVE_QUEUE, serial_prob=0.1541, pow2_prob=0.625, ulow=1, umed=3, uhi=5.5,
    uprob=0.705, a1=3.8351, b1=0.6605, a2=7.073, b2=0.6856, pa=-0.0118, pb=0.9156,
    aarr=6.5510, barr=0.6621, anum=8.9186, bnum=3.6680, arar=0.9797,
)
TYPELESS = LublinParameters(  # the program's output has queue 0 for these too
    queue=INTERACTIVE_QUEUE, serial_prob=0.244, pow2_prob=0.576, ulow=0.8, umed=4.5, uhi=7,
    uprob=0.86, a1=4.2, b1=0.94, a2=312, b2=0.03, pa=-0.0054, pb=0.78,
    aarr=10.2303, barr=0.4871, anum=8.1737, bnum=3.9631, arar=1.0225,
)
# fmt: on
TYPES = {
    "typeless": (TYPELESS,),
    "batch": (BATCH,),
    "interactive": (INTERACTIVE,),
    "batch+interactive": (BATCH, INTERACTIVE),
}


def generate(
    jobs: int, processors: int, seed: Seed, types: str | Sequence[LublinParameters] = "typeless"
) -> pd.DataFrame:
    """Draw a workload of rigid jobs.

    If log2(processors) is not whole, rounding log2(size) up can exceed the machine (93,312
    processors: 2^17); such a job gets the largest power of two that fits.

    The model truncates the time to whole seconds after every job, which loses half a second per job
    on average. Over 15 days that is minutes, but over 170,000 jobs the daily cycle shifts by a
    whole day. So the distribution of arrivals over the day is that of the model only in short
    pieces.

    Of two types, both may use the whole machine. The model's own example limits interactive jobs to
    a part of it (UHi 5.5, and 7 for batch): ``types=(BATCH.on(128), INTERACTIVE)``.

    Parameters
    ----------
    jobs : int
        Number of jobs n, at least 1.
    processors : int
        Processors of the machine, at least 2.
    seed : int, SeedSequence or Generator
        Source of random numbers; any argument of `numpy.random.default_rng`.
    types : str or sequence of LublinParameters, default "typeless"
        A name in `TYPES`, whose types all use the whole machine (`LublinParameters.on`), or
        parameters that are used unchanged.

    Returns
    -------
    pandas.DataFrame
        n rows in order of submission, the int64 columns number, submit, runtime, estimate, procs,
        user, group, queue. The model has no estimates: estimate is the run time. User and group
        are unknown (-1), queue is 0 for interactive and typeless jobs, 1 for batch jobs.

    Raises
    ------
    ValueError
        Too few jobs or processors, an unknown type, or parameters outside the model's range.

    Examples
    --------
    >>> bool(generate(1000, 256, seed=1)["procs"].max() <= 256)
    True
    """
    if jobs < 1:
        raise ValueError(f"lublin: jobs is {jobs}, must be at least 1")
    parameters = parameters_on(processors, types)
    rng = np.random.default_rng(seed)
    submit, kind = _merge_arrivals(parameters, jobs, rng)
    procs, runtime, queue = (np.empty(jobs, dtype=np.int64) for _ in range(3))
    for place, job_type in enumerate(parameters):
        chosen = np.flatnonzero(kind == place)
        procs[chosen] = size = _sizes(job_type, chosen.size, rng)
        runtime[chosen] = _runtimes(job_type, size, rng)
        queue[chosen] = job_type.queue
    return as_clean(submit, runtime, procs, queue)


def as_clean(
    submit: np.ndarray, runtime: np.ndarray, procs: np.ndarray, queue: np.ndarray
) -> pd.DataFrame:
    """Return drawn jobs with the columns of clean jobs; unknown values are -1."""
    unknown = np.full(submit.size, -1, dtype=np.int64)
    return pd.DataFrame(
        {
            "number": np.arange(1, submit.size + 1, dtype=np.int64),
            "submit": submit,
            "runtime": runtime,
            "estimate": runtime,
            "procs": procs,
            "user": unknown,
            "group": unknown,
            "queue": queue,
        }
    )


def parameters_on(
    processors: int, types: str | Sequence[LublinParameters]
) -> tuple[LublinParameters, ...]:
    """Return the types in the order of ties, each checked with the machine."""
    if isinstance(types, str):
        if types not in TYPES:
            raise ValueError(f"lublin: unknown type '{types}', known are {', '.join(TYPES)}")
        types = [job_type.on(processors) for job_type in TYPES[types]]
    elif processors < 2:
        raise ValueError(f"lublin: processors is {processors}, must be at least 2")
    for job_type in types:
        if job_type.uhi > math.log2(processors):
            raise ValueError(
                f"lublin: UHi {job_type.uhi:.4g} is above log2 of {processors} processors"
            )
    return tuple(sorted(types, key=lambda each: each.queue))


def _redraw(draw: Callable[[np.ndarray], np.ndarray], count: int, limit: float) -> np.ndarray:
    """Draw `count` values, and redraw those above `limit`."""
    values = draw(np.arange(count))
    over = np.flatnonzero(values > limit)
    while over.size:
        values[over] = draw(over)
        over = over[values[over] > limit]
    return values


def _sizes(kind: LublinParameters, count: int, rng: Generator) -> np.ndarray:
    share = rng.random(count)
    lower = rng.random(count) < kind.uprob
    log_size = rng.uniform(
        np.where(lower, kind.ulow, kind.umed), np.where(lower, kind.umed, kind.uhi)
    )
    # The smallest log2 is ULow >= 0.8, so no size is below 2. The cap matters only if UHi is not
    # whole: otherwise floor(2^x + .5) <= 2^UHi for x < UHi.
    whole = np.minimum(np.floor(log_size + 0.5), math.floor(kind.uhi))
    log_size = np.where(share <= kind.serial_prob + kind.pow2_prob, whole, log_size)
    size = np.floor(2.0**log_size + 0.5)
    return np.where(share <= kind.serial_prob, 1, size).astype(np.int64)


def _runtimes(kind: LublinParameters, size: np.ndarray, rng: Generator) -> np.ndarray:
    chance = kind.pa * size + kind.pb  # above 1 means always, below 0 never

    def draw(which: np.ndarray) -> np.ndarray:
        first = rng.random(which.size) < chance[which]
        return rng.gamma(np.where(first, kind.a1, kind.a2), np.where(first, kind.b1, kind.b2))

    return np.exp(_redraw(draw, size.size, LONGEST_LOG_RUNTIME)).astype(np.int64)


def daily_weights(kind: LublinParameters) -> np.ndarray:
    """Return the weight of each half hour of the day from midnight; their mean is 1."""
    middle = np.arange(FIRST_BUCKET, FIRST_BUCKET + BUCKETS) + 1
    # the import takes a second, which every command line would need
    from scipy import stats

    cumulative = stats.gamma(kind.anum, scale=kind.bnum).cdf
    weights = np.empty(BUCKETS)
    weights[(middle - 1) % BUCKETS] = cumulative(middle + 0.5) - cumulative(middle - 0.5)
    return weights / weights.mean()


def _arrivals(kind: LublinParameters, count: int, rng: Generator) -> np.ndarray:
    """Draw the first `count` arrival times of one type.

    The model spends a gap's points on half hours by weight and truncates to seconds after each job:
    each step is the floor of a difference of the daily cycle's inverse, so no loop is necessary.
    """
    shape = kind.aarr * kind.arar
    log_gaps = _redraw(
        lambda which: rng.gamma(shape, kind.barr, which.size), count, LONGEST_LOG_GAP
    )
    points = np.cumsum(np.exp(log_gaps) / HALF_HOUR)
    day, offset = np.divmod(points, BUCKETS)
    cumulative = np.concatenate(([0.0], np.cumsum(daily_weights(kind))))
    clock = day * BUCKETS + np.interp(offset, cumulative, np.arange(BUCKETS + 1))
    steps = np.floor(np.diff(clock * HALF_HOUR, prepend=0.0))
    return np.cumsum(steps.astype(np.int64))


def _merge_arrivals(
    parameters: tuple[LublinParameters, ...], count: int, rng: Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first `count` arrivals of all types and each one's type, in a tie the first."""
    times = np.concatenate([_arrivals(job_type, count, rng) for job_type in parameters])
    order = np.argsort(times, kind="stable")[:count]
    return times[order], order // count
