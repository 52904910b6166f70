"""Dialect descriptions: a base with changed switches, such as `slurm+bf_interval=300`.

Input is a text ``BASE`` or ``BASE+SWITCH=VALUE+SWITCH=VALUE``, output a `Dialect`. The command
line, configuration files and sheets share this grammar.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, get_args

from schedlab.files.durations import read_duration, read_seconds
from schedlab.files.known_words import nearest
from schedlab.policies import REGISTRY
from schedlab.queue.dialects import DIALECTS, Dialect, Ties
from schedlab.queue.limits import MOST
from schedlab.queue.site_cells import site_of

Reader = Callable[[str], Any]

#: base of texts with the files of a site's own Slurm
SITE = "site"
GRAMMAR = (
    f"One of {', '.join(DIALECTS)}; with switches: slurm+bf_interval=300+bf_max_job_test=100. "
    f"A site's own Slurm: {SITE}+slurm_conf=FILE+accounts=FILE."
)


def dialect_of(cell: str | Dialect) -> Dialect:
    """Return the dialect that a text describes, whose name is the text; or the dialect itself.

    The text is a name of `schedlab.queue.dialects.DIALECTS`, optionally followed by switches, each
    after a ``+``. Switches of ``slurm`` are those fields of `schedlab.core.slurm_site.Scheduling`
    that can matter on equal processors, by Slurm's names.
    Switches of ``full``, ``lifo`` and ``artefact`` are ``window`` (jobs, or ``all``), ``latency``,
    ``ties``, ``ties_of`` (``none`` or ``POLICY:TIES``), ``shadow``, ``extra`` and ``first_alone``
    of `Dialect`. ``ocs`` has ``by_events``. Times are durations with units or seconds without a
    unit; ``bf_window`` without a unit is in minutes, as in slurm.conf. The base ``site`` is a
    site's own Slurm, see `schedlab.queue.site_cells`.

    Raises ValueError if the base, a switch or a value is unknown, or a switch appears twice. The
    message names the text, the problem, and the nearest name.

    Examples
    --------
    >>> dialect_of("artefact+window=16").window
    16
    >>> dialect_of("slurm+bf_interval=5m+bf_max_job_test=100").slurm.scheduling.bf_interval
    300
    """
    if isinstance(cell, Dialect):
        return cell
    name, *parts = (part.strip() for part in cell.split("+"))
    if name == SITE:
        return Dialect(cell, site=site_of(parts, cell))
    if name not in DIALECTS:
        raise ValueError(
            f"unknown dialect '{name}'{nearest(name, [*DIALECTS, SITE])}; one of "
            f"{', '.join(DIALECTS)}, {SITE}"
        )
    base = DIALECTS[name]
    changes: dict[str, Any] = {}
    for part in parts:
        switch, value = _change(f"dialect '{cell}'", part, switches_of(base))
        if switch in changes:
            raise ValueError(f"dialect '{cell}': switch '{switch}' is given twice")
        changes[switch] = value
    if not changes:
        return base
    try:
        if base.slurm:
            scheduling = replace(base.slurm.scheduling, **changes)
            return replace(base, name=cell, slurm=replace(base.slurm, scheduling=scheduling))
        return replace(base, name=cell, **changes)
    except ValueError as error:
        raise ValueError(f"dialect '{cell}': {error}") from error


def switches_of(base: Dialect) -> Mapping[str, Reader]:
    """Return the switches of a dialect that a text may change, with the readers of their values."""
    if base.slurm:
        return _SLURM
    return _ONE_PASS if base.one_pass else _QUEUE


def _change(where: str, part: str, readers: Mapping[str, Reader]) -> tuple[str, Any]:
    """Parse one switch into its name and value."""
    switch, equals, text = (each.strip() for each in part.partition("="))
    if switch not in readers:
        hint = nearest(switch, readers)
        if switch.startswith("reservation") or switch == "bf_job_part_count_reserve":
            hint = "; reservations have an option of their own (none, head, 3 or every)"
        elif readers is _SLURM and switch in _FORMER:
            hint = f": {_FORMER[switch]}"
        raise ValueError(f"{where}: unknown switch '{switch}'{hint}; one of {', '.join(readers)}")
    if not equals or not text:
        raise ValueError(f"{where}: switch '{switch}' has no value; write {switch}=VALUE")
    try:
        return switch, readers[switch](text)
    except ValueError as error:
        raise ValueError(f"{where}: {switch}={text}: {error}") from None


def _bounded(number: int) -> int:
    """Return a number unchanged; fail if it is too large for the kernels."""
    if number > MOST:
        raise ValueError(f"must be at most {MOST}")
    return number


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError("must be a whole number")
    return _bounded(int(text))


def _jobs(text: str) -> int | None:
    return None if text == "all" else _count(text)


def _whole_seconds(text: str) -> int:
    """Parse seconds without a unit, as Slurm's parameters have them, or a duration."""
    if text.isascii() and text.isdigit():
        return _bounded(int(text))
    return _bounded(read_seconds(text, "duration"))


def _minutes(text: str) -> int:
    """Parse minutes without a unit, as Slurm's bf_window has them, or a duration."""
    return _whole_seconds(f"{text}m" if text.isdigit() else text)


def _fraction(text: str) -> float:
    """Parse seconds without a unit, possibly with a fraction, or a duration."""
    return read_duration(text if text[-1:].isalpha() or ":" in text else f"{text}s", "duration")


def _one_of(*known: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"is not one of {', '.join(known)}{nearest(text, known)}")
        return text

    return read


def _truth(text: str) -> bool:
    return _one_of("true", "false")(text) == "true"


def _ties_of(text: str) -> Mapping[str, str]:
    if text == "none":
        return MappingProxyType({})
    policy, _, ties = text.partition(":")
    if policy not in REGISTRY:
        raise ValueError(f"must be none or POLICY:TIES{nearest(policy, REGISTRY)}")
    return MappingProxyType({policy: _one_of(*get_args(Ties))(ties)})


_QUEUE: Mapping[str, Reader] = {
    "window": _jobs,
    "latency": _fraction,
    "ties": _one_of(*get_args(Ties)),
    "ties_of": _ties_of,
    "shadow": _one_of("merged", "first"),
    "extra": _truth,
    "first_alone": _truth,
}
# its kernel has only one order of ties and one kind of shadow
_ONE_PASS: Mapping[str, Reader] = {"by_events": _truth}
_SLURM: Mapping[str, Reader] = {
    "bf_interval": _whole_seconds,
    "bf_window": _minutes,
    "bf_resolution": _whole_seconds,
    "bf_max_job_test": _count,
    "bf_max_job_start": _count,
    "bf_node_space_size": _count,
    "bf_window_linear": _whole_seconds,
    "bf_min_age_reserve": _whole_seconds,
    "default_queue_depth": _count,
    "sched_interval": _whole_seconds,
    "batch_sched_delay": _whole_seconds,
    "defer": _truth,
}
# names of former versions
_SETTINGS = "it is no parameter of Slurm; schedlab.queue.slurm.SlurmSettings has it"
_FORMER: Mapping[str, str] = {
    "interval": "Slurm's name is bf_interval",
    "window": "Slurm's name is bf_window",
    "resolution": "Slurm's name is bf_resolution",
    "max_test": "Slurm's name is bf_max_job_test",
    "close": "ends are grouped as in Slurm, or by bf_window_linear",
    "minutes": "limits are whole minutes, as in Slurm",
    "stopping": _SETTINGS,
    "phase": _SETTINGS,
}
