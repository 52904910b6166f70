"""A site's Slurm and its jobs as the arrays that the kernel and its twin take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from schedlab.core.machine import Partition, amount
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import ROOT, Association, NotModeled, Site
from schedlab.queue.site_limits import MEMORY, NODES, Counters, Group
from schedlab.queue.site_preemption import preemption_of
from schedlab.queue.site_requests import ALL_MEMORY, Asked, asked_of, class_arrays, gres_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from schedlab.core.jobs import Jobs

MINUTE = 60
#: amounts of a job: jobs, cpu, mem, node, then generic resources
FIRST_GRES = 4
FOREVER = 2**62


class SiteJobError(ValueError):
    """A job asks for what the site's files do not have; the message names job and field."""


class Never(NamedTuple):
    """A job, by its place, that no partition can ever start, and why."""

    job: int
    why: str


@dataclass(frozen=True, eq=False)
class SiteProblem:
    """Arrays of a simulation.

    N nodes, G generic resources, R classes of requests, P partitions, n jobs, m pairs of a job and
    a partition, K groups of limits, A associations.

    Attributes
    ----------
    cpus, memory, weight, up : int64, shape (N,)
        Memory in MB; `up`: whether the node takes jobs at the beginning.
    leaf : int64, shape (N,)
        Leaf switch of each node with topology/tree; empty without a topology.
    gres : int64, shape (N, G)
    numbers, class_gres, static :
        See `schedlab.queue.site_requests.class_arrays`.
    members : bool, shape (P, N)
        Nodes of each partition.
    tier : int64, shape (P,)
    billing : float64, shape (P, 4 + G)
        Weight of each amount of a job (jobs, cpu, mem, node, gres).
    pair_of : int64, shape (n + 1,)
        First pair of each job.
    pair_class, pair_partition, pair_group : int64, shape (m,)
    points : float64, shape (m,)
        What does not change of a pair's priority.
    submit, begin, holds, limit, user, association, qos, array : int64, shape (n,)
        Seconds; `holds`: how long a job keeps its nodes; `array` -1: none.
    after_of, after : int64, shapes (n + 1,), (…)
        Jobs that must end before each job.
    check_of, checks, addition_of, additions : int64, shapes (K + 1,), (…, 4), (K + 1,), (…, 2)
        See `schedlab.queue.site_limits`.
    counters : int
        Number of counters.
    change_times, change_nodes : int64, shape (E, 2); bool, shape (E, N)
        Time of a change and whether its nodes then take jobs (1), no new jobs (0), or lose their
        jobs, too (-1).
    reserved_times, reserved_nodes : int64, shape (V, 4); bool, shape (V, N)
        Advance reservations: when they are created, begin and end, and whether they are for
        maintenance.
    reservation : int64, shape (n,)
        Advance reservation of each job; -1: none.
    pair_rank, may_preempt, rank_level, rank_order, rank_mode, rank_grace :
        See `schedlab.queue.site_preemption`.
    parent, shares, is_user, usage : shapes (A,)
        Tree of associations, parents first; usage float64.
    gres_names : tuple of str
        Generic resources that jobs ask for or limits count.
    site : Site
    never : tuple of Never
        Jobs without a pair.
    not_modeled : tuple of NotModeled
        Of the site's files, and limits that are set.
    """

    cpus: np.ndarray
    memory: np.ndarray
    weight: np.ndarray
    up: np.ndarray
    leaf: np.ndarray
    gres: np.ndarray
    numbers: np.ndarray
    class_gres: np.ndarray
    static: np.ndarray
    members: np.ndarray
    tier: np.ndarray
    billing: np.ndarray
    pair_of: np.ndarray
    pair_class: np.ndarray
    pair_partition: np.ndarray
    pair_group: np.ndarray
    points: np.ndarray
    submit: np.ndarray
    begin: np.ndarray
    holds: np.ndarray
    limit: np.ndarray
    user: np.ndarray
    association: np.ndarray
    array: np.ndarray
    after_of: np.ndarray
    after: np.ndarray
    check_of: np.ndarray
    checks: np.ndarray
    addition_of: np.ndarray
    additions: np.ndarray
    counters: int
    change_times: np.ndarray
    change_nodes: np.ndarray
    reserved_times: np.ndarray
    reserved_nodes: np.ndarray
    reservation: np.ndarray
    pair_rank: np.ndarray
    may_preempt: np.ndarray
    rank_level: np.ndarray
    rank_order: np.ndarray
    rank_mode: np.ndarray
    rank_grace: np.ndarray
    parent: np.ndarray
    shares: np.ndarray
    is_user: np.ndarray
    usage: np.ndarray
    gres_names: tuple[str, ...]
    site: Site
    never: tuple[Never, ...] = ()
    not_modeled: tuple[NotModeled, ...] = ()


def with_partition(site: Site) -> Site:
    """Return a site with at least one partition: all nodes, without rules."""
    if site.machine.partitions:
        return site
    everything = Partition("all", tuple(range(len(site.machine))), default=True)
    return replace(site, machine=replace(site.machine, partitions=(everything,)))


def problem_of(
    site: Site, jobs: Jobs, requests: Requests, points: np.ndarray | None = None, stopping: int = 1
) -> SiteProblem:
    """Return the arrays of a simulation of jobs on a site.

    `points` are added to each job's priority. A job keeps its nodes for `stopping` seconds beyond
    its run time. Raises `SiteJobError`, with the job's number, if it asks for a partition, QOS,
    account or resource that the site does not have.
    """
    site = with_partition(site)
    machine, names = site.machine, gres_names(site, requests)
    counters = Counters(site, names)
    associations = _Associations(site)
    partition_place = {each.name: k for k, each in enumerate(machine.partitions)}
    default = next((k for k, each in enumerate(machine.partitions) if each.default), 0)
    limit = -(-np.maximum(jobs.estimate, 1) // MINUTE) * MINUTE
    classes: dict[Asked, int] = {}
    groups: dict[Group, int] = {}
    seen: dict[tuple[object, ...], list[tuple[int, int, int]] | str] = {}
    pair_of, pairs, never, association = [0], [], [], []
    users = {name: k for k, name in enumerate(dict.fromkeys(requests.user.names))}
    for job in range(len(jobs)):
        where = associations.of(requests, job, jobs)
        association.append(where)
        key = _key(requests, job, int(jobs.procs[job]), int(limit[job]), where)
        if key not in seen:
            try:
                seen[key] = _pairs(
                    *(site, requests, job, int(jobs.procs[job]), int(limit[job]), where),
                    *(partition_place, default, names, classes, groups, counters),
                )
            except ValueError as problem:
                raise SiteJobError(f"job {jobs.number[job]}: {problem}") from None
        made = seen[key]
        if isinstance(made, str):
            never.append(Never(job, made))
        else:
            pairs += made
        pair_of.append(len(pairs))
    numbers, class_gres, static = class_arrays(list(classes), machine, names)
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 3)
    pair_job = np.repeat(np.arange(len(jobs)), np.diff(pair_of))
    fixed = _Fixed(site, names, numbers, class_gres)
    sums = fixed.of(columns, requests, pair_job, np.array(association, dtype=np.int64), limit)
    if points is not None:
        sums += points[pair_job]
    checks = [counters.checks(group) for group in groups]
    additions = [counters.additions(group) for group in groups]
    kinds = machine.kinds
    after_of, after = _after(requests, jobs)
    tree = associations.tree
    return SiteProblem(
        cpus=machine.cpus,
        memory=np.array([kind.memory or 2**40 for kind in kinds], dtype=np.int64)[machine.kind],
        weight=np.array([kind.weight for kind in kinds], dtype=np.int64)[machine.kind],
        up=np.ones(len(machine), dtype=np.int64),
        leaf=_leaves(site),
        gres=fixed.node_gres,
        numbers=numbers,
        class_gres=class_gres,
        static=static,
        members=fixed.members,
        tier=np.array([each.tier for each in machine.partitions], dtype=np.int64),
        billing=fixed.billing,
        pair_of=np.array(pair_of, dtype=np.int64),
        pair_class=columns[:, 0].copy(),
        pair_partition=columns[:, 1].copy(),
        pair_group=columns[:, 2].copy(),
        points=sums,
        submit=jobs.submit,
        begin=np.maximum(requests.begin, jobs.submit),
        holds=jobs.runtime + stopping,
        limit=limit,
        user=np.array([users[name] for name in requests.user.names], dtype=np.int64)[
            requests.user.code
        ],
        association=np.array(association, dtype=np.int64),
        array=requests.array,
        after_of=after_of,
        after=after,
        check_of=_offsets(checks),
        checks=np.array([row for part in checks for row in part], dtype=np.int64).reshape(-1, 4),
        addition_of=_offsets(additions),
        additions=np.array([row for part in additions for row in part], dtype=np.int64).reshape(
            -1, 2
        ),
        counters=len(counters.place),
        **_changes(site, requests, jobs),
        **preemption_of(site, columns, list(groups)),
        parent=np.array([each.parent for each in tree], dtype=np.int64),
        shares=np.array([each.shares for each in tree], dtype=np.int64),
        is_user=np.array([bool(each.user) for each in tree], dtype=np.int64),
        usage=np.array([site.usage.get((each.account, each.user), 0.0) for each in tree]),
        gres_names=names,
        site=site,
        never=tuple(never),
        not_modeled=site.not_modeled
        + tuple(NotModeled("accounts", 0, name, "", "limit") for name in sorted(counters.left)),
    )


def _offsets(rows: Sequence[Sequence[object]]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(part) for part in rows])]).astype(np.int64)


def _key(requests: Requests, job: int, procs: int, limit: int, where: int) -> tuple[object, ...]:
    """Return what decides the pairs of a job."""
    numbers = (
        int(getattr(requests, name)[job])
        for name in ("nodes", "most_nodes", "tasks", "cpus_per_task", "memory", "per_cpu")
    )
    texts = (
        int(getattr(requests, name).code[job])
        for name in ("gres", "features", "partition", "qos", "account", "user")
    )
    return (*numbers, *texts, bool(requests.exclusive[job]), procs, limit, where)


def _pairs(
    site: Site,
    requests: Requests,
    job: int,
    procs: int,
    limit: int,
    association: int,
    partition_place: Mapping[str, int],
    default: int,
    names: Sequence[str],
    classes: dict[Asked, int],
    groups: dict[Group, int],
    counters: Counters,
) -> list[tuple[int, int, int]] | str:
    """Return class, partition and group of limits of each partition of a job, or why there is none.

    A partition that can never run the job has no pair: in Slurm it would wait there indefinitely.
    """
    wanted = [name for name in requests.partition[job].split(",") if name]
    made, why = [], ""
    for name in wanted or [site.machine.partitions[default].name]:
        if name not in partition_place:
            raise ValueError(f"partition '{name}' is not in slurm.conf")
        place = partition_place[name]
        rules = site.machine.partitions[place]
        asked = asked_of(requests, job, procs, place, site, names)
        qos = requests.qos[job] or _default_qos(site, association)
        if qos and site.qos and qos not in counters.qos:
            raise ValueError(f"QOS '{qos}' is not in the files of sacctmgr")
        group = Group(rules.qos, qos, association, requests.user[job], requests.account[job])
        wall = counters.most_wall(group)
        if rules.max_time is not None and limit > rules.max_time:
            why = f"its limit of {limit} s exceeds MaxTime of partition {name}"
        elif wall is not None and limit > wall:
            why = f"its limit of {limit} s exceeds MaxWall of its QOS or association"
        elif asked.nodes > asked.most_nodes:
            why = f"its {asked.nodes} nodes exceed MaxNodes of partition {name}"
        else:
            made.append(
                (
                    classes.setdefault(asked, len(classes)),
                    place,
                    groups.setdefault(group, len(groups)),
                )
            )
    return made or why


def _default_qos(site: Site, association: int) -> str:
    """Return the QOS of a job that names none: of its association, or those above it, or normal."""
    while association >= 0 and site.associations:
        each = site.associations[association]
        if each.default_qos:
            return each.default_qos
        association = each.parent
    return "normal" if any(qos.name == "normal" for qos in site.qos) else ""


class _Associations:
    """The tree of associations, with those of jobs whose account or user it lacks."""

    def __init__(self, site: Site) -> None:
        self.tree: list[Association] = list(site.associations) or [Association(ROOT)]
        self.enforced = "associations" in site.enforce and len(self.tree) > 1
        self.accounts = {each.account: k for k, each in enumerate(self.tree) if not each.user}
        self.users = {(each.account, each.user): k for k, each in enumerate(self.tree) if each.user}
        self.default = dict(site.default_accounts)

    def of(self, requests: Requests, job: int, jobs: Jobs) -> int:
        """Return the place of a job's association; a user without one counts to the account."""
        user = requests.user[job]
        account = requests.account[job] or self.default.get(user, "")
        place = self.users.get((account, user), self.accounts.get(account, -1))
        if place < 0 and self.enforced:
            raise SiteJobError(
                f"job {jobs.number[job]}: account '{account}' of user '{user}' is not in the files "
                "of sacctmgr"
            )
        return max(place, 0)


class _Fixed:
    """What does not change of priorities: size, partition, QOS, association, TRES, nice."""

    def __init__(
        self, site: Site, names: Sequence[str], numbers: np.ndarray, class_gres: np.ndarray
    ) -> None:
        self.site, self.numbers = site, numbers
        machine = site.machine
        amounts = np.array(
            [[0, kind.cpus, kind.memory or 0, 1] for kind in machine.kinds], dtype=np.int64
        )[machine.kind]
        kind_gres = [[amount(kind, name) for name in names] for kind in machine.kinds]
        self.node_gres = np.array(kind_gres, dtype=np.int64).reshape(
            len(machine.kinds), len(names)
        )[machine.kind]
        self.members = np.zeros((len(machine.partitions), len(machine)), dtype=bool)
        for k, partition in enumerate(machine.partitions):
            self.members[k, list(partition.nodes)] = True
        per_node = np.hstack([amounts, self.node_gres])
        self.totals = self.members.astype(np.int64) @ per_node
        self.place = {"cpu": 1, "mem": MEMORY, "node": NODES}
        self.place |= {f"gres/{name}": FIRST_GRES + k for k, name in enumerate(names)}
        self.billing = np.zeros((len(machine.partitions), FIRST_GRES + len(names)))
        for k, partition in enumerate(machine.partitions):
            for tres, weight in (partition.billing or {"cpu": 1.0}).items():
                if tres.casefold() in self.place:
                    self.billing[k, self.place[tres.casefold()]] = weight
        nodes, cpus, memory, mode = numbers[:, 1], numbers[:, 3], numbers[:, 5], numbers[:, 6]
        of_nodes = np.array([np.where(mode == 2, memory * cpus, memory * nodes)]).T
        whole = np.array([amounts[:, 2].max() if len(amounts) else 0])
        of_nodes[mode == ALL_MEMORY, 0] = (nodes * whole)[mode == ALL_MEMORY]
        self.requested = np.hstack(
            [
                *(np.ones((len(numbers), 1)), cpus[:, None], of_nodes, nodes[:, None]),
                class_gres * nodes[:, None],
            ]
        )

    def of(
        self,
        columns: np.ndarray,
        requests: Requests,
        job: np.ndarray,
        association: np.ndarray,
        limit: np.ndarray,
    ) -> np.ndarray:
        """Return the fixed part of the priority of each pair."""
        weights, machine = self.site.priorities, self.site.machine
        if not weights.multifactor or not len(columns):
            return np.zeros(len(columns))
        kinds, place = columns[:, 0], columns[:, 1]
        asked = self.requested[kinds]
        flags = {flag.upper() for flag in weights.flags}
        raw = "NO_NORMAL_ALL" in flags
        total = weights.jobsize * self._size(asked, limit[job], flags)
        factor = np.array([each.job_factor for each in machine.partitions], dtype=float)
        total += weights.partition * _normal(factor, raw or "NO_NORMAL_PART" in flags)[place]
        names = {qos.name: qos.priority for qos in self.site.qos}
        of_qos = [names.get(name or _default_qos(self.site, 0), 0) for name in requests.qos.names]
        top = max(names.values(), default=0)
        scale = 1 if raw or "NO_NORMAL_QOS" in flags else top
        if scale:
            total += weights.qos * np.array(of_qos, dtype=float)[requests.qos.code[job]] / scale
        levels = np.array([each.priority for each in self.site.associations] or [0], dtype=float)
        total += (
            weights.assoc * _normal(levels, raw or "NO_NORMAL_ASSOC" in flags)[association[job]]
        )
        for tres, weight in weights.tres.items():
            column = self.place.get(tres.casefold())
            if column is None:
                continue
            share = asked[:, column]
            if not (raw or "NO_NORMAL_TRES" in flags):
                most = self.totals[place, column]
                share = np.divide(share, most, out=np.zeros(len(share)), where=most > 0)
            total += weight * share
        return np.asarray(total - requests.nice[job])

    def _size(self, asked: np.ndarray, limit: np.ndarray, flags: set[str]) -> np.ndarray:
        """Return the factor of a job's size (spec of the multifactor priority, 1.2)."""
        machine = self.site.machine
        nodes, cpus = asked[:, NODES], asked[:, 1]
        every, processors = len(machine), machine.processors
        small = self.site.priorities.favor_small
        if "SMALL_RELATIVE_TO_TIME" in flags:
            minutes = np.maximum(limit // MINUTE, 1)
            size = np.maximum(nodes * processors / every, cpus) / minutes / processors
            return np.asarray(1 - size if small else size)
        if small:
            return np.asarray(((every - nodes) / every + (processors - cpus) / processors) / 2)
        return np.asarray(np.clip((nodes / every + cpus / processors) / 2, 0, 1))


def _normal(values: np.ndarray, raw: bool) -> np.ndarray:
    """Return values relative to the largest, unless `raw`."""
    top = values.max() if len(values) else 0
    return values if raw or top <= 0 else values / top


def _after(requests: Requests, jobs: Jobs) -> tuple[np.ndarray, np.ndarray]:
    """Return the jobs that each job waits for; numbers that are no job here have ended before."""
    place = {int(number): k for k, number in enumerate(jobs.number)}
    rows = [
        [place[int(text)] for text in requests.after[job].split(",")
         if text and int(text) in place]
        for job in range(len(jobs))
    ] if any(requests.after.names) else [[] for _ in range(len(jobs))]  # fmt: skip
    return _offsets(rows), np.array([k for row in rows for k in row], dtype=np.int64)


def _leaves(site: Site) -> np.ndarray:
    """Return the leaf switch of each node in the order of the file; empty without a topology."""
    if not site.switches:
        return np.zeros(0, dtype=np.int64)
    leaf = np.full(len(site.machine), len(site.switches), dtype=np.int64)
    for place, nodes in reversed(list(enumerate(site.switches))):
        leaf[list(nodes)] = place
    return leaf


#: what nodes do from a change on: lose their jobs, take no new ones, take jobs
_TAKES = {"down": -1, "drain": 0, "resume": 1}


def _changes(site: Site, requests: Requests, jobs: Jobs) -> dict[str, np.ndarray]:
    """Return the arrays of changes of nodes and of advance reservations."""
    changes = [each for each in site.machine.changes if each.kind in _TAKES]
    reserved = [each for each in site.machine.changes if each.kind == "reservation"]
    place = {each.name: k for k, each in enumerate(reserved)}
    for k, name in enumerate(requests.reservation.names):
        if name and name not in place:
            job = jobs.number[np.argmax(requests.reservation.code == k)]
            raise SiteJobError(f"job {job}: there is no reservation '{name}'")
    number = np.array([place.get(name, -1) for name in requests.reservation.names], dtype=np.int64)
    members = np.zeros((len(changes) + len(reserved), len(site.machine)), dtype=bool)
    for row, each in zip(members, [*changes, *reserved], strict=True):
        row[list(each.nodes)] = True
    times = [(each.time, _TAKES[each.kind]) for each in changes]
    spans = [
        (
            *(each.time if each.known is None else each.known, each.time),
            *(each.end or FOREVER, int("MAINT" in each.flags)),
        )
        for each in reserved
    ]
    return {
        "change_times": np.array(times, dtype=np.int64).reshape(-1, 2),
        "change_nodes": members[: len(changes)],
        "reserved_times": np.array(spans, dtype=np.int64).reshape(-1, 4),
        "reserved_nodes": members[len(changes) :],
        "reservation": number[requests.reservation.code],
    }
