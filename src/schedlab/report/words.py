"""Texts filled from facts, and parts of sentences: lists, counts, intervals, frequent values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, StrictUndefined

from schedlab.files.stand_ins import is_stand_in, listed, short_name, size_and_log_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pandas as pd


def joined(words: Iterable[str]) -> str:
    """Join words with commas and a final "and".

    >>> joined(["a", "b", "c"]), joined(["a"]), joined([])
    ('a, b and c', 'a', 'none')
    """
    *first, last = list(words) or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def filled(text: str, facts: Mapping[str, Any]) -> str:
    """Return a template of a study's words.yaml, filled from facts.

    It may call `joined` and `number_of`, also as filters, and the filter ``form``, Python's format
    of a number. Raises jinja2.UndefinedError if it names a fact that there is not.

    >>> text = "{{ joined(names) }}: {{ part | form('.0%') }} of {{ count | number_of('job') }}"
    >>> filled(text, {"names": ["a", "b"], "part": 0.5, "count": 2})
    'a and b: 50% of 2 jobs'
    """
    return _TEXTS.from_string(text).render(facts)


def in_lines(text: str) -> str:
    r"""Return a text without empty lines and doubled spaces.

    >>> in_lines("one  line\n \nand another ")
    'one line\nand another'
    """
    lines = (" ".join(filter(None, line.split(" "))) for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def as_list(text: str) -> str:
    """Return lines of text as Markdown: the first line, then the others as a list."""
    first, *lines = text.split("\n")
    return "\n".join([first, "", *(f"- {line}" for line in lines if line)])


def joined_workloads(names: Iterable[str]) -> str:
    """Join names of logs; those of models that replace all of them by their processors.

    >>> joined_workloads(["CTC-SP2", "KTH-SP2"])
    'CTC-SP2 and KTH-SP2'
    >>> names = [f"model, {size} processors (stands in for KTH-SP2)" for size in (338, 100)]
    >>> joined_workloads(names)
    'those of 338 and 100 processors'
    """
    names = list(names)
    if names and all(map(is_stand_in, names)):
        return f"those of {joined(size_and_log_of(name)[0] for name in names)} processors"
    return joined(map(short_name, names))


def listed_workloads(names: Iterable[str]) -> str:
    """Return names of logs in one line; several models that replace logs are named together.

    >>> listed_workloads(["CTC-SP2", "model, 100 processors (stands in for KTH-SP2)"])
    'CTC-SP2; model, 100 processors (stands in for KTH-SP2)'
    >>> models = [f"model, {size} processors (stands in for L{size})" for size in (338, 100)]
    >>> listed_workloads(models)
    'models, 338 and 100 processors (stand in for L338 and L100, in this order)'
    """
    names = list(names)
    models = [size_and_log_of(name) for name in names if is_stand_in(name)]
    if len(models) < 2:
        return listed(names)
    sizes, logs = (joined(column) for column in zip(*models, strict=True))
    together = f"models, {sizes} processors (stand in for {logs}, in this order)"
    return listed([*(name for name in names if not is_stand_in(name)), together])


def number_of(count: int, word: str) -> str:
    """Return a count with its noun, in the plural unless the count is 1.

    >>> number_of(1, "window"), number_of(0, "window")
    ('1 window', '0 windows')
    """
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def between(low: float, high: float, form: str = ".2f") -> str:
    """Return where an interval begins and ends; an empty text if there is none.

    >>> between(0.5, 1), between(-1, 2.25, "+.1f"), between(float("nan"), 1)
    ('0.50 to 1.00', '-1.0 to +2.2', '')
    """
    return f"{low:{form}} to {high:{form}}" if np.isfinite(low) else ""


def most_often(best: pd.Series) -> tuple[str, int]:
    """Return the most frequent values of a column that has any, as `joined`, and their count."""
    counts = best.value_counts(sort=False)
    most = int(counts.max())
    return joined(counts.index[counts == most]), most


def as_sentences(parts: Iterable[str]) -> str:
    """Return each part as a sentence: with a capital letter and a full stop.

    >>> as_sentences(["SAF wins", "the rest is indistinguishable"])
    'SAF wins. The rest is indistinguishable.'
    """
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def shown_name(name: str) -> str:
    """Return the name of a column as pages write it: with spaces, in American spelling.

    >>> shown_name("mean_utilisation")
    'mean utilization'
    """
    return american(name).replace("_", " ")


def american(key: str) -> str:
    """Return a key of a table in American spelling, which some published tables do not have."""
    return key.replace("utilisation", "utilization")


_TEXTS = Environment(undefined=StrictUndefined)
_TEXTS.globals |= {"joined": joined, "number_of": number_of}
_TEXTS.filters |= {"form": format, "joined": joined, "number_of": number_of}
