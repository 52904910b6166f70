"""QOS and associations as a sequence of changes makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from schedlab.core.slurm_site import ROOT, Association, Limits, NotModeled, Qos
from schedlab.traces.slurm.conf_text import Setting, SiteFileError
from schedlab.traces.slurm.site_keys import interpret

#: account, user ("" for the account itself) and partition
Place = tuple[str, str, str]
Fields = dict[str, Any]
NORMAL = "normal"
TOP: Place = (ROOT, "", "")


@dataclass
class Accounts:
    """Fields of QOS and associations, with what a new database has."""

    not_modeled: list[NotModeled] = field(default_factory=list)
    qos: dict[str, Fields] = field(default_factory=lambda: {NORMAL: {}})
    associations: dict[Place, Fields] = field(
        default_factory=lambda: {
            TOP: {"association.qos": frozenset({NORMAL})},
            (ROOT, ROOT, ""): {},
        }
    )
    default_accounts: dict[str, str] = field(default_factory=dict)
    usage: dict[tuple[str, str], float] = field(default_factory=dict)

    def set_qos(self, name: str, settings: Iterable[Setting]) -> None:
        """Change a QOS, or add it."""
        values = interpret("qos", settings, self.not_modeled)
        merge(self.qos.setdefault(name, {}), values, frozenset())

    def set_association(self, place: Place, settings: Iterable[Setting]) -> None:
        """Change an association, or add it."""
        values = interpret("association", settings, self.not_modeled)
        default = values.pop("association.default_account", None)
        if place[1] and default:
            self.default_accounts[place[1]] = str(default)
        elif place[1]:
            self.default_accounts.setdefault(place[1], place[0])
        inherited = self._qos_of(place)
        merge(self.associations.setdefault(place, {}), values, inherited)

    def set_usage(self, account: str, user: str, setting: Setting) -> None:
        """Set the usage at the beginning."""
        values = interpret("association", [setting], self.not_modeled)
        self.usage[account, user] = float(str(values.get("association.usage", 0)))

    def parent_of(self, place: Place) -> Place | None:
        """Return the association above another; None for the root."""
        if place == TOP:
            return None
        if place[1]:
            return (place[0], "", "")
        return (self.associations.get(place, {}).get("association.parent", ROOT), "", "")

    def remove(self, places: Iterable[Place]) -> None:
        """Remove associations, and those below them."""
        for place in places:
            self.associations.pop(place, None)
        lost = [each for each in self.associations if self.parent_of(each) not in self._above]
        if lost:
            self.remove(lost)

    def note_parents(self, path: str, accounts: list[str]) -> None:
        """List a table of associations that has no parents of accounts, as not modeled."""
        if len(set(accounts)) > 2 and not any(name.startswith(" ") for name in accounts):
            note = "all accounts are below root; write the table with tree, or with ParentName"
            self.not_modeled.append(NotModeled(path, 1, "ParentName", "", note))

    @property
    def _above(self) -> set[Place | None]:
        """Places that others may be below; None is above the root."""
        return {None, *self.associations}

    def built(self) -> tuple[tuple[Qos, ...], tuple[Association, ...]]:
        """Return the QOS, and the associations with parents before their children.

        Raises `SiteFileError` for an association whose account is not there.
        """
        below: dict[Place | None, list[Place]] = {}
        for place in self.associations:
            below.setdefault(self.parent_of(place), []).append(place)
        numbers: dict[Place, int] = {}
        associations = []
        for place in _walk(below, None):
            numbers[place] = len(numbers)
            fields, limits = _split(self.associations[place], "association")
            above = self.parent_of(place)
            fields["parent"] = -1 if above is None else numbers[above]
            account, user, partition = place
            associations.append(
                Association(account, user, partition=partition, limits=limits, **fields)
            )
        if lost := next((place for place in self.associations if place not in numbers), None):
            above = self.parent_of(lost) or TOP
            raise SiteFileError(
                f"account '{above[0]}' of '{lost[1] or lost[0]}' is not known; add it to the files"
            )
        qos = []
        for name, values in self.qos.items():
            fields, limits = _split(values, "qos")
            qos.append(Qos(name, limits=limits, **fields))
        return tuple(qos), tuple(associations)

    def _qos_of(self, place: Place) -> frozenset[str]:
        """Return the QOS that an association allows, or the nearest above it that has some."""
        above: Place | None = place
        while above and "association.qos" not in self.associations.get(above, {}):
            above = self.parent_of(above)
        return self.associations[above]["association.qos"] if above else frozenset(self.qos)


def _walk(below: Mapping[Place | None, list[Place]], place: Place | None) -> Iterator[Place]:
    """Yield all places below another, depth first."""
    waiting = below.get(place, [])[::-1]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += below.get(each, [])[::-1]


def _split(values: Fields, group: str) -> tuple[Fields, Limits]:
    """Return the fields of a group, and the limits."""
    parts: dict[str, Fields] = {group: {}, "limits": {}}
    for name, value in values.items():
        of, _, attribute = name.partition(".")
        parts[of][attribute] = value
    return parts[group], Limits(**parts["limits"])


def merge(into: Fields, values: Mapping[str, Any], inherited: frozenset[str]) -> None:
    """Change fields: None removes a field, -1 the limit of a TRES, signs change names of a set."""
    for name, value in values.items():
        if value is None:
            into.pop(name, None)
        elif isinstance(value, Mapping):
            both = {**into.get(name, {}), **value}
            into[name] = {tres: amount for tres, amount in both.items() if amount >= 0}
        elif isinstance(value, frozenset):
            into[name] = changed(into.get(name, inherited), value)
        else:
            into[name] = value


def changed(names: frozenset[str], change: frozenset[str]) -> frozenset[str]:
    """Return names after a change: new ones, or some more (``+a``) and fewer (``-a``); -1: none."""
    if change == {"-1"}:
        return frozenset()
    added = {name[1:] for name in change if name[0] == "+"}
    removed = {name[1:] for name in change if name[0] == "-"}
    new = {name for name in change if name[0] not in "+-"}
    return frozenset((new or set(names)) | added) - removed
