"""Values of a site's Slurm files: what the column `form` of the table of keys names.

Each function returns the meaning of a text, None for no limit, and raises ValueError with what the
text must be like.
"""

import re
from collections.abc import Callable

from schedlab.core.slurm_site import OF_PARENT
from schedlab.traces.slurm.sacct_times import limit

KILO = 1024
#: values without meaning, which dumps write for keys that are not set
UNSET = frozenset({"", "(null)", "n/a"})
#: values that take a limit away
ENDLESS = frozenset({"unlimited", "infinite", "none", "-1", "n/a", "(null)", "notset", ""})
_NUMBER = re.compile(r"(-?\d{1,18})(?: ?(?:sec|min|usec))?", re.ASCII)
_SIZE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)([KMGTP]?)B?", re.ASCII | re.IGNORECASE)
#: powers of a letter in kilobytes; a size without one is in megabytes
_POWERS = {"": 1, "K": 0, "M": 1, "G": 2, "T": 3, "P": 4}
_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def number(text: str) -> int | None:
    """Return a whole number."""
    if text.casefold() in ENDLESS:
        return None
    if not (match := _NUMBER.fullmatch(text)):
        raise ValueError("must be a whole number")
    return int(match[1])


def natural(text: str) -> int | None:
    """Return a whole number, 0 for a negative one."""
    return max(0, number(text) or 0)


def minutes(text: str) -> int | None:
    """Return the seconds of a number of minutes."""
    count = number(text)
    return None if count is None else 60 * count


def microseconds(text: str) -> float:
    """Return the seconds of a number of microseconds."""
    return (number(text) or 0) / 1e6


def decimal(text: str) -> float:
    """Return a number."""
    try:
        return float(text)
    except ValueError:
        raise ValueError("must be a number") from None


def time(text: str) -> int | None:
    """Return the seconds of a time; a plain number is in minutes."""
    if text.casefold() in ENDLESS:
        return None
    seconds = limit(text)
    if seconds is None or seconds < 0:
        raise ValueError("must be a time like 30 (minutes), 1:30:00 or 1-12:00:00, or UNLIMITED")
    return seconds


def seconds(text: str) -> int | None:
    """Return the seconds of a time; a plain number is in seconds."""
    return time(text) if ":" in text else natural(text)


def megabytes(text: str) -> int:
    """Return megabytes; a number without a unit is in megabytes."""
    if not (match := _SIZE.fullmatch(text)):
        raise ValueError("must be a size like 2800 (MB), 16G or UNLIMITED")
    return int(float(match[1]) * KILO ** (_POWERS[match[2].upper()] - 1))


def memory(text: str) -> int | None:
    """Return megabytes, None for 0 too."""
    return None if text.casefold() in ENDLESS else megabytes(text) or None


def yes(text: str) -> bool:
    """Return whether a switch is on."""
    if text.casefold() not in _YES:
        raise ValueError("must be YES or NO")
    return _YES[text.casefold()]


def words(text: str) -> frozenset[str]:
    """Return the names of a list."""
    return frozenset(each for each in re.split(r"[,\s]+", text.strip()) if each)


def words_or_all(text: str) -> frozenset[str] | None:
    """Return the names of a list, None for ALL."""
    return None if text.casefold() == "all" else words(text)


def lower_words(text: str) -> frozenset[str]:
    """Return the names of a list, in lower case."""
    return words(text.casefold())


def upper_words(text: str) -> frozenset[str]:
    """Return the names of a list, in upper case."""
    return words(text.upper())


def enforced(text: str) -> frozenset[str]:
    """Return what AccountingStorageEnforce enforces, with what that implies."""
    names = lower_words(text) - {"none"}
    if "all" in names:
        names |= {"safe", "qos"}
    if "safe" in names:
        names |= {"limits"}
    return names | {"associations"} if names & {"limits", "qos"} else names


def tres(text: str) -> dict[str, int]:
    """Return numbers by TRES, memory in MB; -1 takes a limit away."""
    amounts = {}
    for name, value in _pairs(text):
        if value == "-1":
            amounts[name] = -1
        else:
            amounts[name] = (megabytes if name == "mem" else _count)(value)
    return amounts


def weights(text: str) -> dict[str, float]:
    """Return weights by TRES; ``Mem=0.25G`` is 0.25 for each gigabyte, and here for each MB."""
    amounts = {}
    for name, value in _pairs(text):
        if not (match := _SIZE.fullmatch(value)):
            raise ValueError(f"weight '{value}' must be a number like 0.25 or 0.25G")
        unit = _POWERS[match[2].upper()] - 1 if match[2] else 0
        amounts[name] = float(match[1]) / KILO**unit
    return amounts


def _count(text: str) -> int:
    """Return a number with or without a letter for thousands."""
    match = _SIZE.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' must be a number")
    return int(float(match[1]) * KILO ** (_POWERS[match[2].upper()] + 1 if match[2] else 0))


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of a list like ``cpu=10,gres/gpu:a100=4``."""
    pairs = []
    for each in words(text):
        name, equals, value = each.partition("=")
        if not equals:
            raise ValueError(f"'{each}' must be like cpu=10")
        group, slash, resource = name.partition("/")
        pairs.append((group.casefold() + slash + resource, value))
    return pairs


def shares(text: str) -> int:
    """Return shares of an association, `OF_PARENT` for those of its parent."""
    if text.casefold() in {"parent", str(2**31 - 1)}:
        return OF_PARENT
    return 1 if (count := number(text)) is None else count


def of_one_tres(name: str) -> Callable[[str], dict[str, int]]:
    """Return the form of a limit of one TRES, which older Slurm has keys for."""
    return lambda text: {name: -1 if (count := number(text)) is None else count}


FORMS: dict[str, Callable[[str], object]] = {
    **{"number": number, "natural": natural, "minutes": minutes, "microseconds": microseconds},
    **{"decimal": decimal, "time": time, "seconds": seconds, "memory": memory, "yes": yes},
    **{"words": words, "words or ALL": words_or_all, "lower words": lower_words},
    **{"upper words": upper_words, "enforced": enforced, "TRES": tres, "weights": weights},
    **{"shares": shares, "cpu": of_one_tres("cpu"), "node": of_one_tres("node")},
    **{"text": str, "upper text": str.upper},
    "flag": lambda text: text.casefold() not in {"no", "0", "false"},
    "off": lambda text: 0,
    "multifactor": lambda text: text.casefold().endswith("multifactor"),
    "preemption": lambda text: "" if text.casefold().endswith("none") else text.casefold(),
    "mode": lambda text: "" if text.casefold() == "cluster" else text.upper(),
    "up": lambda text: text.upper() not in {"DOWN", "INACTIVE"},
    "exclusive": lambda text: text.upper() == "EXCLUSIVE",
}
