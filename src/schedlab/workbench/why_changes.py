"""What its user can change of a waiting job, and what each change would gain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.requests import DEFAULTS, Requests
from schedlab.core.slurm_site import MINUTE
from schedlab.files.threads import over_threads
from schedlab.workbench.site_forecast import DAY, MOST_DAYS, interval_of, start_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.core.machine import Partition
    from schedlab.workbench.site_forecast import Future
    from schedlab.workbench.site_queue import SiteQueue

#: shares of the limit, processors and memory that are tried, least first
SHARES = (0.75, 0.5, 0.25)
#: seconds: a smaller gain is none
LEAST = 60


@dataclass(frozen=True)
class Change:
    """A change of a job: words, the command that makes it, and the changed columns."""

    words: str
    command: str
    columns: dict[str, Any]


@dataclass(frozen=True)
class Help:
    """A change that helps, and by how many seconds in 10, 50 and 90 % of the simulations."""

    words: str
    command: str
    gain: tuple[float, float, float]


def changes_of(queue: SiteQueue, job: int) -> list[list[Change]]:
    """Return changes that the site's rules allow, in kinds; those of a kind go further and further.

    Another partition is in addition to those of the job.
    """
    entry, jobs = queue.entries.loc[job], queue.jobs
    requests = jobs.requests
    assert requests is not None
    name, limit = str(entry["id"]), int(jobs.estimate[job]) // MINUTE
    update = f"scontrol update JobId={name}"

    def minutes(share: float) -> Change:
        shorter = max(int(limit * share), 1)
        words = f"a limit of {shorter} min in place of {limit}"
        return Change(words, f"{update} TimeLimit={shorter}", {"estimate": shorter * MINUTE})

    kinds = [[minutes(share) for share in SHARES if int(limit * share) >= 1], _sizes(queue, job)]
    memory = int(requests.memory[job])
    if memory > 0:
        per = "CPU" if requests.per_cpu[job] else "Node"
        amounts = [max(int(memory * share), 1) for share in SHARES]
        kinds.append(
            [
                Change(
                    f"{amount:,} MB per {per.lower()} in place of {memory:,}",
                    f"{update} MinMemory{per}={amount}",
                    {"memory": amount},
                )
                for amount in amounts
            ]
        )
    mine = [part for part in requests.partition[job].split(",") if part]
    mine = mine or [each.name for each in queue.site.machine.partitions if each.default][:1]
    account, qos = requests.account[job], str(queue.problem.qos[job])
    for each in queue.site.machine.partitions:
        if each.name not in mine and _allows(each, account, qos, limit * MINUTE):
            names = ",".join([*mine, each.name])
            words = f"partition {each.name} as well"
            kinds.append([Change(words, f"{update} Partition={names}", {"partition": names})])
    parts = {each.name: each for each in queue.site.machine.partitions}
    for other in sorted(qos_of(queue, job) - {qos}):
        if all(_allows(parts[part], account, other, 0) for part in mine if part in parts):
            words = f"QOS {other} in place of {qos}"
            kinds.append([Change(words, f"{update} QOS={other}", {"qos": other})])
    return kinds


def _sizes(queue: SiteQueue, job: int) -> list[Change]:
    """Return changes to fewer nodes, or to fewer processors on the only one."""
    requests, update = queue.jobs.requests, f"scontrol update JobId={queue.entries['id'][job]}"
    assert requests is not None
    procs, nodes = int(queue.jobs.procs[job]), int(requests.nodes[job])
    tasks, per_task = int(requests.tasks[job]), int(requests.cpus_per_task[job])
    tasks, changes = tasks or -(-procs // per_task), []
    for share in SHARES:
        fewer, of_tasks = int(nodes * share), int(tasks * share)
        if nodes > 1 and fewer >= 1:
            of_tasks = max(tasks * fewer // nodes, fewer)
            columns = {"nodes": fewer, "most_nodes": 0, "tasks": of_tasks}
            words = f"{fewer} node{'s' * (fewer > 1)} in place of {nodes}, with {of_tasks} tasks"
            command = f"{update} NumNodes={fewer} NumTasks={of_tasks}"
        elif nodes <= 1 and of_tasks >= 1:
            columns = {"tasks": of_tasks}
            fewer = of_tasks * per_task
            words = f"{fewer} processor{'s' * (fewer > 1)} in place of {tasks * per_task}"
            command = f"{update} NumTasks={of_tasks}"
        else:
            continue
        changes.append(Change(words, command, columns | {"procs": of_tasks * per_task}))
    return list({each.words: each for each in changes}.values())


def _allows(partition: Partition, account: str, qos: str, limit: int) -> bool:
    """Return whether a partition takes jobs of an account, QOS and time limit."""
    return (
        partition.up
        and (partition.allow_qos is None or qos in partition.allow_qos)
        and qos not in partition.deny_qos
        and (partition.allow_accounts is None or account in partition.allow_accounts)
        and account not in partition.deny_accounts
        and (partition.max_time is None or limit <= partition.max_time)
    )


def qos_of(queue: SiteQueue, job: int) -> frozenset[str]:
    """Return the QOS that a job's association allows."""
    every, place = queue.site.associations, int(queue.problem.association[job])
    while place >= 0:
        if (allowed := every[place].qos) is not None:
            return allowed
        place = every[place].parent
    return frozenset(each.name for each in queue.site.qos)


def changed(queue: SiteQueue, job: int, columns: dict[str, Any]) -> SiteQueue:
    """Return a queue in which a job has other columns."""
    jobs = queue.jobs
    arrays = {name: getattr(jobs, name).copy() for name in ("estimate", "procs")}
    assert jobs.requests is not None
    frame = jobs.requests.to_frame()
    for name, default in DEFAULTS.items():
        if isinstance(default, str):
            frame[name] = np.asarray(frame[name], dtype=object)
    for name, value in columns.items():
        if name in arrays:
            arrays[name][job] = value
        else:
            frame.loc[job, name] = value
    limit = arrays["estimate"]
    requests = Requests.from_frame(frame)
    of_all = (jobs.number, jobs.submit, limit, limit, arrays["procs"], requests)
    return queue.changed(jobs=Jobs(*of_all))


def helping(
    queue: SiteQueue,
    job: int,
    ways: Sequence[Future],
    starts: np.ndarray,
    days: int = MOST_DAYS,
    threads: int = 1,
) -> Iterator[Help]:
    """Yield the changes that help, by simulation of the same futures as those with `starts`.

    One helps if it gains a minute in the median, loses nothing in nine of ten simulations, and
    gains a minute more than a smaller change of the same kind.
    """
    end = queue.now + days * DAY
    before = np.where(starts < 0, end, starts)
    for kind in changes_of(queue, job):
        gained = 0.0
        for change in kind:
            other = changed(queue, job, change.columns)
            if job in dict(other.problem.never):
                continue

            def start(way: Future, other: SiteQueue = other) -> int:
                runtime = np.minimum(way.runtime, other.jobs.estimate)
                return int(start_times(other, replace(way, runtime=runtime), days, job)[job])

            after = np.array(over_threads(start, list(ways), threads))
            gain = interval_of(before - np.where(after < 0, end, after))
            if gain[0] >= 0 and gain[1] >= max(LEAST, gained + LEAST):
                gained = gain[1]
                yield Help(change.words, change.command, gain)
