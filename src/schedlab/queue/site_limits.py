"""Limits of QOS and associations as counters: what a job checks and what it adds to.

Levels are the partition's QOS, the job's QOS and the associations from the user to the root. A
limit of a QOS hides the same limit of later levels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from schedlab.core.slurm_site import NotModeled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedlab.core.slurm_site import Limits, Site

#: amounts of a job that the kernel counts: jobs, then TRES
JOBS, CPU, MEMORY, NODES, FIRST_GRES = range(5)
#: counter that stays 0, for limits of a single job
OF_JOB = 0


#: limits that are only listed as not modeled
LISTED = (
    *("grp_tres_mins", "grp_tres_run_mins", "grp_wall", "max_tres_pn", "max_tres_mins_pj"),
    *("min_tres_pj", "max_jobs_accrue"),
    *("grp_submit", "max_submit", "max_submit_pu", "max_submit_pa"),
)


def amount_places(names: Sequence[str]) -> dict[str, int]:
    """Return the place of each TRES, in lower case, among the amounts of a job."""
    gres = {f"gres/{name}".casefold(): FIRST_GRES + k for k, name in enumerate(names)}
    return {"jobs": JOBS, "cpu": CPU, "mem": MEMORY, "node": NODES} | gres


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
    #: number of counters, and place of each by its owner and amount
    count: int = OF_JOB + 1
    place: dict[tuple[str, ...], dict[int, int]] = field(default_factory=dict)
    #: names and values of limits that are set and not modeled
    left: set[tuple[str, str]] = field(default_factory=set)
    #: whether a limit of a QOS hides the same limit of later levels, as in Slurm
    qos_hides: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.qos = {qos.name: qos for qos in self.site.qos}
        self.enforced = bool(self.site.enforce & {"limits", "safe"})
        self.amounts = amount_places(self.gres)
        #: QOS before that of the partition
        self.first = {
            qos.name for qos in self.site.qos if "OVERPARTQOS" in map(str.upper, qos.flags)
        }
        levels = [each.limits for each in self.site.qos]
        for limits in levels + [each.limits for each in self.site.associations]:
            self._note(limits)

    @property
    def not_modeled(self) -> tuple[NotModeled, ...]:
        """Limits that are set and left out."""
        return tuple(NotModeled("accounts", 0, *each, "limit") for each in sorted(self.left))

    def chain(self, association: int) -> Iterable[int]:
        """Return an association and those above it."""
        while association >= 0:
            yield association
            association = self.site.associations[association].parent

    def checks(self, group: Group) -> list[Check]:
        """Return the limits of jobs of a group."""
        if not self.enforced:
            return []
        checks: list[Check] = []
        hidden: set[tuple[str, str]] = set()
        for name in self._levels(group):
            limits, new = self.qos[name].limits, set[tuple[str, str]]()
            for key, tres, most, counter in self._of_qos(name, limits, group):
                if (key, tres) not in hidden:
                    new.add((key, tres))
                    checks += self._check(key, counter, tres, most)
            hidden |= new if self.qos_hides else set()
        for place in self.chain(group.association):
            limits = self.site.associations[place].limits
            for key, tres, most, counter in self._of_association(place, limits, group):
                if (key, tres) not in hidden:
                    if not key.startswith("grp"):
                        hidden.add((key, tres))
                    checks += self._check(key, counter, tres, most)
        return checks

    def additions(self, group: Group) -> list[tuple[int, int]]:
        """Return the counters that a running job of a group adds to, with the amount."""
        owners: list[tuple[str, ...]] = [
            ("association", str(place)) for place in self.chain(group.association)
        ]
        for name in self._levels(group):
            owners += [("qos", name), ("qos", name, "user", group.user)]
            owners += [("qos", name, "account", group.account)]
        return [
            (place, amount)
            for owner in owners
            for amount, place in self.place.get(owner, {}).items()
        ]

    def most_wall(self, group: Group) -> int | None:
        """Return the longest time limit of jobs that can start; None if there is none."""
        if not self.enforced:
            return None
        of_qos = (self.qos[name] for name in self._levels(group))
        above = (self.site.associations[place] for place in self.chain(group.association))
        walls = (each.limits.max_wall for levels in (of_qos, above) for each in levels)
        return next((wall for wall in walls if wall is not None), None)

    def _levels(self, group: Group) -> list[str]:
        names = [name for name in (group.partition_qos, group.qos) if name in self.qos]
        if group.qos in self.first:
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

    def _check(self, key: str, counter: tuple[str, ...], tres: str, most: int) -> Iterable[Check]:
        """Yield a limit as a check, unless no job has the resource."""
        amount = self.amounts.get(tres.casefold())
        if amount is None:
            if not tres.casefold().startswith("gres/"):
                self.left.add((f"{key} limit", f"{tres}={most}"))
            return
        place = OF_JOB
        if counter != ("job",):
            places = self.place.setdefault(counter, {})
            place = places.setdefault(amount, self.count)
            self.count = max(self.count, place + 1)
        yield Check(place, amount, most, amount == JOBS)

    def _note(self, limits: Limits) -> None:
        """Note the limits that are only listed."""
        for name in LISTED if self.enforced else ():
            value = getattr(limits, name)
            if value is not None and value != {}:
                self.left.add((name, str(value)))
