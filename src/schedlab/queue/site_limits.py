"""Limits of QOS and associations as counters: what a job checks and what it adds to.

Levels are the partition's QOS, the job's QOS and the associations from the user to the root. A
limit of a QOS hides the same limit of later levels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedlab.core.slurm_site import Limits, Site

#: amounts of a job that the kernel counts: jobs, then TRES
JOBS, CPU, MEMORY, NODES = range(4)
#: counter that stays 0, for limits of a single job
OF_JOB = 0


class Check(NamedTuple):
    """A limit: amount of `counter` and of the job together, at most `most`.

    `early`: Slurm looks at it before it chooses nodes.
    """

    counter: int
    amount: int
    most: int
    early: bool


class Group(NamedTuple):
    """What decides a job's limits; `partition_qos`, `qos` and `user` may be ""."""

    partition_qos: str
    qos: str
    association: int
    user: str
    account: str


@dataclass
class Counters:
    """Counters by name, and the checks and additions of groups."""

    site: Site
    gres: Sequence[str]
    place: dict[tuple[str, ...], int] = field(default_factory=lambda: {("job",): OF_JOB})
    #: names of limits that are set and not modeled
    left: set[str] = field(default_factory=set)
    #: whether a limit of a QOS hides the same limit of later levels, as in Slurm
    qos_hides: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.qos = {qos.name: qos for qos in self.site.qos}
        self.enforced = bool(self.site.enforce & {"limits", "safe"})
        amounts = {"cpu": CPU, "mem": MEMORY, "node": NODES}
        self.amounts = amounts | {f"gres/{name}": 4 + k for k, name in enumerate(self.gres)}

    def chain(self, association: int) -> Iterable[int]:
        """Return an association and those above it."""
        while association >= 0:
            yield association
            association = self.site.associations[association].parent

    def checks(self, group: Group) -> list[Check]:
        """Return the limits of jobs of a group, those of early levels first."""
        if not self.enforced:
            return []
        checks: list[Check] = []
        hidden: set[tuple[str, str]] = set()
        for name in self._levels(group):
            limits, new = self.qos[name].limits, set[tuple[str, str]]()
            for key, tres, most, counter in self._of_qos(name, limits, group):
                if (key, tres) not in hidden:
                    new.add((key, tres))
                    checks.append(self._check(counter, tres, most))
            hidden |= new if self.qos_hides else set()
            self._note(limits)
        nearest: set[tuple[str, str]] = set()
        for place in self.chain(group.association):
            limits = self.site.associations[place].limits
            for key, tres, most, counter in self._of_association(place, limits, group):
                if (key, tres) in hidden or (key, tres) in nearest:
                    continue
                if not key.startswith("grp"):
                    nearest.add((key, tres))
                checks.append(self._check(counter, tres, most))
            self._note(limits)
        return checks

    def additions(self, group: Group) -> list[tuple[int, int]]:
        """Return the counters that a running job of a group adds to, with the amount."""
        ways: list[tuple[str, ...]] = [("qos", name) for name in self._levels(group)]
        ways += [("qos", name, "user", group.user) for name in self._levels(group)]
        ways += [("qos", name, "account", group.account) for name in self._levels(group)]
        ways += [("association", str(place)) for place in self.chain(group.association)]
        return [
            (place, self._amount(name[-1]))
            for name, place in self.place.items()
            if name[:-1] in ways
        ]

    def most_wall(self, group: Group) -> int | None:
        """Return the longest time limit of jobs that can start; None if there is none."""
        if not self.enforced:
            return None
        levels = [self.qos[name].limits for name in self._levels(group)]
        levels += [self.site.associations[place].limits for place in self.chain(group.association)]
        return next((level.max_wall for level in levels if level.max_wall is not None), None)

    def _levels(self, group: Group) -> list[str]:
        names = [name for name in (group.partition_qos, group.qos) if name in self.qos]
        if group.qos in self.qos and "OVERPARTQOS" in self.qos[group.qos].flags:
            names.reverse()
        return list(dict.fromkeys(names))

    def _of_qos(
        self, name: str, limits: Limits, group: Group
    ) -> Iterable[tuple[str, str, int, tuple[str, ...]]]:
        """Yield the kind, TRES, value and counter of each limit of a QOS."""
        own, user = ("qos", name), ("qos", name, "user", group.user)
        account = ("qos", name, "account", group.account)
        for key, of_tres, counter in (
            ("grp", limits.grp_tres, own),
            ("user", limits.max_tres_pu, user),
            ("account", limits.max_tres_pa, account),
            ("job", limits.max_tres_pj, ("job",)),
        ):
            for tres, most in of_tres.items():
                yield key, tres, most, counter
        for key, jobs, counter in (
            ("grp", limits.grp_jobs, own),
            ("jobs", limits.max_jobs_pu, user),
            ("account", limits.max_jobs_pa, account),
        ):
            if jobs is not None:
                yield key, "jobs", jobs, counter

    def _of_association(
        self, place: int, limits: Limits, group: Group
    ) -> Iterable[tuple[str, str, int, tuple[str, ...]]]:
        """Yield the same for an association; MaxJobs of an account holds for each of its users."""
        for tres, most in limits.grp_tres.items():
            yield "grp", tres, most, ("association", str(place))
        for tres, most in limits.max_tres_pj.items():
            yield "job", tres, most, ("job",)
        if limits.grp_jobs is not None:
            yield "grp", "jobs", limits.grp_jobs, ("association", str(place))
        if limits.max_jobs is not None:
            yield "jobs", "jobs", limits.max_jobs, ("association", str(group.association))

    def _check(self, counter: tuple[str, ...], tres: str, most: int) -> Check:
        if counter == ("job",):
            return Check(OF_JOB, self._amount(tres), most, tres == "jobs")
        place = self.place.setdefault((*counter, tres), len(self.place))
        return Check(place, self._amount(tres), most, tres == "jobs")

    def _amount(self, tres: str) -> int:
        """Return which amount of a job counts; nothing (of a resource that no node has): -1."""
        return JOBS if tres == "jobs" else self.amounts.get(tres, -1)

    def _note(self, limits: Limits) -> None:
        for name in (
            *("grp_tres_mins", "grp_tres_run_mins", "grp_wall", "max_tres_pn", "max_tres_mins_pj"),
            *("min_tres_pj", "max_jobs_accrue"),
        ):
            if getattr(limits, name):
                self.left.add(name)
