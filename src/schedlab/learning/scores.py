"""Score distributions: the cost of running each task of a tuple first.

A distribution is simulated tuple by tuple, and an interrupted run resumes where it stopped. A
finished tuple is identified by its inputs and the bytes of the compiled kernel.

References
----------
carastan2017, sections 3.2, 3.3 and 4.1, and its public artefact.
"""

import os
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from schedlab.core.streams import generator
from schedlab.files.resume import compute_missing_parts, digest_of
from schedlab.kernels.queue import trials as kernel
from schedlab.learning.distributions import COLUMNS
from schedlab.learning.trials import Trials, scores, simulate_trials
from schedlab.learning.tuples import MEAN_SCORE, TASKS_OF_QUEUE, TASKS_OF_STATE, TaskTuple

SAMPLERS = ("uniform", "artefact")
# Record of a finished tuple in the part file.
RECORD = (("total", "f8", TASKS_OF_QUEUE), ("count", "i8", TASKS_OF_QUEUE))


def score_distribution(
    tuples: Sequence[TaskTuple],
    processors: int,
    trials: int,
    sampler: str,
    key: Sequence[str | int],
    part: str | os.PathLike[str],
    threads: int = 1,
    *,
    code: str = "",
) -> pd.DataFrame:
    """Simulate the trials of every tuple (S, Q) and score its tasks.

    There are `trials` permutations of Q per tuple. The sampler determines how permutations are
    drawn and scores are computed. `key` is that of the random streams; the place of a tuple is
    appended for its stream. `threads` have one tuple each; the result does not depend on their
    number.

    Finished tuples are appended to the file `part`. Tuples in it are not simulated again. The
    caller removes it after saving the distribution. `code` is a digest of the simulating sources
    (`schedlab.files.resume.digest_of`); a part file from other sources is discarded.

    Columns: tuple, task (place in Q), runtime (s), procs, submit (s, from the first job of S),
    score, count (trials in which the task was first); 32 rows per tuple.
    """
    seeds = [seed_of(*key, place) for place in range(len(tuples))]
    # all inputs of a tuple's trials, and the simulator
    digests = [
        digest_of(
            [[column.tolist() for column in one_tuple.columns], seed, processors, trials, sampler],
            kernel.__file__,
        )
        for one_tuple, seed in zip(tuples, seeds, strict=True)
    ]

    def compute(places: list[int]) -> Iterator[tuple]:
        chosen, its = [tuples[at] for at in places], [seeds[at] for at in places]
        result = simulate_trials(chosen, processors, trials, its, sampler, threads)
        return zip(result.total, result.count, strict=True)

    label = f"{trials:,} trials, {sampler}"
    records = compute_missing_parts(part, RECORD, digests, compute, threads, label, code=code)
    return _as_frame(tuples, records, sampler)


def seed_of(*key: str | int) -> int:
    """Return the seed of the permutations of `key`, below 2^63."""
    return int(generator(*key).integers(2**63))


def _as_frame(
    tuples: Sequence[TaskTuple], records: Sequence[np.ndarray], sampler: str
) -> pd.DataFrame:
    if not tuples:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    total = np.array([record["total"] for record in records])
    count = np.array([record["count"] for record in records])
    place, task = np.divmod(np.arange(total.size), TASKS_OF_QUEUE)
    fields = np.concatenate([np.stack(each.columns)[:, TASKS_OF_STATE:] for each in tuples], axis=1)
    score = scores(Trials(total, count), sampler)
    values = (place, task, *fields, np.ravel(score), np.ravel(count))
    return pd.DataFrame(dict(zip(COLUMNS, values, strict=True))).astype(COLUMNS)


def convergence(
    tuple_: TaskTuple,
    processors: int,
    counts: Sequence[int],
    repetitions: int,
    sampler: str,
    key: Sequence[str | int],
    threads: int = 1,
) -> pd.DataFrame:
    """Compute the spread of one tuple's scores by the number of trials.

    Columns: sampler, trials, task, deviation: the standard deviation (n - 1) of the task's score
    over the repetitions, divided by the mean score 1/32. Source: carastan2017, section 4.1 and
    figure 2.
    """
    frames = []
    for count in counts:
        seeds = [seed_of(*key, count, repetition) for repetition in range(repetitions)]
        repeated = [tuple_] * repetitions
        result = simulate_trials(repeated, processors, count, seeds, sampler, threads)
        deviation = scores(result, sampler).std(axis=0, ddof=1) / MEAN_SCORE
        rows = {"sampler": sampler, "trials": count, "task": np.arange(TASKS_OF_QUEUE)}
        frames.append(pd.DataFrame(rows | {"deviation": deviation}))
    return pd.concat(frames, ignore_index=True)
