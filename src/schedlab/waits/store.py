"""The file that keeps a learner's state between the runs of your script.

One JSON object: the number of its format, the settings, a record for each geometry, and a digest of
all that. A process that changes the file holds a lock, so that no process undoes the change of
another; the file is replaced whole, so that readers need no lock. A file
of the first format is taken over as it is read, and is of the present one when it is written next.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from schedlab.files.io import DamagedError, write_text

#: format number; it changes whenever the meaning of a file changes
FORMAT = 2
#: default rates of the first format, and the present default rates
BEFORE, SINCE = {"rate": 1.0, "power": 0.5}, {"rate": 1.0, "power": 0.0}
#: seconds to wait for others before giving up; a change takes milliseconds
TIMEOUT_S = 60.0
POLL = 0.01

Records = dict[str, dict[str, Any]]


class StoreError(ValueError):
    """A state file does not fit: it has another format, or was learned with other settings."""


class Store:
    """Records by name in one file, for settings that all of them share.

    A lock file with the ending ``.lock`` is made next to it, stays, and may be deleted when no
    process runs.
    """

    def __init__(self, path: str | os.PathLike[str], settings: dict[str, Any]) -> None:
        # keep a symbolic link: the file that it points to is replaced
        self.path = Path(path).expanduser().resolve()
        # compare settings as read back: JSON has no tuples
        self.settings = json.loads(json.dumps(settings))

    def read(self) -> Records:
        """Return the records; empty if there is no file yet."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        content = _parse(self.path, text)
        if content["format"] not in (1, FORMAT):
            raise StoreError(
                f"{self.path}: is of format {content['format']}, this version of schedlab reads "
                f"format 1 and {FORMAT}: take the version that wrote it, or another file name"
            )
        digest = content.pop("sha256", None)
        if digest != _digest(content):
            raise DamagedError(
                f"{self.path}: damaged, its content is not what was written; {_REMEDY}"
            )
        if content["format"] == 1:
            content = _from_first(content, self.settings)
        self._check_settings(content["settings"])
        return content["records"]

    @contextmanager
    def change(self) -> Iterator[Records]:
        """Yield the records for changes, and write them if the block ends without an error.

        Other processes wait for the lock meanwhile.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = self.path.with_name(f"{self.path.name}.lock")
        try:
            locked = FileLock(lock).acquire(timeout=TIMEOUT_S, poll_interval=POLL)
        except Timeout as error:
            raise TimeoutError(
                f"{self.path}: another process has held {lock} for {TIMEOUT_S:g} s: see what holds "
                "it, and try again"
            ) from error
        with locked:
            records = self.read()
            yield records
            content = {"format": FORMAT, "settings": self.settings, "records": records}
            content["sha256"] = _digest(content)
            write_text(json.dumps(content), self.path)

    def _check_settings(self, saved: dict[str, Any]) -> None:
        names = sorted(self.settings.keys() | saved.keys())
        different = [name for name in names if saved.get(name) != self.settings.get(name)]
        if different:
            differences = "; ".join(
                f"{name} is {saved.get(name)} in the file, asked for is {self.settings.get(name)}"
                for name in different
            )
            raise StoreError(
                f"{self.path}: was learned with other settings: {differences}. Ask for those of "
                "the file, "
                "or name another file to start from scratch"
            )


_REMEDY = "put a copy of it back, or delete it to start from scratch"


def _parse(path: Path, text: bytes) -> dict[str, Any]:
    """Parse the bytes of a file as a JSON object with a format number."""
    try:
        content = json.loads(text)
    except ValueError as error:
        raise DamagedError(
            f"{path}: cut short, or no state of a learner ({error}); {_REMEDY}"
        ) from error
    if not isinstance(content, dict) or "format" not in content:
        raise DamagedError(f"{path}: no state of a learner, it says no format; {_REMEDY}")
    return content


def _from_first(content: dict[str, Any], requested: dict[str, Any]) -> dict[str, Any]:
    """Convert the content of the first format, which kept sums of losses, to the present one.

    A last loss is at most 1. States with the former default rates continue with the present ones.
    """
    settings, records = content["settings"], content["records"]
    has, wants = ({name: values.get(name) for name in BEFORE} for values in (settings, requested))
    if has == BEFORE and wants == SINCE:
        settings = settings | SINCE
    records = {
        name: {key: value for key, value in record.items() if key != "total"}
        | {"last": [min(loss, 1.0) for loss in record["total"]]}
        for name, record in records.items()
    }
    return content | {"settings": settings, "records": records}


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
