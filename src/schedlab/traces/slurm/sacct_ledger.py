"""Ledger of an import: the fate of every line of an `sacct` dump, part by part of the dump.

It has the columns of the cleaning ledger (`schedlab.traces.cleaning`) and two more: the number of
the line and its fate.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from schedlab.files.io import whole
from schedlab.files.threads import in_turn
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.traces.parts import narrow

IMPORTED, CHANGED, DROPPED = "imported", "changed", "dropped"
#: before and after are texts here: from the dump, or whole numbers
DTYPES = LEDGER_DTYPES | {"before": "str", "after": "str", "line": "int64", "fate": "str"}


@dataclass(frozen=True)
class ImportRule:
    """Rule by which a line is dropped, or a field differs from the dump.

    If it `drops` lines, `loses` states whether their data are lost; data that are also on another
    line are not. Other rules change fields of jobs.
    """

    name: str
    description: str
    drops: bool = False
    loses: bool = False


RULES = {
    rule.name: rule
    for rule in (
        ImportRule("name_break", "the rest of a job name that holds a line break", drops=True),
        ImportRule("record_other", "no end of a job, which has a record of its own", drops=True),
        ImportRule("names_repeated", "repeats the line of names", drops=True),
        ImportRule(
            "line_unreadable", "a value, or the number of values, is impossible", True, True
        ),
        ImportRule("step", "a step of a job that has its own line", drops=True),
        ImportRule("line_repeated", "says what an earlier line says", drops=True),
        ImportRule(
            "job_repeated", "another line of a job (id and submit time); its last one counts", True
        ),
        ImportRule("het_component", "counted in the first component of its job", drops=True),
        ImportRule("not_ended", "still waits or runs, or its end is unknown", True, True),
        ImportRule("requeued", "a run that was broken off, and its job put back", True, True),
        ImportRule("run_again", "broken off by the system; its job has a later line", True, True),
        ImportRule("resized", "the part of a job before its size was changed", True, True),
        ImportRule("revoked", "ran on another cluster of a federation", True, True),
        ImportRule("array_unstarted", "tasks of an array, none of which started", True, True),
        ImportRule("submit_unknown", "its submit time is unknown", True, True),
        ImportRule("time_ambiguous", "a local time that comes twice"),
        ImportRule("time_nonexistent", "a local time that never comes, moved to the gap's end"),
        ImportRule("eligible", "comes when it may start, not when it was submitted"),
        ImportRule("eligible_late", "started before it was eligible; comes when submitted"),
        ImportRule("start_early", "started before it was submitted; comes when started"),
        ImportRule("job_whole", "start and run time are of all lines of the job"),
        ImportRule("het_whole", "processors, limit and run time are of all components"),
        ImportRule("procs_requested", "ran, its processors are not recorded: as many as requested"),
        ImportRule("procs_unknown", "ran, and neither its processors nor requested ones are known"),
        ImportRule("start_derived", "ran, and its start is unknown: its end minus its run time"),
        ImportRule("runtime_between", "run time not recorded: the time between start and end"),
        ImportRule("runtime_negative", "a run time below 0: the time between start and end"),
        ImportRule("runtime_unknown", "run time not recorded, nor are start and end"),
        ImportRule("limit_partition", "no limit of its own: that of its partition"),
        ImportRule("limit_default", "no limit of its own, none of its partition: the default"),
        ImportRule("limit_unknown", "no time limit"),
        ImportRule("state_unknown", "a state that is not known: status -1"),
        ImportRule("number_given", "its id is no number, or another job's: a number of its own"),
        ImportRule("request_impossible", "a request that no job can have: unknown"),
        ImportRule("nodes_unreadable", "a list of nodes that has no meaning: unknown"),
    )
}


_NAMES = tuple(RULES)
_DROPS = np.array([rule.drops for rule in RULES.values()])
WRITERS = 2  # threads that write
#: signs of a text that CSV puts into quotation marks
_QUOTED = re.compile(r'[,"\r\n]')


def among(lines: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Return which lines are among some others; both are in order."""
    return np.append(some, -1)[np.searchsorted(some, lines)] == lines


@dataclass(frozen=True, eq=False)
class Page:
    """Application of a rule to lines, which are in order; `field` is the one that it checks.

    `before` and `after` are its old and new values by line, texts or whole numbers; `after` is None
    if the rule drops the lines.
    """

    rule: str
    field: str
    lines: np.ndarray
    before: pa.Array
    after: pa.Array | None


@dataclass(eq=False)
class Book:
    """Record of actions on lines during reading."""

    pages: list[Page] = field(default_factory=list)

    def write(
        self,
        rule: str,
        name: str,
        lines: np.ndarray,
        before: np.ndarray,
        after: np.ndarray | None = None,
    ) -> None:
        """Record that a rule of `RULES` drops lines, or changes a field of them; see `Page`."""
        if len(lines):
            new = None if after is None else pa.array(after)
            self.pages.append(Page(rule, name, narrow(lines), pa.array(before), new))

    def actions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what rules do: line, place of the rule in `RULES`, place among all of the pages.

        A dropped line has one action, the first rule in `RULES` that drops it.
        """
        sizes = [len(page.lines) for page in self.pages]
        lines = np.concatenate([np.empty(0, dtype=np.int64), *(page.lines for page in self.pages)])
        codes = np.repeat([_NAMES.index(page.rule) for page in self.pages], sizes).astype(int)
        pages = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((np.where(_DROPS[codes], codes, len(RULES) + pages), lines))
        lines, codes = lines[order], codes[order]
        is_first = np.diff(lines, prepend=-1) > 0
        first = np.maximum.accumulate(np.where(is_first, np.arange(len(lines)), 0))
        counts = is_first | ~_DROPS[codes[first]]
        return lines[counts], codes[counts], order[counts]

    def dropped(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the lines that have been dropped so far, in order, and their rules' places."""
        lines, codes, _ = self.actions()
        drops = _DROPS[codes]
        return lines[drops], codes[drops]

    def between(self, first: int, last: int) -> "Book":
        """Return the actions on lines from `first` to `last`."""
        part = Book()
        for page in self.pages:
            begin, end = np.searchsorted(page.lines, (first, last + 1))
            after = None if page.after is None else page.after[begin:end]
            part.write(page.rule, page.field, page.lines[begin:end], page.before[begin:end], after)
        return part


@dataclass(frozen=True, eq=False)
class LedgerPart:
    """What became of the lines of a part of the dump."""

    lines: np.ndarray
    job_lines: np.ndarray
    numbers: np.ndarray
    book: Book

    def table(self, log: str) -> pa.Table:
        """Return the rows of the ledger: the columns `DTYPES`, by line."""
        lines, codes, places = self.book.actions()
        pages = self.book.pages
        unchanged = self.lines[~among(self.lines, lines)]
        fates = np.concatenate([np.where(_DROPS[codes], 2, 1), np.zeros(len(unchanged), dtype=int)])
        order = np.argsort(np.concatenate([lines, unchanged]), kind="stable")
        of_page = np.repeat(np.arange(len(pages)), [len(page.lines) for page in pages])[places]
        empty = pa.repeat("", len(unchanged))

        def texts(values: list[pa.Array | None]) -> pa.Array:
            found = [pa.array([], pa.string())]
            for page, column in zip(pages, values, strict=True):
                nothing = pa.nulls(len(page.lines), pa.string())
                found.append(nothing if column is None else column.cast(pa.string()))
            return pa.concat_arrays([pa.concat_arrays(found).take(pa.array(places)), empty])

        def words(choices: list[str], which: np.ndarray) -> pa.Array:
            named = pa.array([*choices, ""], pa.string()).take(pa.array(which))
            return pa.concat_arrays([named, empty])

        every = np.concatenate([lines, unchanged])[order]
        found = np.searchsorted(self.job_lines, every)
        columns = {
            "log": pa.repeat(log, len(every)),
            "rule": words(list(_NAMES), codes).take(pa.array(order)),
            "number": np.where(
                among(every, self.job_lines), np.append(self.numbers, -1)[found], -1
            ).astype(np.int64),
            "field": words([page.field for page in pages], of_page).take(pa.array(order)),
            "before": texts([page.before for page in pages]).take(pa.array(order)),
            "after": texts([page.after for page in pages]).take(pa.array(order)),
            "line": every.astype(np.int64),
            "fate": pa.array([IMPORTED, CHANGED, DROPPED]).take(pa.array(fates[order])),
        }
        return pa.table({name: columns[name] for name in DTYPES})


@dataclass(frozen=True, eq=False)
class Ledger:
    """Fate of every line of a dump.

    Iterating yields tables, in order, with the columns `DTYPES`, by line: log, rule, number, field,
    before, after, line and fate. A dropped line has one row (after is missing), and so has a line
    imported unchanged (rule, field, before and after are empty). Other lines have a row for each
    change. Number is -1 if a line has none.
    """

    log: str
    parts: list[LedgerPart]

    def __iter__(self) -> Iterator[pa.Table]:
        return (part.table(self.log) for part in self.parts)

    def frame(self) -> pd.DataFrame:
        """Return all rows."""
        return pa.concat_tables(self).to_pandas().astype(DTYPES)

    def counts(self) -> tuple[int, int, dict[str, int]]:
        """Return the number of lines, of changed ones, and of lines by rule, as they come."""
        changed, by_rule = 0, Counter[str]()
        for part in self.parts:
            lines, codes, _ = part.book.actions()
            changed += len(np.unique(lines[~_DROPS[codes]]))
            pairs = pd.DataFrame({"line": lines, "code": codes}).drop_duplicates()
            for code, count in pairs["code"].value_counts(sort=False).items():
                by_rule[_NAMES[code]] += count
        return sum(len(part.lines) for part in self.parts), changed, dict(by_rule)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write all rows as CSV, atomically."""
        with whole(path) as part, part.open("wb") as file:
            file.write(f"{','.join(DTYPES)}\n".encode())
            file.writelines(
                in_turn(lambda rows: _as_csv(rows.table(self.log)), self.parts, WRITERS)
            )


def _as_csv(table: pa.Table) -> bytes:
    if not len(table):
        return b""
    rows = np.flatnonzero(pc.binary_length(table["before"]))
    texts = table["before"].take(pa.array(rows)).to_pylist()
    quoted = np.full(len(table), _QUOTED.search(table["log"][0].as_py()) is not None)
    quoted[rows] |= np.array([_QUOTED.search(text) is not None for text in texts], dtype=bool)
    if not quoted.any():
        return _without_quotes(table)
    lines = np.empty(len(table), dtype=object)  # no text has a line break
    lines[~quoted] = _without_quotes(table.filter(~quoted)).split(b"\n")[:-1]
    others = table.filter(quoted).to_pandas().to_csv(index=False, header=False, lineterminator="\n")
    lines[quoted] = others.encode().split(b"\n")[:-1]
    return b"\n".join(lines) + b"\n"


def _without_quotes(table: pa.Table) -> bytes:
    """Return rows as CSV that need no quotation marks."""
    stream = BytesIO()
    csv.write_csv(table, stream, csv.WriteOptions(include_header=False, quoting_style="none"))
    return stream.getvalue()
