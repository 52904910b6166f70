"""Changes of a site's nodes: those that are down or drained, and reservations of a dump."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from schedlab.core.machine import Change, Machine
from schedlab.core.slurm_site import NotModeled
from schedlab.traces.slurm.conf_text import Record
from schedlab.traces.slurm.site_keys import interpret
from schedlab.traces.slurm.site_nodes import Left, Nodes, names_of, part_of


def states_of(nodes: Nodes, down: Iterable[Record], machine: Machine, left: Left) -> list[Change]:
    """Return the nodes that are not available from the beginning."""
    states = dict(nodes.states)
    for record in down:
        values = part_of(interpret("downnodes", record.settings.values(), left), "downnodes")
        states |= dict.fromkeys(names_of(record.name), values.get("state", "DOWN"))
    kinds: dict[Literal["drain", "down"], list[int]] = {"down": [], "drain": []}
    for place, name in enumerate(machine.names):
        state = states.get(name, "")
        if "DOWN" in state:
            kinds["down"].append(place)
        elif "DRAIN" in state or "FAIL" in state:
            kinds["drain"].append(place)
    return [Change(0, kind, tuple(places)) for kind, places in kinds.items() if places]


def reservations_of(
    records: Iterable[Record], machine: Machine, origin: int | None, zone: ZoneInfo, left: Left
) -> list[Change]:
    """Return the reservations of dumps, in seconds after `origin` (Unix time)."""
    place = {name: number for number, name in enumerate(machine.names)}
    changes = []
    for record in records:
        values = part_of(interpret("reservation", record.settings.values(), left), "reservation")
        names = names_of(record.settings["nodes"]) if "nodes" in values else []
        places = tuple(sorted(place[name] for name in names if name in place))
        if origin is None or not places:
            note = "without nodes" if origin is not None else "needs the Unix time of second 0"
            left.append(NotModeled(*record.name, note))
            continue
        start, end = (_time(record, key, zone) - origin for key in ("starttime", "endtime"))
        changes.append(
            Change(
                max(0, start),
                "reservation",
                places,
                end,
                known=0,  # a dump does not say since when
                name=record.name.value,
                users=values.get("users", frozenset()),
                accounts=values.get("accounts", frozenset()),
                flags=values.get("flags", frozenset()),
            )
        )
    return [each for each in changes if each.end is None or each.end > 0]


def _time(record: Record, key: str, zone: ZoneInfo) -> int:
    """Return the Unix time of a reservation's begin or end."""
    setting = record.settings.get(key)
    if not setting:
        raise record.name.error(f"has no {key}; write the file with scontrol show reservation")
    try:
        return int(datetime.fromisoformat(setting.value).replace(tzinfo=zone).timestamp())
    except ValueError:
        raise setting.error("must be a time like 2026-11-28T08:00:00") from None
