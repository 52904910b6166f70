"""Why a job of a present queue waits: what holds it, or which resource is short where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.slurm_site import MINUTE
from schedlab.queue.site_requests import ALL_MEMORY, PER_CPU, PER_NODE
from schedlab.workbench.site_factors import limit_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.kernels.site.site import SiteKernel
    from schedlab.queue.site_problem import SiteProblem
    from schedlab.workbench.site_queue import SiteQueue

PROCESSORS, MEMORY = "processors", "memory"
#: jobs that a sentence names
NAMED = 3


@dataclass(frozen=True, eq=False)
class Room:
    """What nodes have free: processors, MB of memory, generic resources."""

    cpus: np.ndarray
    memory: np.ndarray
    gres: np.ndarray
    whole: SiteProblem

    @classmethod
    def of(cls, queue: SiteQueue, problem: SiteProblem) -> Room:
        """Return what the running jobs of a queue leave."""
        cpus, memory, gres = problem.cpus.copy(), problem.memory.copy(), problem.gres.copy()
        for job, where in queue.where.items():
            kind = problem.pair_class[problem.pair_of[job]]
            asked, mode, exclusive = problem.numbers[kind, [5, 6, 7]].tolist()
            for node, count in where.items():
                cpus[node] -= count
                gres[node] -= problem.gres[node] if exclusive else problem.class_gres[kind]
                taken = {PER_NODE: asked, PER_CPU: asked * count}.get(mode, 0)
                memory[node] -= problem.memory[node] if mode == ALL_MEMORY else taken
        return cls(cpus, memory, gres, problem)

    @classmethod
    def idle(cls, problem: SiteProblem) -> Room:
        """Return what the idle machine has."""
        return cls(problem.cpus, problem.memory, problem.gres, problem)

    def fits(self, kind: int, nodes: np.ndarray) -> bool:
        """Return whether a class of requests fits on some of these nodes (mask)."""
        _, least, most, cpus, per_task, memory, mode, exclusive = self.whole.numbers[kind].tolist()
        offer = np.where(nodes, self.cpus, 0)
        if mode == PER_CPU and memory:
            offer = np.minimum(offer, self.memory // memory)
        elif mode in (PER_NODE, ALL_MEMORY):
            wanted = self.whole.memory if mode == ALL_MEMORY else memory
            offer = np.where(self.memory >= wanted, offer, 0)
        offer = np.where((self.gres >= self.whole.class_gres[kind]).all(axis=1), offer, 0)
        if exclusive:
            offer = np.where(self.cpus == self.whole.cpus, offer, 0)
        offer = np.sort(offer // max(per_task, 1) * max(per_task, 1))[::-1][:most]
        return bool((offer > 0).sum() >= least and offer.sum() >= cpus)

    def short(self, kind: int, nodes: np.ndarray) -> list[str]:
        """Return the resources that alone keep a class of requests from starting."""
        idle = Room.idle(self.whole)
        alone = {
            PROCESSORS: replace(idle, cpus=self.cpus),
            MEMORY: replace(idle, memory=self.memory),
        }
        for k, name in enumerate(self.whole.gres_names):
            gres = idle.gres.copy()
            gres[:, k] = self.gres[:, k]
            if self.whole.class_gres[kind, k] and ":" not in name:
                alone[name] = replace(idle, gres=gres)
        return [name for name, room in alone.items() if not room.fits(kind, nodes)]


def reason_of(
    queue: SiteQueue, problem: SiteProblem, kernel: SiteKernel, job: int, ahead: Mapping[str, str]
) -> str:
    """Return why a waiting job waits, as a sentence; `ahead` are jobs and what puts them there."""
    pairs = range(int(problem.pair_of[job]), int(problem.pair_of[job + 1]))
    if why := dict(problem.never).get(job):
        return f"It never starts: {why}."
    before = problem.after[problem.after_of[job] : problem.after_of[job + 1]].tolist()
    if before:
        names = _list([str(queue.entries["id"][each]) for each in before])
        return f"It waits until {'job' if len(before) == 1 else 'jobs'} {names} end."
    if problem.begin[job] > queue.now:
        moment = queue.source.stamp(int(problem.begin[job]) + queue.origin)
        return f"It does not begin before {moment}."
    limits = [kernel.limit_of(pair) for pair in pairs]
    if all(place >= 0 for place, _ in limits):
        place, used = limits[0]
        return f"It has reached {limit_words(problem, place)}: {used:,} are in use."
    free = [pair for pair, (place, _) in zip(pairs, limits, strict=True) if place < 0]
    short = _of_nodes(queue, problem, free[0], int(problem.limit[job]), job)
    if not ahead:
        return f"It is first in its queue. {short}"
    first = next(iter(ahead.items()))
    others = f" and {len(ahead) - 1:,} more" if len(ahead) > 1 else ""
    verb = "are" if others else "is"
    return f"Job {first[0]} (by {first[1]}){others} {verb} ahead of it. {short}"


def _of_nodes(queue: SiteQueue, problem: SiteProblem, pair: int, limit: int, job: int) -> str:
    """Return what the nodes of a pair lack."""
    kind, partition = int(problem.pair_class[pair]), int(problem.pair_partition[pair])
    name = problem.site.machine.partitions[partition].name
    able = problem.static[problem.class_static[kind]] & problem.members[partition]
    up, barred, why = _open(queue, problem, limit, job)
    idle, room = Room.idle(problem), Room.of(queue, problem)
    if not idle.fits(kind, able):
        return f"No nodes of partition {name} have what it asks for."
    if not idle.fits(kind, able & up):
        return f"Too few of its nodes in partition {name} are up: others are drained or down."
    if not room.fits(kind, able & up):
        asked = problem.numbers[kind]
        short = room.short(kind, able & up)
        if not short:
            return f"What it asks for is free in partition {name}, but not on the same nodes."
        have = int(room.cpus[able & up].sum())
        whole = int(problem.cpus[able & up].sum())
        spread = " on different nodes" if have >= asked[3] else ""
        amount = f" ({have:,} of {whole:,} are free{spread}, it asks for {asked[3]:,})"
        return (
            f"Partition {name} is short of {_list(short)}"
            f"{amount if short == [PROCESSORS] else ''} for it."
        )
    if not room.fits(kind, able & up & ~barred):
        return (
            f"Reservation {why} needs its nodes before its limit of {limit // MINUTE:,} min ends."
        )
    return f"Partition {name} has free nodes for it, which are kept for jobs ahead or for a pass."


def _open(
    queue: SiteQueue, problem: SiteProblem, limit: int, job: int
) -> tuple[np.ndarray, np.ndarray, str]:
    """Return the nodes that are up, those that reservations bar in so many seconds, and one."""
    up = problem.up.astype(bool)
    for (time, takes), nodes in zip(problem.change_times, problem.change_nodes, strict=True):
        if time <= queue.now:
            up = np.where(nodes, takes > 0, up)
    barred, name = np.zeros(len(up), dtype=bool), ""
    of_machine = [each for each in problem.site.machine.changes if each.kind == "reservation"]
    for k, (_, begin, end, _) in enumerate(problem.reserved_times.tolist()):
        if k != problem.reservation[job] and begin < queue.now + limit and end > queue.now:
            barred |= problem.reserved_nodes[k]
            name = name or of_machine[k].name
    return up, barred, name


def _list(words: list[str]) -> str:
    """Return words as a list in a sentence."""
    if len(words) > NAMED:
        return f"{', '.join(words[:NAMED])} and {len(words) - NAMED} more"
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
