"""Journal of a run: every decision, submission and event, one JSON line each.

A line is on the disk before what it states is done, or counts. So after any end of the client, the
journal has all that the client did. A run is resumed by the same code that made it: calls of the
strategy get their recorded answers, until the lines are used up. Each line has its number and a
check value, which show a change, and a loss before the last line. A loss at the end shows in the
run's folder, as the script of a job is written after the line of its request.
"""

import errno
import json
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from schedlab.slurm.client import SlurmError
from schedlab.slurm.interrupts import deferred_signals

Record = dict[str, Any]

NAME = "journal.jsonl"
#: format number; it changes whenever the meaning of a line changes
FORMAT = 1
#: Kinds of lines that the strategy's calls make, in their order. All others are facts about jobs.
DECISIONS = frozenset(
    {"estimate", "observe", "submit", "depend", "cancel", "time", "start", "end", "pool"}
)
#: folders with files that only jobs of a run, or their submissions, leave
TRACES = ("jobs", "marks", "tasks")
UNKNOWN = (
    "nothing was submitted or canceled. The run cannot go on, as it is not known which jobs it has "
    "submitted: look by squeue --me, end those that you do not need by scancel, and run what is "
    "left of the workflow in another folder"
)


class JournalError(SlurmError):
    """A journal is missing, damaged, or does not belong to this run."""


class Journal:
    """Journal of one run: lines are only ever appended.

    `records` are the lines so far, without number and check value. The first one describes the
    run. `write` calls a function that appends a line; by default once, else it may repeat it.
    """

    def __init__(self, path: Path, records: list[Record], size: int) -> None:
        self.path, self.records, self._size = path, records, size
        self._recorded = deque(
            (number, record)
            for number, record in enumerate(records, 1)
            if record["kind"] in DECISIONS
        )
        self.write: Callable[[Callable[[], None]], Any] = lambda append: append()

    @classmethod
    def create(cls, folder: Path, **about: Any) -> Self:
        """Begin the journal of a run; `about` describes the run."""
        journal = cls(folder / NAME, [], 0)
        # the variables of sbatch may have secrets
        journal.path.touch(mode=0o600, exist_ok=False)
        journal.append("run", format=FORMAT, **about)
        _sync_folder(folder)
        return journal

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the journal of a run; a last line that was written in part is left out.

        That is one without a line break, or with zeros, which a crashed file system leaves.
        """
        path = folder / NAME
        try:
            content = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise JournalError(
                f"{path}: no such file; name the folder of a run of schedlab asa run"
            ) from None
        *lines, rest = content.split(b"\n")
        if lines and not rest and b"\0" in lines[-1]:
            lines.pop()
        records, size = [], 0
        for number, line in enumerate(lines, 1):
            try:
                records.append(_parse(line, number))
            except ValueError as error:
                raise JournalError(f"{path}, line {number}: damaged ({error}); {UNKNOWN}") from None
            size += len(line) + 1
        if not records:
            files = (file for name in TRACES for file in sorted((folder / name).rglob("*")))
            if trace := next((file for file in files if file.is_file()), None):
                raise JournalError(f"{path}: no complete line, but there is {trace}; {UNKNOWN}")
            raise JournalError(
                f"{path}: no complete line, nothing was submitted: start another run"
            )
        if records[0]["kind"] != "run" or records[0].get("format") != FORMAT:
            raise JournalError(
                f"{path}, line 1: format {records[0].get('format')}, this version of schedlab "
                f"reads format {FORMAT}: take the version that wrote it"
            )
        return cls(path, records, size)

    @property
    def about(self) -> Record:
        """The description of the run."""
        return self.records[0]

    @property
    def replays(self) -> bool:
        """Whether calls of the strategy still have recorded answers."""
        return bool(self._recorded)

    @property
    def final_error(self) -> str | None:
        """The error that has ended the run so that nothing is left to go on with."""
        return next(
            (one["error"] for one in self.records if one["kind"] == "ending" and one["final"]), None
        )

    def append(self, kind: str, **fields: Any) -> None:
        """Append a line, and return when it is on the disk."""
        record = {"kind": kind, **fields}
        self.write(lambda: self._append(record))

    def recall(self, *kinds: str, **fields: Any) -> Record | None:
        """Return the next recorded answer; None if all are used up."""
        if not self._recorded:
            return None
        number, record = self._recorded.popleft()
        different = {name for name, value in fields.items() if record.get(name) != value}
        if record["kind"] not in kinds or different:
            raise JournalError(
                f"{self.path}, line {number}: {record} was not expected, but {' or '.join(kinds)} "
                f"with {fields}: resume the run with the version of schedlab that began it"
            )
        return record

    def decide(self, kind: str, **fields: Any) -> bool:
        """Record a decision before it is carried out; return False if it was recorded before."""
        if self.recall(kind, **fields) is not None:
            return False
        self.append(kind, **fields)
        return True

    def facts(self, job: int) -> Iterator[Record]:
        """Yield the lines about a job, by its handle."""
        return (record for record in self.records if record.get("job") == job)

    def last(self, *kinds: str) -> Record | None:
        """Return the last line of one of some kinds; None if there is none."""
        return next((one for one in reversed(self.records) if one["kind"] in kinds), None)

    def _append(self, record: Record) -> None:
        line = _line(record, len(self.records) + 1)
        # a signal between both would leave a line that is not known
        with deferred_signals():
            try:
                self._write(line)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self.path)) from error
            self.records.append(record)
            self._size += len(line)

    def _write(self, line: bytes) -> None:
        file = os.open(self.path, os.O_WRONLY)
        try:
            # what a failed attempt, or a killed client, wrote in part
            os.ftruncate(file, self._size)
            os.lseek(file, 0, os.SEEK_END)
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
        finally:
            os.close(file)


def _line(record: Record, number: int) -> bytes:
    text = json.dumps({"line": number, **record})
    return f'{text[:-1]}, "check": "{zlib.crc32(text.encode()):08x}"}}\n'.encode()


def _parse(line: bytes, number: int) -> Record:
    """Return the record of a line; raise ValueError if the line is not what was written."""
    record = json.loads(line)
    if not isinstance(record, dict) or not {"line", "kind", "check"} <= record.keys():
        raise ValueError("no line of a journal")
    content = {name: value for name, value in record.items() if name not in ("line", "check")}
    if record["line"] != number:
        raise ValueError(f"it is line {record['line']}, others are missing")
    if _line(content, number) != line + b"\n":
        raise ValueError("its check value is another")
    return content


def _sync_folder(folder: Path) -> None:
    """Write the entries of a folder to the disk, where its file system allows that."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
