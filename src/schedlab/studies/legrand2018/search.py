"""Search of the best weights of every period by exponential natural evolution strategies.

A search of all periods takes long; an interrupted run resumes where it stopped.

References
----------
legrand2018, section 8.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass

import numpy as np
import pandas as pd
from cmaes import XNES

from schedlab.core.jobs import Jobs
from schedlab.core.metrics import TAU
from schedlab.core.streams import generator
from schedlab.files.resume import compute_missing_parts
from schedlab.files.threads import processes
from schedlab.learning.weights.mixed import queue_of
from schedlab.policies.mixed import FEATURES, check_weights
from schedlab.studies.legrand2018.periods import period_digest

SEARCH_COLUMNS = {"piece": "int64", "features": "int64", "value": "float64"}
SEARCH_COLUMNS |= {"evaluations": "int64", **dict.fromkeys(FEATURES, "float64")}


@dataclass(frozen=True)
class SearchSettings:
    """Settings of the search that the paper does not state.

    They are vectors to try in a period, lambda of equation 6, vectors of a generation, and standard
    deviation of the first generation.
    """

    evaluations: int
    penalty: float
    population: int
    sigma: float


@dataclass(frozen=True, eq=False)
class FoundWeights:
    """Result of a search: the best vector seen, its mean bounded slowdown, the vectors tried."""

    weights: np.ndarray
    value: float
    evaluations: int


def xnes(
    jobs: Jobs,
    processors: int,
    features: int,
    scales: np.ndarray,
    threshold: int | None,
    evaluations: int,
    penalty: float,
    population: int,
    sigma: float,
    key: Sequence[str | int],
    tau: float = TAU,
) -> FoundWeights:
    """Search for the best mixed policy of a piece by exponential natural evolution strategies."""
    if not 1 < population <= evaluations:
        raise ValueError(f"xnes: {evaluations} evaluations in generations of {population}")
    seed = int(generator(*key).integers(2**32))
    _, divisors = check_weights(np.eye(1, features), scales[:features])
    queue = queue_of(jobs, processors, divisors, threshold, tau)
    search = XNES(np.zeros(features), sigma, seed=seed, population_size=population)
    optimum = FoundWeights(np.zeros(features), np.inf, 0)
    while optimum.evaluations + population <= evaluations:
        candidates = np.array([search.ask() for _ in range(population)])
        norms = np.abs(candidates).sum(axis=1)
        rows = candidates / norms[:, None]
        mean = queue.totals(rows)[0] / len(jobs)
        best = int(np.argmin(mean))
        evaluated = optimum.evaluations + population
        if mean[best] < optimum.value:
            optimum = FoundWeights(rows[best], float(mean[best]), evaluated)
        else:
            optimum = FoundWeights(optimum.weights, optimum.value, evaluated)
        search.tell(list(zip(candidates, mean + penalty * (norms + 1 / norms), strict=True)))
        if search.should_stop():
            break
    return optimum


def search_weights(
    periods: Mapping[int, Jobs],
    processors: int,
    scales: np.ndarray,
    threshold: int | None,
    features: Sequence[int],
    settings: SearchSettings,
    key: Sequence[str | int],
    part: str | os.PathLike[str],
    code: str,
    threads: int = 1,
    tau: float = TAU,
) -> pd.DataFrame:
    """Search every period's best weights by xNES, and return the columns `SEARCH_COLUMNS`."""
    tasks = [(piece, count) for piece in periods for count in features]
    facts = [processors, np.asarray(scales).tolist(), threshold, tau, asdict(settings)]
    facts.append(list(key))

    searches = [
        (periods[piece], processors, count, scales, threshold, settings, [*key, piece, count], tau)
        for piece, count in tasks
    ]
    digests = [period_digest(periods[piece], [*facts, piece, count]) for piece, count in tasks]
    fields = (("weights", "f8", len(FEATURES)), ("value", "f8"), ("evaluations", "i8"))
    label = f"xNES, {settings.evaluations:,}"
    with processes(threads) as each_of:

        def compute(places: list[int]) -> Iterator[tuple]:
            yield from each_of(_search, [searches[place] for place in places])

        done = compute_missing_parts(part, fields, digests, compute, 16 * threads, label, code=code)
    rows = [
        (piece, count, each["value"], each["evaluations"], *each["weights"])
        for (piece, count), each in zip(tasks, done, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(SEARCH_COLUMNS)).astype(SEARCH_COLUMNS)


def _search(search: tuple) -> tuple:
    jobs, processors, features, scales, threshold, settings, key, tau = search
    optimum = xnes(
        *(jobs, processors, features, scales, threshold), *astuple(settings), key=key, tau=tau
    )
    weights = np.zeros(len(FEATURES))
    weights[:features] = optimum.weights
    return weights, optimum.value, optimum.evaluations
