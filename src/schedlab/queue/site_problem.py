"""A site's Slurm and its jobs as the arrays that the kernel and its twin take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from schedlab.core.machine import Partition
from schedlab.core.slurm_site import ROOT, Association, NotModeled, Site
from schedlab.queue.site_limits import Counters, Group
from schedlab.queue.site_preemption import preemption_of
from schedlab.queue.site_priority import (
    billing_of,
    fixed_points,
    members_of,
    node_gres,
    requested,
)
from schedlab.queue.site_requests import Asked, asked_of, class_arrays, gres_names, time_limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from schedlab.core.jobs import Jobs
    from schedlab.core.machine import Machine
    from schedlab.core.requests import Requests, Texts

FOREVER = 2**62
#: memory in MB of nodes whose memory is not counted
PLENTY = 2**40
#: what nodes do from a change on: lose their jobs, take no new ones, take jobs
_TAKES = {"down": -1, "drain": 0, "resume": 1}
#: what decides the class of a job in a partition, with its processors and texts
_NUMBERS = ("nodes", "most_nodes", "tasks", "cpus_per_task", "memory", "per_cpu", "exclusive")
#: what decides its partitions, association and limits
_OWNERS = ("partition", "qos", "account", "user")


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
    numbers, class_gres, static, class_static :
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
    counted : dict of int to tuple of str
        Owner of each counter, see `schedlab.queue.site_limits`.
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
    qos : ndarray of object, shape (n,)
        Name of each job's QOS, its association's default if it names none.
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
    class_static: np.ndarray
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
    counted: Mapping[int, tuple[str, ...]]
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
    qos: np.ndarray
    gres_names: tuple[str, ...]
    site: Site
    never: tuple[Never, ...] = ()
    not_modeled: tuple[NotModeled, ...] = ()


def complete(site: Site) -> Site:
    """Return a site with at least one partition, of all nodes, and with the root of accounts."""
    machine = site.machine
    if not machine.partitions:
        everything = Partition("all", tuple(range(len(machine))), default=True)
        machine = replace(machine, partitions=(everything,))
    return replace(site, machine=machine, associations=site.associations or (Association(ROOT),))


def problem_of(
    site: Site, jobs: Jobs, requests: Requests, points: np.ndarray | None = None, stopping: int = 1
) -> SiteProblem:
    """Return the arrays of a simulation of jobs on a site.

    `points` are added to each job's priority. A job keeps its nodes for `stopping` seconds beyond
    its run time. A job that asks for a partition, QOS, account or resource that the site does not
    have never starts: it is in `SiteProblem.never`. Raises `SiteJobError`, with the job's number,
    if it asks for an advance reservation that there is not.
    """
    site = complete(site)
    machine, tree = site.machine, site.associations
    names = gres_names(site, used(requests.gres))
    limit = time_limits(jobs.estimate)
    columns = (getattr(requests, name) for name in _NUMBERS)
    request = _kinds(jobs.procs, *columns, requests.gres.code, requests.features.code)
    owner = _kinds(*(getattr(requests, name).code for name in _OWNERS))
    # jobs of a kind have the same pairs
    kind = _kinds(request, owner, limit)
    maker, made = _Pairs(site, names, jobs, requests), []
    for job in np.unique(kind, return_index=True)[1].tolist():
        try:
            made.append(maker.pairs(job, int(limit[job]), int(request[job]), int(owner[job])))
        except ValueError as problem:
            made.append(str(problem))
    rows = [[] if isinstance(each, str) else each for each in made]
    pair_of, places = _expanded(rows, kind)
    pairs = _column([pair for each in rows for pair in each]).reshape(-1, 3)[places]
    association = _column([each.association for each in maker.owners.values()])[owner]
    qos = np.array([each.qos for each in maker.owners.values()], dtype=object)[owner]
    pair_job = np.repeat(np.arange(len(jobs)), np.diff(pair_of))
    numbers, class_gres, static, class_static = class_arrays(list(maker.classes), machine, names)
    groups, counters = list(maker.groups), maker.counters
    of_groups = np.array([group.qos for group in groups], dtype=object)
    asked = requested(site, numbers, class_gres)[pairs[:, 0]]
    sums = fixed_points(
        *(site, names, asked, pairs[:, 1], of_groups[pairs[:, 2]]),
        *(association[pair_job], limit[pair_job]),
    )
    if site.priorities.multifactor:
        sums = sums - requests.nice[pair_job]
    if points is not None:
        sums = sums + points[pair_job]
    checks = [counters.checks(group) for group in groups]
    additions = [counters.additions(group) for group in groups]
    after_of, after = _after(requests.after, jobs)
    return SiteProblem(
        cpus=machine.cpus,
        memory=_of_kinds(machine, "memory", PLENTY),
        weight=_of_kinds(machine, "weight"),
        up=np.ones(len(machine), dtype=np.int64),
        leaf=_leaves(site),
        gres=node_gres(machine, names),
        numbers=numbers,
        class_gres=class_gres,
        static=static,
        class_static=class_static,
        members=members_of(machine),
        tier=_column([each.tier for each in machine.partitions]),
        billing=billing_of(machine, names),
        pair_of=pair_of,
        pair_class=pairs[:, 0].copy(),
        pair_partition=pairs[:, 1].copy(),
        pair_group=pairs[:, 2].copy(),
        points=sums,
        submit=jobs.submit,
        begin=np.maximum(requests.begin, jobs.submit),
        holds=jobs.runtime + stopping,
        limit=limit,
        user=_column(pd.factorize(np.array(requests.user.names, dtype=object))[0])[
            requests.user.code
        ],
        association=association,
        # places in place of numbers: the kernel has a counter for each
        array=np.unique(np.append(requests.array, -1), return_inverse=True)[1][:-1] - 1,
        after_of=after_of,
        after=after,
        check_of=_offsets(checks),
        checks=_column([row for part in checks for row in part]).reshape(-1, 4),
        addition_of=_offsets(additions),
        additions=_column([row for part in additions for row in part]).reshape(-1, 2),
        counters=counters.count,
        counted={k: owner for owner, of in counters.place.items() for k in of.values()},
        **_changes(site, requests, jobs),
        **preemption_of(site, pairs, groups),
        parent=_column([each.parent for each in tree]),
        shares=_column([each.shares for each in tree]),
        is_user=_column([bool(each.user) for each in tree]),
        usage=np.array([site.usage.get((each.account, each.user), 0.0) for each in tree]),
        qos=qos,
        gres_names=names,
        site=site,
        never=tuple(
            Never(job, made[kind[job]]) for job in np.flatnonzero(np.diff(pair_of) == 0).tolist()
        ),
        not_modeled=site.not_modeled + counters.not_modeled,
    )


def used(texts: Texts) -> list[str]:
    """Return the texts that jobs have; a part of a log keeps the names of the whole."""
    return [texts.names[code] for code in np.unique(texts.code).tolist()]


def _column(values: object) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def _of_kinds(machine: Machine, name: str, default: int = 0) -> np.ndarray:
    """Return a number of each node's kind."""
    return _column([getattr(kind, name) or default for kind in machine.kinds])[machine.kind]


def _offsets(rows: Sequence[Sequence[object]]) -> np.ndarray:
    """Return where each row begins if rows are joined, and where the last ends."""
    return np.cumsum([0, *(len(part) for part in rows)], dtype=np.int64)


def _kinds(*columns: np.ndarray) -> np.ndarray:
    """Return the number of each job's kind, those alike in all columns, by their first jobs."""
    frame = pd.DataFrame(dict(enumerate(columns)))
    return _column(frame.groupby(list(frame), sort=False).ngroup())


def _expanded(rows: Sequence[Sequence[object]], kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return offsets of jobs by rows of their kinds, and places in the joined rows of kinds."""
    of_kind = _offsets(rows)
    counts = np.diff(of_kind)[kind]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return offsets, np.repeat(of_kind[kind] - offsets[:-1], counts) + np.arange(offsets[-1])


class _Owner(NamedTuple):
    """Association and QOS of a job; name, place, group of limits and MaxWall of its partitions.

    `why`: what the site does not have.
    """

    association: int
    qos: str
    partitions: list[tuple[str, int, Group, int | None]]
    why: str = ""


class _Pairs:
    """Makes pairs of jobs and partitions, with their classes of requests and groups of limits."""

    def __init__(self, site: Site, names: Sequence[str], jobs: Jobs, requests: Requests) -> None:
        self.site, self.names, self.jobs, self.requests = site, names, jobs, requests
        self.counters = Counters(site, names)
        self.classes: dict[Asked, int] = {}
        self.groups: dict[Group, int] = {}
        #: by kinds of requests with a partition, and by kinds of owners in their order
        self.asked: dict[tuple[int, int], Asked] = {}
        self.owners: dict[int, _Owner] = {}
        parts = site.machine.partitions
        self.partitions = {each.name: k for k, each in enumerate(parts)}
        self.default = next((each.name for each in parts if each.default), parts[0].name)
        self.tree = {
            (each.account, each.user, each.partition): k for k, each in enumerate(site.associations)
        }
        self.enforced = "associations" in site.enforce and len(self.tree) > 1

    def pairs(
        self, job: int, limit: int, request: int, owner: int
    ) -> list[tuple[int, int, int]] | str:
        """Return class, partition and group of limits of each partition of a job.

        A partition that can never run the job has no pair: in Slurm it would wait there.
        If there is none, return why.
        """
        if owner not in self.owners:
            try:
                self.owners[owner] = self.owner(job)
            except ValueError as problem:
                self.owners[owner] = _Owner(0, self.requests.qos[job], [], str(problem))
        made, why = [], self.owners[owner].why
        for name, place, group, wall in self.owners[owner].partitions:
            if (request, place) not in self.asked:
                procs = int(self.jobs.procs[job])
                self.asked[request, place] = asked_of(
                    self.requests, job, procs, place, self.site, self.names
                )
            asked, most = self.asked[request, place], self.site.machine.partitions[place].max_time
            if not self.site.machine.partitions[place].up:
                why = f"partition {name} is down"
            elif most is not None and limit > most:
                why = f"its limit of {limit} s exceeds MaxTime of partition {name}"
            elif wall is not None and limit > wall:
                why = f"its limit of {limit} s exceeds MaxWall of its QOS or association"
            elif asked.nodes > asked.most_nodes:
                why = f"its {asked.nodes} nodes exceed MaxNodes of partition {name}"
            else:
                kind = self.classes.setdefault(asked, len(self.classes))
                made.append((kind, place, self.groups.setdefault(group, len(self.groups))))
        return made or why

    def owner(self, job: int) -> _Owner:
        """Return association and partitions of a job; one without a user's is the account's."""
        user = self.requests.user[job]
        account = self.requests.account[job] or self.site.default_accounts.get(user, "")
        names = [name for name in self.requests.partition[job].split(",") if name]
        names = names or [self.default]
        keys = ((account, user, names[0]), (account, user, ""), (account, "", ""))
        association = next((self.tree[key] for key in keys if key in self.tree), -1)
        if association < 0 and self.enforced:
            raise ValueError(
                f"account '{account}' of user '{user}' is not in the files of sacctmgr"
            )
        association = max(association, 0)
        qos = self.requests.qos[job] or self._default_qos(association)
        if qos and self.site.qos and qos not in self.counters.qos:
            raise ValueError(f"QOS '{qos}' is not in the files of sacctmgr")
        if unknown := [name for name in names if name not in self.partitions]:
            raise ValueError(f"partition '{unknown[0]}' is not in slurm.conf")
        partitions = []
        for place in (self.partitions[name] for name in names):
            rules = self.site.machine.partitions[place]
            group = Group(rules.qos, qos, association, user, account)
            partitions.append((rules.name, place, group, self.counters.most_wall(group)))
        return _Owner(association, qos, partitions)

    def _default_qos(self, association: int) -> str:
        """Return the QOS of a job that names none: of its association, or above it, or normal."""
        for place in self.counters.chain(association):
            if self.site.associations[place].default_qos:
                return self.site.associations[place].default_qos
        return "normal" if "normal" in self.counters.qos else ""


def _after(texts: Texts, jobs: Jobs) -> tuple[np.ndarray, np.ndarray]:
    """Return the jobs that each job waits for; numbers that are no job here have ended before."""
    asked = {number for text in texts.names for number in text.split(",") if number}
    # most logs have no dependencies, and a year of one has a million numbers
    numbers = enumerate(map(str, jobs.number.tolist())) if asked else ()
    place = {number: k for k, number in numbers if number in asked}
    rows = [
        [place[number] for number in text.split(",") if number in place] for text in texts.names
    ]
    offsets, places = _expanded(rows, texts.code)
    return offsets, _column([k for row in rows for k in row])[places]


def _leaves(site: Site) -> np.ndarray:
    """Return the leaf switch of each node in the order of the file; empty without a topology."""
    if not site.switches:
        return np.zeros(0, dtype=np.int64)
    leaf = np.full(len(site.machine), len(site.switches), dtype=np.int64)
    for place, nodes in reversed(list(enumerate(site.switches))):
        leaf[list(nodes)] = place
    return leaf


def _changes(site: Site, requests: Requests, jobs: Jobs) -> dict[str, np.ndarray]:
    """Return the arrays of changes of nodes and of advance reservations."""
    changes = [each for each in site.machine.changes if each.kind in _TAKES]
    reserved = [each for each in site.machine.changes if each.kind == "reservation"]
    members = np.zeros((len(changes) + len(reserved), len(site.machine)), dtype=bool)
    for row, each in zip(members, [*changes, *reserved], strict=True):
        row[list(each.nodes)] = True
    times = [(each.time, _TAKES[each.kind]) for each in changes]
    spans = [
        (
            *(each.time if each.known is None else each.known, each.time),
            *(FOREVER if each.end is None else each.end, int("MAINT" in each.flags)),
        )
        for each in reserved
    ]
    return {
        "change_times": _column(times).reshape(-1, 2),
        "change_nodes": members[: len(changes)],
        "reserved_times": _column(spans).reshape(-1, 4),
        "reserved_nodes": members[len(changes) :],
        "reservation": _reservation(spans, [each.name for each in reserved], requests, jobs),
    }


def _reservation(
    spans: Sequence[tuple[int, ...]], names: Sequence[str], requests: Requests, jobs: Jobs
) -> np.ndarray:
    """Return the advance reservation of each job; of several of a name the first to end later."""
    texts, chosen = requests.reservation, np.full(len(jobs), -1, dtype=np.int64)
    for name in filter(None, used(texts)):
        mine = np.flatnonzero(np.array([each == name for each in texts.names])[texts.code])
        places = sorted((k for k, each in enumerate(names) if each == name),
                        key=lambda k: spans[k][2])  # fmt: skip
        if not places:
            raise SiteJobError(f"job {jobs.number[mine[0]]}: there is no reservation '{name}'")
        later = np.searchsorted([spans[k][2] for k in places], jobs.submit[mine], side="right")
        chosen[mine] = np.array(places)[np.minimum(later, len(places) - 1)]
    return chosen
