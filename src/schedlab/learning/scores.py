"""Score distributions: how much it costs to run each task of a tuple first.

A distribution is simulated tuple by tuple, and an interrupted run goes on where it stopped: a
finished tuple is known by what made it, down to the bytes of the compiled kernel.

References
----------
carastan2017, sections 3.2, 3.3 and 4.1, and its public artefact.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.kernels import trials as kernel
from schedlab.kernels.trials import TASKS_OF_QUEUE, TASKS_OF_STATE
from schedlab.learning.trials import TaskTuple, Trials, scores, simulate_trials, tuple_at
from schedlab.resume import digest_of, resumed
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from schedlab.jobs import Jobs

SAMPLERS = ("uniform", "artefact")
MEAN_SCORE = 1 / TASKS_OF_QUEUE
COLUMNS = {"tuple": "int64", "task": "int64", "runtime": "int64", "procs": "int64"}
COLUMNS |= {"submit": "int64", "score": "float64", "count": "int64"}
PUBLISHED_FIELDS = ("runtime", "procs", "submit", "score")
# A finished tuple of the part file.
RECORD = (("total", "f8", TASKS_OF_QUEUE), ("count", "i8", TASKS_OF_QUEUE))


def score_distribution(
    tuples: Sequence[TaskTuple],
    processors: int,
    trials: int,
    sampler: str,
    key: Sequence[str | int],
    part: str | os.PathLike[str],
    threads: int = 1,
) -> pd.DataFrame:
    """Simulate the trials of every tuple and score its tasks.

    Parameters
    ----------
    tuples : sequence of TaskTuple
        Tuples (S, Q); none are fine.
    processors : int
        Processors of the machine.
    trials : int
        Permutations of Q per tuple.
    sampler : {"uniform", "artefact"}
        How permutations are drawn and scores are formed.
    key : sequence of str or int
        Key of the random streams; a tuple's own is followed by its place among the tuples.
    part : path-like
        File that finished tuples are appended to. Those in it are not simulated again. It is the
        caller's to remove once the distribution is safe.
    threads : int, default 1
        Threads, one tuple each; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        Columns tuple, task (place in Q), runtime (s), procs, submit (s, from the first job of S),
        score, count (trials in which the task was first); 32 rows a tuple.
    """
    seeds = [seed_of(*key, place) for place in range(len(tuples))]
    facts = (processors, trials, sampler)
    digests = [_digest(each, seed, *facts) for each, seed in zip(tuples, seeds, strict=True)]

    def compute(places: list[int]) -> Iterator[tuple]:
        chosen, its = [tuples[at] for at in places], [seeds[at] for at in places]
        result = simulate_trials(chosen, processors, trials, its, sampler, threads)
        return zip(result.total, result.count, strict=True)

    words = f"{trials:,} trials, {sampler}"
    records = resumed(part, RECORD, digests, compute, threads, words)
    return _as_frame(tuples, records, sampler)


def seed_of(*key: str | int) -> int:
    """Return the seed of the permutations of `key`, below 2^63."""
    return int(generator(*key).integers(2**63))


def _digest(tuple_: TaskTuple, seed: int, processors: int, trials: int, sampler: str) -> bytes:
    """Return what a tuple's trials depend on, the simulator among it, as 32 bytes."""
    fields = [np.asarray(field).tolist() for field in _fields(tuple_)]
    return digest_of([fields, seed, processors, trials, sampler], kernel.__file__)


def _fields(tuple_: TaskTuple) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return tuple_.runtime, tuple_.procs, tuple_.submit


def _as_frame(
    tuples: Sequence[TaskTuple], records: Sequence[np.ndarray], sampler: str
) -> pd.DataFrame:
    """Lay the tasks of all tuples below each other."""
    if not tuples:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    total = np.array([record["total"] for record in records])
    count = np.array([record["count"] for record in records])
    place, task = np.divmod(np.arange(total.size), TASKS_OF_QUEUE)
    fields = [
        np.concatenate([np.asarray(_fields(each)[which])[TASKS_OF_STATE:] for each in tuples])
        for which in range(3)
    ]
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
    """Measure how far the scores of one tuple scatter, by the number of trials.

    Parameters
    ----------
    tuple_ : TaskTuple
        The tuple.
    processors : int
        Processors of the machine.
    counts : sequence of int
        Numbers of trials.
    repetitions : int
        Distributions per number of trials, each of a stream of its own.
    sampler, key, threads
        As for `score_distribution`; threads share the repetitions.

    Returns
    -------
    DataFrame
        Columns sampler, trials, task, deviation: the standard deviation (n - 1) of the task's
        score over the repetitions, divided by the mean score 1/32.

    References
    ----------
    carastan2017, section 4.1 and figure 2.
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


def read_published(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the artefact's score distribution.

    Parameters
    ----------
    path : path-like
        Lines ``run time,processors,submit,score`` without a header, 32 a tuple; lines that begin
        with a semicolon are left out, so that the stand-in of a file that is not at hand has none.

    Returns
    -------
    DataFrame
        Columns tuple, task, runtime, procs, submit, score.

    Raises
    ------
    ValueError
        The number of lines is not a multiple of 32, or run times, processors or submit times are
        not whole.
    """
    lines = [line for line in Path(path).read_text().splitlines() if line and line[0] != ";"]
    if len(lines) % TASKS_OF_QUEUE:
        raise ValueError(f"{path}: {len(lines)} lines are no tuples of {TASKS_OF_QUEUE}")
    try:
        rows = np.array([line.split(",") for line in lines], dtype=float)
        rows = rows.reshape(len(lines), len(PUBLISHED_FIELDS))
    except ValueError as error:
        raise ValueError(f"{path}: not four numbers a line: {error}") from None
    frame = pd.DataFrame(rows, columns=list(PUBLISHED_FIELDS))
    for field in PUBLISHED_FIELDS[:3]:
        if (fraction := frame.index[frame[field] % 1 != 0]).size:
            raise ValueError(f"{path}: line {fraction[0] + 1}: field '{field}' is not whole")
    place, task = np.divmod(np.arange(len(frame)), TASKS_OF_QUEUE)
    frame = frame.assign(tuple=place, task=task)
    kept = {name: kind for name, kind in COLUMNS.items() if name != "count"}
    return frame[list(kept)].astype(kept)


def locate(published: pd.DataFrame, jobs: Jobs) -> list[TaskTuple]:
    """Find the tuples of a published distribution, which shows Q alone, in their workload.

    Parameters
    ----------
    published : DataFrame
        From `read_published`.
    jobs : Jobs
        The workload that they were drawn from.

    Returns
    -------
    list of TaskTuple
        48 consecutive jobs each: Q as published and S, the 16 jobs in front of it.

    Raises
    ------
    ValueError
        A tuple is not in the workload.
    """
    tuples = []
    for number, tasks in published.groupby("tuple"):
        runtime, procs, submit = (tasks[field].to_numpy() for field in PUBLISHED_FIELDS[:3])
        # Where Q begins; S must fit in front of it, and Q before the end.
        candidates = slice(TASKS_OF_STATE, len(jobs) - TASKS_OF_QUEUE + 1)
        starts = np.flatnonzero(
            (jobs.runtime[candidates] == runtime[0]) & (jobs.procs[candidates] == procs[0])
        )
        for first in starts:
            found = tuple_at(jobs, int(first))
            wanted = zip(_fields(found), (runtime, procs, submit), strict=True)
            if all(np.array_equal(ours[TASKS_OF_STATE:], theirs) for ours, theirs in wanted):
                tuples.append(found)
                break
        else:
            raise ValueError(f"published tuple {number} is not in the workload")
    return tuples


def beside_published(
    published: pd.DataFrame, uniform: pd.DataFrame, artefact: pd.DataFrame
) -> pd.DataFrame:
    """Lay the published scores beside those of a simulation of the same tuples.

    Parameters
    ----------
    published : DataFrame
        From `read_published`.
    uniform, artefact : DataFrame
        From `score_distribution` of the tuples that `locate` finds, by either sampler.

    Returns
    -------
    DataFrame
        Columns tuple, task, runtime, procs, submit, published, p_first (probability that the
        artefact's shuffle puts a task of this place first, from all its trials), corrected
        (published over 32 p_first), uniform, artefact.
    """
    by_place = artefact.groupby("task")["count"].sum()
    p_first = (by_place / by_place.sum()).reindex(published["task"]).to_numpy(dtype=float)
    return published.rename(columns={"score": "published"}).assign(
        p_first=p_first,
        corrected=published["score"].to_numpy() / (TASKS_OF_QUEUE * p_first),
        uniform=uniform["score"].to_numpy(),
        artefact=artefact["score"].to_numpy(),
    )


# What is held against what, the simulated scores first.
PAIRS = (("uniform", "published"), ("uniform", "corrected"), ("artefact", "published"))


def correlations(beside: pd.DataFrame) -> pd.DataFrame:
    """Correlate simulated with published scores, tuple by tuple.

    Parameters
    ----------
    beside : DataFrame
        From `beside_published`.

    Returns
    -------
    DataFrame
        One row per pair of `PAIRS`: simulated, published, tuples, median, low and high (first
        and third quartile over the tuples), pooled (over all tasks of all tuples).
    """
    rows = []
    for ours, theirs in PAIRS:
        each = [tasks[ours].corr(tasks[theirs]) for _, tasks in beside.groupby("tuple")]
        low, median, high = np.nanquantile(each, (0.25, 0.5, 0.75)) if each else [np.nan] * 3
        rows.append(
            {
                "simulated": ours,
                "published": theirs,
                "tuples": len(each),
                "median": median,
                "low": low,
                "high": high,
                "pooled": beside[ours].corr(beside[theirs]) if each else np.nan,
            }
        )
    return pd.DataFrame(rows)


def examples(uniform: pd.DataFrame, artefact: pd.DataFrame, count: int = 4) -> pd.DataFrame:
    """Choose tuples of a distribution from flat to steep scores, for figure 1.

    Parameters
    ----------
    uniform, artefact : DataFrame
        From `score_distribution` of the same tuples, by either sampler.
    count : int, default 4
        How many; they stand at even quantiles of the spread of their uniform scores.

    Returns
    -------
    DataFrame
        The tuples' rows with the column sampler in front.
    """
    spread = uniform.groupby("tuple")["score"].std().sort_values(kind="stable")
    at = ((np.arange(count) + 0.5) / count * len(spread)).astype(int)
    chosen = spread.index[at] if len(spread) else []
    both = pd.concat([uniform.assign(sampler="uniform"), artefact.assign(sampler="artefact")])
    # From flat to steep, not by number.
    parts = [both[both["tuple"] == number] for number in chosen] or [both.iloc[:0]]
    return pd.concat(parts, ignore_index=True)[["sampler", *COLUMNS]]
