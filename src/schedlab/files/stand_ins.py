"""Names of models that replace logs: a model never has the name of the log that it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from schedlab.files.sheets import AnyRow, LogRow, QueueExperiment

#: what begins the note of a page that shows the jobs of such a model
NOTE = "a demonstration on a model workload, whose jobs are drawn: no log ran. "
_NAME = re.compile(r"model, ([\d,]+) processors \(stands in for ([^()]+)\)")


def name_of_stand_in(processors: int, logs: str) -> str:
    """Return the name of a model workload that replaces a log, or several.

    >>> name_of_stand_in(1024, "CEA-Curie")
    'model, 1,024 processors (stands in for CEA-Curie)'
    """
    return f"model, {processors:,} processors (stands in for {logs})"


def is_stand_in(text: str) -> bool:
    """Return whether a text has the name of a model that replaces a log.

    >>> is_stand_in("model, 100 processors (stands in for KTH-SP2), set 1"), is_stand_in("KTH-SP2")
    (True, False)
    """
    return bool(_NAME.search(text))


def short_name(text: str) -> str:
    """Return a text for a narrow place, whose caption says what a model stands in for.

    >>> short_name("model, 1,024 processors (stands in for CEA-Curie), set 1")
    'model, 1,024 proc., set 1'
    """
    return _NAME.sub(r"model, \1 proc.", text)


def size_and_log_of(name: str) -> tuple[str, str]:
    """Return the processors and the log in the name of a model; ValueError if it has none.

    >>> size_and_log_of("model, 1,024 processors (stands in for CEA-Curie)")
    ('1,024', 'CEA-Curie')
    """
    if not (match := _NAME.search(name)):
        raise ValueError(f"{name!r} is no name of a model that replaces a log")
    return match[1], match[2]


def listed(names: Iterable[str]) -> str:
    """Return names in one line; names of models have commas, so semicolons separate them.

    >>> listed(["KTH-SP2", "CTC-SP2"]), listed(["model, 100 proc.", "CTC-SP2"])
    ('KTH-SP2, CTC-SP2', 'model, 100 proc.; CTC-SP2')
    """
    names = list(names)
    return ("; " if any(", " in name for name in names) else ", ").join(names)


def kind_of(names: Iterable[str], logs: str = "logs") -> str:
    """Return what names are, in the plural: `logs`, model workloads, or both.

    >>> model = name_of_stand_in(100, "KTH-SP2")
    >>> kind_of(["CTC-SP2"]), kind_of([model]), kind_of(["CTC-SP2", model], "traces")
    ('logs', 'model workloads', 'traces and model workloads')
    """
    are_models = {is_stand_in(name) for name in names}
    kinds = [logs] * (False in are_models) + ["model workloads"] * (True in are_models)
    return " and ".join(kinds) or logs


def with_stand_ins(
    rows: Iterable[AnyRow], sheet: Iterable[AnyRow], processors: Mapping[str, int]
) -> list[AnyRow]:
    """Return the rows as they run, with `stand_in` set if a model replaces the log of `sheet`.

    A model that draws the log's own jobs is none. `processors` are those of the models, by name.
    """
    logs = {row.experiment: row.source for row in sheet if isinstance(row, LogRow)}
    return [
        replace(row, stand_in=name_of_stand_in(processors[row.source], logs[row.experiment]))
        if isinstance(row, LogRow) and _is_replaced(row, logs[row.experiment])
        else row
        for row in rows
    ]


def _is_replaced(row: LogRow, log: str) -> bool:
    """Return whether a row runs other jobs than those of the log that its sheet names."""
    return row.source != log and not (isinstance(row, QueueExperiment) and row.drawn)
