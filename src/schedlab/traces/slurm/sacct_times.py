"""Durations and times in an `sacct` dump, in whole seconds; -1 if unknown.

Local times are ambiguous in the repeated hour in autumn, and do not exist in the skipped hour in
spring. The job's other times resolve ambiguous times if possible.

References
----------
Slurm, sacct(1), fields Elapsed and Timelimit and the variable SLURM_TIME_FORMAT; sbatch(1), --time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pandas as pd

from schedlab.kernels.traces.sacct_scan import LOCAL
from schedlab.traces.slurm.sacct_lines import NO_NUMBER, TIMES, Check, Dump

MINUTE, HOUR, DAY = 60, 3600, 86400
#: local times have a table of offsets by hour, in blocks; times of more blocks have none
BLOCK, MOST_BLOCKS = 4096, 100
#: the block in which the year 9999 ends
LAST_BLOCK = int(np.datetime64("10000-01-01", "h").astype(np.int64)) // BLOCK
#: numbers of Slurm for none and for no limit, of 32 and of 64 bits
NONE = (2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1)
#: values that mean unknown, in lower case
UNKNOWN = frozenset({"", "unknown", "none", "invalid", "n/a"})

_CLOCK = re.compile(r"(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)(?:\.\d+)?", re.ASCII)
_DAYS = re.compile(r"(\d+)-(\d+)(?::(\d+))?", re.ASCII)
_UNIX = re.compile(r"([0-9]{1,12})(?:\.[0-9]+)?")
_DATED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
#: larger numbers are seconds of a local clock plus `LOCAL`, in any year from 1 on
_UNIX_LIMIT = 10**12


def duration(text: str) -> int | None:
    """Return the seconds of ``[[DD-]HH:]MM:SS``, ``DD-HH`` or ``DD-HH:MM``; None for others."""
    if match := _CLOCK.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    elif match := _DAYS.fullmatch(text):
        days, hours, minutes = (int(part or 0) for part in match.groups())
        seconds = 0
    else:
        return None
    return plausible(days * DAY + hours * HOUR + minutes * MINUTE + seconds)


def plausible(number: int) -> int | None:
    """Return a number; -1 for Slurm's numbers for none, None for one that nothing has."""
    if number in NONE:
        return -1
    return number if number < NO_NUMBER else None


def limit(text: str) -> int | None:
    """Return the seconds of a time limit for sbatch: a `duration`, or a number of minutes.

    -1 for one of `NONE`.
    """
    if not (text.isascii() and text.isdigit()):
        return duration(text)
    minutes = plausible(int(text))
    return minutes if minutes in (None, -1) else plausible(minutes * MINUTE)


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of a name; raise ValueError if it is unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"no time zone '{name}'; names are like Europe/Paris, America/New_York or UTC"
        ) from error


def read_each(dump: Dump, field: str, read: Callable[[str], int | None]) -> np.ndarray:
    """Return the meaning of a field's values, int64 by row; -1 for unknown ones."""
    if field not in dump.columns:
        return np.full(len(dump), -1)
    return dump.columns[field].numbers(
        lambda text: -1 if text.casefold() in UNKNOWN else read(text) or 0
    )


def check_each(field: str, read: Callable[[str], int | None], wrong: str, remedy: str) -> Check:
    """Return the check of a field for `read_each`; `read` returns None for an invalid text."""
    return Check(
        field, lambda text: text.casefold() in UNKNOWN or read(text) is not None, wrong, remedy
    )


@dataclass(frozen=True, eq=False)
class Times:
    """The four times of jobs, in seconds of Unix time; -1 if unknown.

    All have an array by row for each of `TIMES`: `taken` are the resolved times, `ambiguous` and
    `nonexistent` mark local times that occur twice in their zone, and that never occur.
    """

    taken: dict[str, np.ndarray]
    ambiguous: dict[str, np.ndarray]
    nonexistent: dict[str, np.ndarray]


def read_times(dump: Dump, elapsed: np.ndarray, zone: ZoneInfo | None) -> Times:
    """Read the times of jobs in any of the dump's formats.

    If a local time occurs twice, a start is chosen that fits the end and the elapsed time, and an
    end that fits the start. Otherwise it is the first one not before the preceding time. A local
    time that does not exist is moved to the end of the gap.
    """
    early, late, gaps = {}, {}, {}
    for field in TIMES:
        early[field], late[field], gaps[field] = _instants(dump, field, zone)
    chosen = {"Submit": early["Submit"]}
    chosen["Eligible"] = _not_before(chosen["Submit"], early["Eligible"], late["Eligible"])
    sure_end = (early["End"] == late["End"]) & (early["End"] >= 0) & (elapsed >= 0)
    before = np.maximum(chosen["Submit"], chosen["Eligible"])
    chosen["Start"] = np.where(
        sure_end,
        _nearest(early["End"] - elapsed, early["Start"], late["Start"]),
        _not_before(before, early["Start"], late["Start"]),
    )
    timed = (chosen["Start"] >= 0) & (elapsed >= 0)
    chosen["End"] = np.where(
        timed,
        _nearest(chosen["Start"] + elapsed, early["End"], late["End"]),
        _not_before(np.maximum(before, chosen["Start"]), early["End"], late["End"]),
    )
    return Times(chosen, {field: early[field] != late[field] for field in TIMES}, gaps)


def _nearest(target: np.ndarray, early: np.ndarray, late: np.ndarray) -> np.ndarray:
    return np.where(np.abs(late - target) < np.abs(early - target), late, early)


def _not_before(bound: np.ndarray, early: np.ndarray, late: np.ndarray) -> np.ndarray:
    return np.where(early < bound, late, early)


def _instants(
    dump: Dump, field: str, zone: ZoneInfo | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first and the last possible instant of each value, and which do not exist."""
    gap = np.zeros(len(dump), dtype=bool)
    if field not in dump.columns:
        unknown = np.full(len(dump), -1)
        return unknown, unknown, gap
    early = dump.columns[field].numbers(lambda text: -1 if (time := _clock(text)) is None else time)
    # Slurm's programs write second 0 of 1970-01-01 for a time that was never set, in the zone of
    # the site, which may be another than the given one
    early[(early == 0) | (np.abs(early - LOCAL) <= DAY)] = -1
    # and its number for none, which is in the year 2106
    early[np.isin(early, NONE) | (np.abs(early - LOCAL - NONE[0]) <= DAY)] = -1
    local = early >= _UNIX_LIMIT
    if not local.any():
        return early, early, gap
    if zone is None:
        raise dump.fault(
            int(np.argmax(local)),
            field,
            "is a local time, and a dump does not say of which zone",
            "give --timezone (Europe/Paris; UTC for what is exported for XDMoD)",
        )
    late = early.copy()
    early[local], late[local], gap[local] = _localized(early[local] - LOCAL, zone)
    return early, late, gap


def _clock(text: str) -> int | None:
    """Return a time as the kernel reads plain ones; -1 if it is unknown, None if it is invalid."""
    if text.casefold() in UNKNOWN:
        return -1
    if unix := _UNIX.fullmatch(text):
        return int(unix[1])
    if not (match := _DATED.fullmatch(text)):
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:  # such as a 31st of February
        return None
    since = np.datetime64(time.replace(tzinfo=None), "s").astype(np.int64)
    if match[1] is None:
        return LOCAL + int(since)
    offset = time.utcoffset()
    assert offset is not None
    return int(since) - int(offset.total_seconds())


#: checks of the four times
CHECKS = tuple(
    Check(
        field,
        lambda text: _clock(text) is not None,
        "is not a time",
        "times are like 2024-01-31T23:59:59, or Unix seconds (SLURM_TIME_FORMAT=%s); unset or set "
        "that variable and export again",
    )
    for field in TIMES
)


def _localized(clock: np.ndarray, zone: ZoneInfo) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first and the last instant of each local time, and which times do not exist."""
    block = clock // (BLOCK * HOUR)
    first, last = int(block.min()), int(block.max())
    if last - first > MOST_BLOCKS or last >= LAST_BLOCK:
        return _localized_each(clock, zone)
    tables = [_offsets(zone, number) for number in range(first, last + 1)]
    offsets, has_one = map(np.concatenate, zip(*tables, strict=True))
    hour = clock // HOUR - first * BLOCK
    early = clock + offsets[hour]
    late, gap = early.copy(), np.zeros(len(clock), dtype=bool)
    others = ~has_one[hour]
    early[others], late[others], gap[others] = _localized_each(clock[others], zone)
    return early, late, gap


@lru_cache(maxsize=1024)
def _offsets(zone: ZoneInfo, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what to add to local times for Unix time, by hour of a block, if it is one offset."""
    hours = (block * BLOCK + np.arange(BLOCK)) * HOUR
    has_one = np.full(BLOCK, True)
    offsets = []
    for second in (0, HOUR - 1):
        early, late, gap = _localized_each(hours + second, zone)
        has_one &= (early == late) & ~gap
        offsets.append(early - hours - second)
    return offsets[0], has_one & (offsets[0] == offsets[1])


def _localized_each(clock: np.ndarray, zone: ZoneInfo) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what `_localized` does, for each time by itself."""
    naive = pd.DatetimeIndex(clock.astype("datetime64[s]"))
    instants = []
    for first in (True, False):
        times = naive.tz_localize(
            zone, ambiguous=np.full(len(naive), first), nonexistent="shift_forward"
        )
        seconds = times.tz_convert("UTC").tz_localize(None).astype("datetime64[s]").astype("int64")
        instants.append(seconds.to_numpy())
    return *instants, np.asarray(times.tz_localize(None) != naive)
