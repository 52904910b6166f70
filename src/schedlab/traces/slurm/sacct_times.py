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
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pandas as pd

from schedlab.traces.slurm.sacct_lines import Dump, SacctError

MINUTE, HOUR, DAY = 60, 3600, 86400
#: values that mean unknown, in lower case
UNKNOWN = frozenset({"", "unknown", "none", "invalid", "n/a"})
TIMES = ("Submit", "Eligible", "Start", "End")

_CLOCK = re.compile(r"(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)(?:\.\d+)?")
_DAYS = re.compile(r"(\d+)-(\d+)(?::(\d+))?")
_LOCAL = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"
_OFFSET = r"(?:Z|[+-]\d\d:?\d\d)"


def duration(text: str) -> int | None:
    """Return the seconds of ``[[DD-]HH:]MM:SS``, ``DD-HH`` or ``DD-HH:MM``; None for others.

    Examples
    --------
    >>> duration("1-02:03:04"), duration("02:03"), duration("2-12"), duration("soon")
    (93784, 123, 216000, None)
    """
    if match := _CLOCK.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return days * DAY + hours * HOUR + minutes * MINUTE + seconds
    if match := _DAYS.fullmatch(text):
        days, hours, minutes = (int(part or 0) for part in match.groups())
        return days * DAY + hours * HOUR + minutes * MINUTE
    return None


def limit(text: str) -> int | None:
    """Return the seconds of a time limit for sbatch: a `duration`, or a number of minutes.

    Examples
    --------
    >>> limit("90"), limit("24:00:00")
    (5400, 86400)
    """
    return int(text) * MINUTE if text.isascii() and text.isdigit() else duration(text)


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of a name; raise ValueError if it is unknown."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"no time zone '{name}'; names are like Europe/Paris, America/New_York or UTC"
        ) from error


def read_each(
    dump: Dump,
    field: str,
    read: Callable[[str], int | None],
    wrong: str,
    remedy: str,
    lines: pd.Index,
) -> pd.Series:
    """Return the meaning of a field's values, int64 by line; -1 for unknown ones.

    If the dump lacks the field, all values are unknown. If `read` returns None, the value is
    invalid: raises `SacctError` with `wrong` and with `remedy`, what to do.
    """
    if field not in dump.cells:
        return pd.Series(-1, lines, dtype="int64")
    texts = dump.cells.loc[lines, field]
    values = {
        text: -1 if text.casefold() in UNKNOWN else read(text) for text in texts.unique().tolist()
    }
    if bad := {text for text, value in values.items() if value is None}:
        raise dump.fault(int(texts.index[texts.isin(bad)][0]), field, wrong, remedy)
    return texts.map(values).astype("int64")


@dataclass(frozen=True, eq=False)
class Times:
    """The four times of jobs, in seconds of Unix time; -1 if unknown.

    All tables have the columns `TIMES`, by line: `taken` are the resolved times, `ambiguous` and
    `nonexistent` mark local times that occur twice in their zone, and that never occur.
    """

    taken: pd.DataFrame
    ambiguous: pd.DataFrame
    nonexistent: pd.DataFrame


def read_times(dump: Dump, lines: pd.Index, elapsed: pd.Series, zone: ZoneInfo | None) -> Times:
    """Read the times of jobs in any of the dump's formats.

    Times are Unix seconds (``SLURM_TIME_FORMAT=%s``), local times, or local times with an offset
    from UTC. If a local time occurs twice, a start is chosen that fits the end and the elapsed
    time, and an end that fits the start. Otherwise it is the first one not before the preceding
    time. A local time that does not exist is moved to the end of the gap. `elapsed` are seconds by
    line, -1 if unknown. Raises `SacctError` if a value is not a time, or it is a local one without
    an offset and there is no zone.
    """
    early, late, gaps = {}, {}, {}
    for field in TIMES:
        early[field], late[field], gaps[field] = _instants(dump, field, lines, zone)
    ran = elapsed.loc[lines].to_numpy()
    chosen: dict[str, np.ndarray] = {"Submit": early["Submit"]}
    chosen["Eligible"] = _not_before(chosen["Submit"], early["Eligible"], late["Eligible"])
    sure_end = (early["End"] == late["End"]) & (early["End"] >= 0) & (ran >= 0)
    before = np.maximum(chosen["Submit"], chosen["Eligible"])
    chosen["Start"] = np.where(
        sure_end,
        _nearest(early["End"] - ran, early["Start"], late["Start"]),
        _not_before(before, early["Start"], late["Start"]),
    )
    timed = (chosen["Start"] >= 0) & (ran >= 0)
    chosen["End"] = np.where(
        timed,
        _nearest(chosen["Start"] + ran, early["End"], late["End"]),
        _not_before(np.maximum(before, chosen["Start"]), early["End"], late["End"]),
    )
    twice = {field: early[field] != late[field] for field in TIMES}
    return Times(*(pd.DataFrame(part, index=lines)[list(TIMES)] for part in (chosen, twice, gaps)))


def _nearest(target: np.ndarray, early: np.ndarray, late: np.ndarray) -> np.ndarray:
    return np.where(np.abs(late - target) < np.abs(early - target), late, early)


def _not_before(bound: np.ndarray, early: np.ndarray, late: np.ndarray) -> np.ndarray:
    return np.where(early < bound, late, early)


def _instants(
    dump: Dump, field: str, lines: pd.Index, zone: ZoneInfo | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first and the last possible instant of each value, and which do not exist."""
    early, late = np.full((2, len(lines)), -1, dtype=np.int64)
    gap = np.zeros(len(lines), dtype=bool)
    if field not in dump.cells:
        return early, late, gap
    texts = dump.cells.loc[lines, field].reset_index(drop=True)
    unix = texts.str.fullmatch(r"\d{1,12}").to_numpy(dtype=bool)
    offset = texts.str.fullmatch(_LOCAL + _OFFSET).to_numpy(dtype=bool)
    local = texts.str.fullmatch(_LOCAL).to_numpy(dtype=bool)
    silent = texts.str.casefold().isin(UNKNOWN).to_numpy(dtype=bool)
    if (odd := ~(unix | offset | local | silent)).any():
        raise _no_time(dump, field, lines[odd][0])
    early[unix] = texts[unix].astype("int64")
    try:
        early[offset] = _seconds(
            pd.DatetimeIndex(pd.to_datetime(texts[offset], utc=True, format="ISO8601"))
        )
        naive = pd.DatetimeIndex(pd.to_datetime(texts[local], format="ISO8601"))
    except ValueError:
        raise _no_time(dump, field, _first_impossible(texts, offset | local, lines)) from None
    # Slurm's programs write second 0 of 1970-01-01 for a time that was never set
    early[unix & (early == 0)] = -1
    late[:] = early
    if not local.any():
        return early, late, gap
    if zone is None:
        raise dump.fault(
            int(lines[local][0]),
            field,
            "is a local time, and a dump does not say of which zone",
            "give --timezone (Europe/Paris; UTC for what is exported for XDMoD)",
        )
    for instants, first in ((early, True), (late, False)):
        localized = naive.tz_localize(zone, ambiguous=np.full(len(naive), first), nonexistent=_GAP)
        instants[local] = _seconds(localized)
    gap[local] = localized.tz_localize(None) != naive
    return early, late, gap


_GAP = "shift_forward"


def _seconds(times: pd.DatetimeIndex) -> np.ndarray:
    """Return seconds of Unix time."""
    return times.tz_convert("UTC").tz_localize(None).astype("datetime64[s]").astype("int64")


def _first_impossible(texts: pd.Series, written: np.ndarray, lines: pd.Index) -> int:
    """Return the line of the first impossible date (such as a 31st of February)."""
    times = pd.to_datetime(texts[written], errors="coerce", utc=True, format="ISO8601")
    return lines[written][times.isna().to_numpy()][0]


def _no_time(dump: Dump, field: str, line: int) -> SacctError:
    return dump.fault(
        int(line),
        field,
        "is not a time",
        "times are like 2024-01-31T23:59:59, or Unix seconds (SLURM_TIME_FORMAT=%s); unset or set "
        "that variable and export again",
    )
