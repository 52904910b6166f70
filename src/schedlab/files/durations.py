"""Durations as users type them: on the command line and in configuration files.

Input is a text, output seconds. Slurm's own files have another grammar, in which a number without
a unit means minutes: `schedlab.traces.slurm.sacct_times`.
"""

import re
from decimal import Decimal

#: the format, in schemas, of keys with a duration with a unit
DURATION = "duration-with-unit"
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
FORMS = "90s, 30m, 24h, 7d, 24:00:00 (HH:MM:SS) or 1-12:00:00 (D-HH:MM:SS)"

# nine digits are enough, and no float overflows
_WITH_UNIT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([smhd])")
_CLOCK = re.compile(r"([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])")
_DAYS = re.compile(r"([0-9]{1,9})-([01]?[0-9]|2[0-3])(?::([0-5][0-9])(?::([0-5][0-9]))?)?")
_NUMBER = re.compile(r"[+-]?[0-9]*\.?[0-9]+")


def read_duration(text: object, what: str, least: float = 0) -> float:
    """Return the seconds of a duration with a unit.

    The text is a number with a unit (``90s``, ``30m``, ``1.5h``, ``7d``), ``HH:MM:SS``, or Slurm's
    ``D-HH``, ``D-HH:MM`` and ``D-HH:MM:SS``. ``MM:SS`` might mean hours and minutes: ValueError.

    >>> [read_duration(text, "--limit") for text in ("90s", "1.5h", "24:00:00", "1-12:00:00")]
    [90.0, 5400.0, 86400.0, 129600.0]
    """
    seconds = _seconds(text) if isinstance(text, str) else None
    if seconds is None:
        raise ValueError(f"{what}: {duration_problem(text)}")
    if seconds < least:
        raise ValueError(f"{what}: {text} is too short, the least is {format_duration(least)}")
    return seconds


def read_seconds(text: object, what: str, least: int = 0) -> int:
    """Return the whole seconds of a duration; parameters and errors as for `read_duration`.

    >>> read_seconds("2-12", "--threshold")
    216000
    """
    seconds = read_duration(text, what, least)
    if seconds != int(seconds):
        raise ValueError(f"{what}: {text} is {seconds:g} s, must be whole seconds")
    return int(seconds)


def optional_seconds(text: object | None, what: str, least: int = 0) -> int | None:
    """Return None for None, and `read_seconds` of any other value."""
    return None if text is None else read_seconds(text, what, least)


def format_duration(seconds: float) -> str:
    """Return the shortest text with one unit that `read_duration` parses as `seconds`.

    >>> [format_duration(each) for each in (0, 90, 5400, 86_400, 172_800, 0.5)]
    ['0s', '90s', '90m', '1d', '2d', '0.5s']
    """
    for unit in ("d", "h", "m"):
        if seconds and seconds % UNITS[unit] == 0:
            return f"{int(seconds // UNITS[unit])}{unit}"
    return f"{int(seconds) if seconds == int(seconds) else seconds}s"


def _seconds(text: str) -> float | None:
    """Return the seconds of a text; None if it is not a duration."""
    if match := _WITH_UNIT.fullmatch(text):
        # with decimals 0.1d is 8640 s, not 8640.000000000002
        return float(Decimal(match[1]) * UNITS[match[2]])
    if match := _CLOCK.fullmatch(text):
        days, parts = 0, match.groups()
    elif match := _DAYS.fullmatch(text):
        days, parts = int(match[1]), match.groups()[1:]
    else:
        return None
    hours, minutes, seconds = (int(part or 0) for part in parts)
    return float(days * 86_400 + hours * 3600 + minutes * 60 + seconds)


def duration_problem(text: object) -> str:
    """Return why a value is not a duration, and how to write durations."""
    return f"{_reason(text)}; write {FORMS}"


def _reason(text: object) -> str:
    if isinstance(text, bool) or not isinstance(text, int | float | str):
        return f"{text} is not a duration"
    if not isinstance(text, str):
        # YAML parses an unquoted 24:00:00 as the number 86400
        return f"{text} is a number without a unit (YAML needs quotes around HH:MM:SS)"
    if _NUMBER.fullmatch(text):
        return f"{text} is a number without a unit"
    if re.fullmatch(r"[0-9]+:[0-9]+", text):
        return f"{text} may be minutes and seconds, or hours and minutes"
    return f"'{text}' is not a duration"
