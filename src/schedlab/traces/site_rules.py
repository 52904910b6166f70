"""Site rules for a log: a limit for jobs without one, and removal of jobs that do not fit."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.core.machine import Partition
from schedlab.core.requests import PREFIX
from schedlab.traces.cleaning_rules import RULE_SETS, Rule

#: limit of jobs in partitions without any, as Slurm's UNLIMITED
YEAR = 365 * 86_400


def partition_limit(partitions: Sequence[Partition], queues: Mapping[int, str] = {}) -> Rule:
    """Return a rule that gives jobs without a requested time the limit of their partition.

    It is that of the default partition for jobs that name none, and a year without a limit. In logs
    without requests the partition is the queue, by its name in `queues` or its number.
    """
    limits = {each.name: each.default_time or each.max_time or YEAR for each in partitions}
    default = next((limits[each.name] for each in partitions if each.default), YEAR)

    def limit(jobs: pd.DataFrame) -> pd.Series:
        """Return the limit of each job by the first partition that it names."""
        named = PREFIX + "partition"
        if named not in jobs:
            names = {queue: queues.get(queue, str(queue)) for queue in jobs["queue"].unique()}
            return jobs["queue"].map(names).map(limits).fillna(default).astype("int64")
        first = jobs[named].astype(str).str.split(",").str[0]
        return first.map(limits).fillna(default).astype("int64")

    return Rule(
        "partition_limit",
        "give jobs without a requested time the limit of their partition",
        "Slurm, slurm.conf(5), DefaultTime and MaxTime",
        "estimate",
        lambda jobs: jobs["estimate"] <= 0,
        limit,
    )


def default_limit(limit: int | Mapping[int, int], rules: str) -> Rule:
    """Return a rule that gives jobs without a requested time the site's limit.

    The limit is in seconds, for all jobs or by queue number; jobs of other queues stay without a
    limit.
    """
    if RULE_SETS[rules].estimate != "requested_time":
        raise ValueError(
            f"rules {rules} decide on run times and look at no limit: leave the default limit out, "
            "or take other rules"
        )
    by_queue = limit if isinstance(limit, Mapping) else {}
    descriptions = [f"{seconds} s in queue {queue}" for queue, seconds in by_queue.items()]
    for seconds in by_queue.values() if descriptions else [limit]:
        if seconds < 1:
            raise ValueError(f"the default limit is {seconds} s, must be at least 1 s")

    def limits(jobs: pd.DataFrame) -> pd.Series:
        """Return the limit of each job, missing if its queue has none."""
        if by_queue:
            return jobs["queue"].map(by_queue)
        return pd.Series(limit, jobs.index)

    return Rule(
        "default_limit",
        f"give jobs without a requested time a limit: {', '.join(descriptions) or f'{limit} s'}",
        "the site",
        "estimate",
        lambda jobs: (jobs["estimate"] <= 0) & limits(jobs).notna(),
        lambda jobs: limits(jobs).astype("int64"),
    )


def fits_machine(processors: int) -> Rule:
    """Return a rule that drops jobs that need more processors than the machine has."""
    return Rule(
        "fits_machine",
        f"drop jobs that need more than {processors} processors",
        "the site",
        "procs",
        lambda jobs: jobs["procs"] > processors,
    )
