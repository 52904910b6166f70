"""What happened to a site's nodes, as dated rows of a table that people can edit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.core.machine import Change
from schedlab.files.config_files import ConfigError
from schedlab.files.known_words import nearest
from schedlab.traces.slurm.hostlist import expand

if TYPE_CHECKING:
    from schedlab.core.machine import Machine

NEEDED = ("from", "until", "nodes")
COLUMNS = (*NEEDED, "processors", "effect", "known", "why")
#: nodes take no new jobs; or no job may run across the begin, from ``known`` on
EFFECTS = ("drain", "reservation")
#: name of all nodes
ALL = "all"


@dataclass(frozen=True)
class Clock:
    """Dates of a log's seconds: Unix time of second 0, None if unknown, and the time zone.

    Without an origin, dates are seconds.
    """

    origin: int | None = None
    zone: tzinfo = UTC

    def text(self, second: int) -> str:
        """Return the date of a second.

        >>> Clock(1_736_121_600).text(3600), Clock().text(3600)
        ('2025-01-06T01:00:00+00:00', '3600')
        """
        if self.origin is None:
            return str(second)
        return datetime.fromtimestamp(self.origin + second, self.zone).isoformat()

    def second(self, text: str) -> int:
        """Return the second of a date, or of a number of seconds; ValueError for another text."""
        if text.lstrip("-").isdigit():
            return int(text)
        date = datetime.fromisoformat(text)
        if self.origin is None:
            raise ValueError("the log states no dates: write seconds from its first submission")
        if date.tzinfo is None:
            date = date.replace(tzinfo=self.zone)
        return int(date.timestamp()) - self.origin


def read_rows(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of changes with commas: texts in the columns `COLUMNS`, "" if missing.

    Raises ConfigError if a column is unknown, or one of `NEEDED` is missing.
    """
    rows = pd.read_csv(path, dtype=str, keep_default_na=False, comment="#")
    for column in rows:
        if column not in COLUMNS:
            raise ConfigError(f"{path}: no column '{column}'{nearest(str(column), COLUMNS)}")
    for column in NEEDED:
        if column not in rows:
            raise ConfigError(f"{path}: column {column} is missing")
    return rows.reindex(columns=list(COLUMNS), fill_value="")


def changes_of(
    rows: pd.DataFrame, machine: Machine, clock: Clock, source: str = "changes"
) -> tuple[Change, ...]:
    """Return the changes of a machine that rows describe, in order of time.

    Parameters
    ----------
    rows : pandas.DataFrame
        The columns `COLUMNS`. ``from``, ``until`` and ``known`` are dates, or seconds of the log;
        an empty ``until`` is indefinite. ``nodes`` is a list in Slurm's notation, or ``all``.
        ``effect`` is one of `EFFECTS`, by default ``drain``.
    machine : Machine
        With names of nodes.
    clock : Clock
        The log's.
    source : str
        The file, for messages.

    Raises
    ------
    ConfigError
        A date or effect is not valid, an end is not after its begin, or the machine lacks a node;
        with file, row and column.
    """
    places = {name: place for place, name in enumerate(machine.names)}
    changes: list[Change] = []
    for number, row in enumerate(
        rows.astype(object).fillna("").astype(str).to_dict("records"), start=1
    ):
        where = f"{source}: row {number}"
        begin, end = (_second(row, name, clock, where) for name in ("from", "until"))
        known = _second(row, "known", clock, where)
        if begin is None:
            raise ConfigError(f"{where}: from is empty: write a date like 2025-03-03T07:00")
        if end is not None and end <= begin:
            raise ConfigError(f"{where}: until: {row['until']} is not after from, {row['from']}")
        nodes = _nodes(row["nodes"], places, where)
        effect = row["effect"] or EFFECTS[0]
        if effect not in EFFECTS:
            raise ConfigError(f"{where}: effect: '{effect}' is not one of {', '.join(EFFECTS)}")
        if end is not None and end <= 0:
            continue
        begin = max(begin, 0)
        if effect == "reservation":
            known = max(begin if known is None else min(known, begin), 0)
            name, flags = f"change{number}", frozenset({"MAINT"})
            changes.append(Change(begin, "reservation", nodes, end, known, name, flags=flags))
            continue
        changes.append(Change(begin, "drain", nodes))
        if end is not None:
            changes.append(Change(end, "resume", nodes))
    return tuple(sorted(changes, key=lambda change: change.time))


def with_processors(rows: pd.DataFrame, machine: Machine) -> pd.DataFrame:
    """Return rows in which ``processors`` are those of their nodes."""
    places = {name: place for place, name in enumerate(machine.names)}
    counts = [int(machine.cpus[list(_nodes(text, places, ""))].sum()) for text in rows["nodes"]]
    return rows.assign(processors=counts)


def _second(row: dict[str, str], name: str, clock: Clock, where: str) -> int | None:
    """Return the second of a date in a row; None if it is empty."""
    if not (text := row.get(name, "").strip()):
        return None
    try:
        return clock.second(text)
    except ValueError as error:
        raise ConfigError(f"{where}: {name}: '{text}': {error}") from None


def _nodes(text: str, places: dict[str, int], where: str) -> tuple[int, ...]:
    """Return the places of nodes."""
    if text == ALL:
        return tuple(places.values())
    try:
        names = expand(text)
    except ValueError as error:
        raise ConfigError(f"{where}: nodes: {error}") from None
    if missing := [name for name in names if name not in places]:
        raise ConfigError(
            f"{where}: nodes: the machine has no node '{missing[0]}'"
            f"{nearest(missing[0], list(places))}"
        )
    return tuple(sorted(places[name] for name in names))
