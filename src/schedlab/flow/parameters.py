"""Parameters of rules that Snakemake stores and prints as a digest instead of in full."""

import functools
import hashlib
from collections.abc import Callable
from typing import Any

#: largest number of characters of a value's text that Snakemake prints in full
LONGEST = 300


class _Digested:
    """Value whose text is its length and a digest; pickling restores the plain value."""

    __slots__ = ()
    plain: type

    def __repr__(self) -> str:
        text = self.plain.__repr__(self)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return f"<{self.plain.__name__} of {len(self)}, digest {digest}>"

    def __reduce_ex__(self, protocol: int) -> tuple:
        return self.plain, (self.plain(self),)


class _Dict(_Digested, dict):
    plain = dict


class _List(_Digested, list):
    plain = list


def with_short_text(value: Any) -> Any:
    """Return a parameter with a short text, for Snakemake's records and reasons.

    A dict whose text is longer than `LONGEST` becomes an equal dict with a digest as its text. Such
    a list becomes a function, because Snakemake copies lists; one with strings may name wildcards.
    """
    if callable(value):
        return _shortening(value)
    short = _shorten(value)
    if isinstance(short, _List) and not any(isinstance(item, str) for item in value):
        return lambda wildcards: short
    return value if isinstance(short, _List) else short


def _shorten(value: Any) -> Any:
    """Return a long dict or list with a short text, and any other value unchanged."""
    for kind in (_Dict, _List):
        if type(value) is kind.plain and len(repr(value)) > LONGEST:
            return kind(value)
    return value


def _shortening(compute: Callable) -> Callable:
    """Wrap a function of wildcards; Snakemake sees the signature of the original function."""

    @functools.wraps(compute)
    def shortened(*arguments, **others):
        return _shorten(compute(*arguments, **others))

    return shortened
