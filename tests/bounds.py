"""Tell whether the kernels, as they are now, have passed their tests with bounds checks.

usage: python tests/bounds.py [--record]

The exit code is 0 if they have. What decides these tests is the bytes of the kernels, of the
modules, tests and twins that they import, and of requirements.lock: random cases are drawn the same
way each time. ``--record`` writes the digest of all this to `RECORD`.

Some tests need raw logs: what passed without SCHEDLAB_ARCHIVE has not passed where it is set.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from schedlab.files.io import write_text
from schedlab.flow.build import PACKAGE, imported_by

TESTS = Path(__file__).parent
ROOT = TESTS.parent
#: digest of what passed last
RECORD = TESTS / "kernels/bounds.txt"
_IMPORT = re.compile(r"^(?:from|import) ([\w.]+)", re.MULTILINE)


def imported_tests(sources: list[Path]) -> set[Path]:
    """Return sources in the folder of the tests and all that they import from there."""
    found, waiting = set(), list(sources)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _of_this_folder(path.read_text(encoding="utf-8"))
    return found


def _of_this_folder(text: str) -> Iterator[Path]:
    """Return the files of the tests' folder that a text imports, whole packages of it."""
    for name in _IMPORT.findall(text):
        first = TESTS / name.partition(".")[0]
        if first.with_suffix(".py").is_file():
            yield first.with_suffix(".py")
        elif first.is_dir():
            yield from first.rglob("*.py")


def digest(with_logs: bool) -> str:
    """Return the digest of all bytes that decide the tests of the kernels, with logs or without."""
    tests = imported_tests([TESTS / "conftest.py", *(TESTS / "kernels").glob("*.py")])
    paths = {
        *tests,
        *imported_by(*tests).files,
        *(path for kind in ("*.pyx", "*.pxd") for path in (PACKAGE / "kernels").rglob(kind)),
        *(ROOT / name for name in ("setup.py", "requirements.lock", "Makefile")),
        Path(__file__),
    }
    lines = sorted(
        f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in paths
    )
    return hashlib.sha256("\n".join([*lines, f"logs: {with_logs}"]).encode()).hexdigest()


if __name__ == "__main__":
    has_logs = bool(os.environ.get("SCHEDLAB_ARCHIVE"))
    if sys.argv[1:] == ["--record"]:
        write_text(digest(has_logs) + "\n", RECORD)
    recorded = RECORD.read_text(encoding="utf-8").strip() if RECORD.is_file() else ""
    sys.exit(recorded not in {digest(with_logs=True), digest(has_logs)})
