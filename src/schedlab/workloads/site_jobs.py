"""Jobs of a synthetic site: users in sessions, with what they ask Slurm for.

A user comes in sessions, more by day than by night or on weekends, and more from month to month.
In a session one kind of job is submitted again and again after a time to think. Limits are round:
the popular ones of the Tsafrir model. The jobs are a model to try reports on, and were never
compared with a real log.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.requests import PREFIX
from schedlab.workloads.site_files import KINDS, users_of
from schedlab.workloads.tsafrir import head_times

if TYPE_CHECKING:
    from schedlab.workloads.lublin import Seed

MINUTE, HOUR, DAY, WEEK = 60, 3600, 86_400, 604_800
#: first second of the site's log, Monday, 2025-01-06, UTC
UNIX_START = 1_736_121_600
#: submissions by hour of a working day, relative to each other
_HOURS = np.array(
    [2, 1, 1, 1, 1, 2, 3, 6, 10, 13, 14, 13, 10, 12, 14, 14, 13, 11, 8, 6, 5, 5, 4, 3], dtype=float
)
#: submissions by weekday, from Monday
_DAYS = np.array([1.0, 1.05, 1.05, 1.0, 0.9, 0.35, 0.3])
#: submissions at the end of the log relative to its beginning
GROWTH = 1.35
#: mean number of jobs of a session, and the spread of run times of its jobs (of logarithms)
_SESSION, _WITHIN = 6.0, 0.25
#: median time to think before the next job, in seconds, and its spread
_THINK, _THINK_SPREAD = 240, 1.6
#: run times are this much below their limits in the middle of all sessions, with this spread
_SLACK, _SLACK_SPREAD = 3.0, 0.9
#: share of sessions whose jobs name no limit, and whose jobs ask for the longest
_NO_LIMIT, _LONGEST = 0.06, 0.15
_LIMITS = {"batch": 48 * HOUR, "gpu": 24 * HOUR, "short": 6 * HOUR}
_DEFAULTS = {"batch": 4 * HOUR, "gpu": 2 * HOUR, "short": HOUR}


@dataclass(frozen=True)
class Form:
    """Jobs of one form: partition, part of all sessions, and the work that all of them are.

    `load` is the mean share of `pool` (processors or GPUs) that they use. `sizes` are processors
    (GPUs if `gpus`) with their weights. `median` and `spread` are of run times, before they are
    scaled to the load. `memory` is MB a processor, in the middle of sessions.
    """

    partition: str
    part: float
    load: float
    pool: int
    sizes: tuple[tuple[int, float], ...]
    median: int
    spread: float
    memory: int
    gpus: bool = False


_BATCH = (KINDS["thin"].nodes + KINDS["fat"].nodes) * KINDS["thin"].cpus
_FAT = KINDS["fat"].nodes * KINDS["fat"].cpus
_GPUS = KINDS["gpu"].nodes * KINDS["gpu"].gpus
_SMALL = KINDS["small"].nodes * KINDS["small"].cpus
FORMS = (
    Form("batch", 0.24, 0.50, _BATCH, ((16, 5), (32, 4), (64, 3), (128, 1.5), (256, 0.4)),
         2 * HOUR, 1.3, 2000),
    Form("batch", 0.28, 0.10, _BATCH, ((1, 4), (4, 3), (8, 3), (16, 2)), HOUR, 1.4, 3000),
    Form("batch", 0.06, 0.30, _FAT, ((4, 2), (8, 3), (16, 2)), 2 * HOUR, 1.2, 20_000),
    Form("gpu", 0.18, 0.48, _GPUS, ((1, 6), (2, 3), (4, 1)), 2 * HOUR, 1.3, 5000, True),
    Form("short", 0.24, 0.35, _SMALL, ((1, 4), (2, 3), (4, 3), (8, 2), (16, 1)),
         20 * MINUTE, 1.2, 2500),
)  # fmt: skip
#: processors that a job has with each GPU
_PER_GPU = 8


def generate(jobs: int, days: float, seed: Seed) -> pd.DataFrame:
    """Draw the jobs of the site.

    Parameters
    ----------
    jobs : int
        Their number. Work does not depend on it: of more jobs, each is shorter.
    days : float
        Length of the log.
    seed : int, SeedSequence or Generator
        Source of random numbers.

    Returns
    -------
    pandas.DataFrame
        A row a job in order of submission: number, submit (seconds from `UNIX_START`), runtime,
        procs, requested_time, and columns of requests as `schedlab.core.requests.COLUMNS`.

    Raises
    ------
    ValueError
        There is no job, or the log is shorter than a day.

    Examples
    --------
    >>> drawn = generate(500, 14, seed=1)
    >>> len(drawn), sorted(drawn["request.partition"].unique())
    (500, ['batch', 'gpu', 'short'])
    """
    if jobs < 1 or days < 1:
        raise ValueError(f"{jobs} jobs in {days:g} days: there must be a job, and a day")
    rng = np.random.default_rng(seed)
    sessions = _sessions(jobs, rng)
    session = np.repeat(np.arange(len(sessions)), sessions["jobs"])
    submit = _submits(session, sessions, days, rng)
    frame = _shapes(session, sessions, rng)
    frame["submit"] = submit
    frame["runtime"] = _runtimes(frame, sessions, session, days, rng)
    _set_limits(frame, sessions, session, rng)
    order = np.lexsort((session, submit))
    frame = frame.iloc[order].drop(columns="form").reset_index(drop=True)
    return frame.assign(number=np.arange(1, jobs + 1))


def _sessions(jobs: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return sessions with user, QOS, form and number of jobs, which sum to `jobs`."""
    users = users_of()
    sizes = rng.geometric(1 / _SESSION, size=jobs)
    count = int(np.searchsorted(np.cumsum(sizes), jobs)) + 1
    sizes = sizes[:count]
    sizes[-1] -= sizes.sum() - jobs
    # few users have most of the jobs, and each prefers some forms
    activity = rng.permutation(1 / np.arange(1, len(users) + 1) ** 0.8)
    user = rng.choice(len(users), count, p=activity / activity.sum())
    parts = np.array([form.part for form in FORMS])
    taste = rng.dirichlet(2 * parts / parts.sum(), len(users)) + 1e-9
    # in the mean of all sessions, forms have their parts
    taste *= parts / (activity @ taste)
    bounds = np.cumsum(taste / taste.sum(axis=1, keepdims=True), axis=1)
    form = (rng.random(count)[:, None] > bounds[user]).sum(axis=1).clip(max=len(FORMS) - 1)
    names = np.array(list(users), dtype=object)[user]
    qos = rng.choice(["", "high", "idle"], count, p=[0.8, 0.08, 0.12]).astype(object)
    is_short = np.array([FORMS[k].partition == "short" for k in form])
    qos[is_short & (rng.random(count) < 0.25)] = "debug"
    return pd.DataFrame(
        {"user": names, "account": [users[name] for name in names]}
        | {"qos": qos, "form": form, "jobs": sizes}
    )


def _submits(
    session: np.ndarray, sessions: pd.DataFrame, days: float, rng: np.random.Generator
) -> np.ndarray:
    """Return submit times: sessions by day, week and growth, jobs after times to think."""
    hours = np.arange(int(np.ceil(days * 24)))
    rate = _HOURS[hours % 24] * _DAYS[hours // 24 % 7]
    rate *= 1 + (GROWTH - 1) * hours / len(hours)
    begin = rng.choice(hours, len(sessions), p=rate / rate.sum()) * HOUR
    begin = begin + rng.integers(0, HOUR, len(sessions))
    first = np.flatnonzero(np.diff(session, prepend=-1))
    think = rng.lognormal(np.log(_THINK), _THINK_SPREAD, len(session)).clip(1, 12 * HOUR)
    think[first] = 0
    total = np.cumsum(think)
    submit = begin[session] + (total - total[first][session]).astype(np.int64)
    # sessions of the last hours end with the log
    return np.minimum(submit, int(days * DAY) - 1)


def _shapes(session: np.ndarray, sessions: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return processors, memory and names of jobs, which are those of their session."""
    count, form = len(sessions), sessions["form"].to_numpy()
    size, memory = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for k, each in enumerate(FORMS):
        chosen = np.flatnonzero(form == k)
        sizes, weights = np.array(each.sizes).T
        size[chosen] = rng.choice(sizes.astype(int), len(chosen), p=weights / weights.sum())
        drawn = each.memory * rng.lognormal(0, 0.3, len(chosen))
        memory[chosen] = (drawn // 100 * 100).clip(500, 1.5 * each.memory)
    gpus = np.array([each.gpus for each in FORMS])[form]
    per_node = np.where(gpus, np.minimum(size, KINDS["gpu"].gpus), 0)
    cpus = np.where(gpus, size * _PER_GPU, size)
    width = np.array([KINDS["small" if f.partition == "short" else "thin"].cpus for f in FORMS])
    nodes = np.maximum(-(-cpus // width[form]), 1)
    gres = np.array(["", *(f"gpu:{k}" for k in range(1, 5))], dtype=object)[per_node]
    partition = np.array([each.partition for each in FORMS], dtype=object)[form]
    columns = {
        "procs": cpus, "form": form, PREFIX + "nodes": nodes, PREFIX + "tasks": cpus,
        PREFIX + "memory": memory, PREFIX + "gres": gres, PREFIX + "partition": partition,
    }  # fmt: skip
    columns |= {PREFIX + name: sessions[name].to_numpy() for name in ("qos", "account", "user")}
    frame = pd.DataFrame({name: column[session] for name, column in columns.items()})
    return frame.assign(**{PREFIX + "per_cpu": True})


def _runtimes(
    frame: pd.DataFrame, sessions: pd.DataFrame, session: np.ndarray, days: float,
    rng: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """Return run times; those of each form are scaled so that it has its load."""
    spread = np.array([each.spread for each in FORMS])[sessions["form"]]
    logs = rng.normal(0, 1, len(sessions)) * spread
    logs = logs[session] + rng.normal(0, _WITHIN, len(session))
    # some jobs fail soon
    logs = np.where(rng.random(len(logs)) < 0.06, logs - 4, logs)
    runtime = np.zeros(len(frame), dtype=np.int64)
    form = frame["form"].to_numpy()
    for k, each in enumerate(FORMS):
        chosen = np.flatnonzero(form == k)
        size = frame["procs"].to_numpy()[chosen] / (_PER_GPU if each.gpus else 1)
        drawn = each.median * np.exp(logs[chosen])
        work, longest = each.load * each.pool * days * DAY, _LIMITS[each.partition]
        factor = 1.0
        for _ in range(40):  # the longest are cut, so that scaling is not linear
            factor *= work / max((size * (drawn * factor).clip(10, longest)).sum(), 1.0)
            factor = min(factor, 20.0)
        runtime[chosen] = (drawn * factor).clip(10, longest)
    return runtime


def _set_limits(
    frame: pd.DataFrame, sessions: pd.DataFrame, session: np.ndarray, rng: np.random.Generator
) -> None:
    """Set limits, popular times above most run times of a session; jobs end at them."""
    form = sessions["form"].to_numpy()
    partition = np.array([each.partition for each in FORMS], dtype=object)[form]
    typical = frame["runtime"].groupby(session).median().to_numpy()
    wanted = typical * rng.lognormal(np.log(_SLACK), _SLACK_SPREAD, len(typical)).clip(1.05)
    limit = np.zeros(len(sessions), dtype=np.int64)
    for name, longest in _LIMITS.items():
        times = np.array(sorted(head_times(longest)))
        chosen = np.flatnonzero(partition == name)
        limit[chosen] = times[np.searchsorted(times, wanted[chosen]).clip(max=len(times) - 1)]
    draw = rng.random(len(sessions))
    limit = np.where(draw < _LONGEST, [_LIMITS[each] for each in partition], limit)
    limit = np.where(draw > 1 - _NO_LIMIT, [_DEFAULTS[each] for each in partition], limit)
    limit = np.where(sessions["qos"] == "debug", np.minimum(limit, HOUR), limit)[session]
    frame["requested_time"] = limit
    frame["runtime"] = np.minimum(frame["runtime"], limit)
