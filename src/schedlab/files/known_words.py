"""Check of typed words, with the nearest known one for an unknown one."""

import difflib
from collections.abc import Iterable


def closest(word: object, names: Iterable[object]) -> str | None:
    """Return the known word nearest to `word`, or None if none is near."""
    matches = difflib.get_close_matches(str(word), [str(name) for name in names], n=1, cutoff=0.5)
    return matches[0] if matches else None


def did_you_mean(name: str | None) -> str:
    """Return ``"; did you mean 'x'?"`` for a name, or an empty text for None."""
    return f"; did you mean '{name}'?" if name else ""


def nearest(word: object, names: Iterable[object]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known word nearest to `word`, or an empty text."""
    return did_you_mean(closest(word, names))


def check_known(value: str, choices: Iterable[str], what: str) -> None:
    """Raise ValueError, with the nearest known value and all, if a value is not among them."""
    choices = list(choices)
    if value not in choices:
        hint = nearest(value, choices)
        raise ValueError(f"unknown {what} '{value}'{hint}; one of {', '.join(choices)}")
