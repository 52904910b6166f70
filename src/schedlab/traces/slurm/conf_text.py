"""Lines of slurm.conf, gres.conf and topology.conf, with the place of every key.

References
----------
Slurm, slurm.conf(5), gres.conf(5), topology.conf(5).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from schedlab.files.io import printable, read_unpacked


class SiteFileError(ValueError):
    """A file of a site's Slurm cannot be read or used; the message names its line."""


class Setting(NamedTuple):
    """A key and its value, and where they are; line 0: the file's name alone says where."""

    file: str
    line: int
    key: str
    value: str

    def error(self, problem: str) -> SiteFileError:
        """Return the error of a problem with the value."""
        setting = printable(f"{self.key}={self.value}"[:200])
        place = f"{self.file}: line {self.line}" if self.line else self.file
        return SiteFileError(f"{place}: {setting}: {problem}")


@dataclass(frozen=True)
class Record:
    """Settings of an object by their keys in lower case.

    `kind` is the file of its keys in the table of keys; `name` is a host list for nodes.
    """

    kind: str
    name: Setting
    settings: Mapping[str, Setting]


#: files, and the kind of the objects whose line begins with a key
KINDS = {
    "conf": {
        **{"nodename": "node", "partitionname": "partition", "nodeset": "nodeset"},
        **{"downnodes": "downnodes", "frontendname": "frontend"},
    },
    "gres": {"nodename": "gres", "name": "gres"},
    "topology": {"switchname": "topology", "blockname": "block"},
}
DEFAULT = "default"
_PAIR = re.compile(r"\s*([\w.]+)\s*[-+*/]?=\s*(?:\"([^\"]*)\"|([^\s\"]*))(?=\s|$)")
_INCLUDE = re.compile(r"\s*include\s+(.+)", re.IGNORECASE)
_COMMENT = re.compile(r"((?:\\#|\"[^\"]*\"|[^#])*?)(?<!\\)#.*", re.DOTALL)


def read_conf(path: str | Path, file: str = "conf") -> list[Record]:
    """Read the lines of a file of `KINDS`; those of all other keys are of the kind `file`.

    DEFAULT lines are in the settings of later lines of their kind, without overriding them.
    """
    records = []
    defaults: dict[str, dict[str, Setting]] = {}
    for settings in _lines(Path(path), ()):
        first = settings[0]
        kind = KINDS[file].get(first.key.casefold())
        if not kind:
            records += [Record(file, each, {each.key.casefold(): each}) for each in settings]
            continue
        pairs = {each.key.casefold(): each for each in settings}
        # gres.conf's lines begin with a name of nodes, or of the resource
        if file != "gres":
            del pairs[first.key.casefold()]
        common = defaults.setdefault(kind, {})
        if first.value.casefold() == DEFAULT:
            common |= pairs
        else:
            records.append(Record(kind, first, common | pairs))
    return records


def _lines(path: Path, above: tuple[Path, ...]) -> Iterator[list[Setting]]:
    """Yield the pairs of each line of a file and of those that it includes."""
    if path in above:
        raise SiteFileError(f"{path}: includes itself; remove one of its Include lines")
    for number, line in logical_lines(path):
        if match := _INCLUDE.fullmatch(line):
            for part in _included(path, number, match[1].strip().strip('"')):
                yield from _lines(part, (*above, path))
            continue
        if settings := pairs_of(str(path), number, line):
            yield settings


def pairs_of(file: str, number: int, line: str) -> list[Setting]:
    """Return the pairs of a logical line; SiteFileError if it has anything else."""
    settings, end = [], 0
    while pair := _PAIR.match(line, end):
        end = pair.end()
        settings.append(Setting(file, number, pair[1], pair[2] or pair[3] or ""))
    if line[end:].strip():
        place = f"{file}: line {number}" if number else file
        raise SiteFileError(
            f"{place}: '{printable(line[end:].strip()[:80])}' is not Key=Value; "
            "put quotes around a value with spaces, and # before a comment"
        )
    return settings


def _included(path: Path, number: int, pattern: str) -> list[Path]:
    """Return the files of an Include line."""
    target = Path(pattern)
    folder = Path(target.anchor) if target.is_absolute() else path.parent
    parts = sorted(folder.glob(str(target.relative_to(target.anchor))))
    # a pattern may match nothing, a file must exist
    if not parts and not re.search(r"[*?\[]", pattern):
        raise SiteFileError(
            f"{path}: line {number}: Include {printable(pattern)}: no such file in {folder}; "
            "copy it there"
        )
    return parts


def text_of(path: str | Path) -> str:
    """Return the text of a file, packed or not; bytes that are not UTF-8 become escapes."""
    return read_unpacked(path).decode("utf-8", "backslashreplace")


def logical_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield lines that are not empty, without comments; a backslash at the end joins two.

    The number is that of the first line of those that are joined.
    """
    start, joined = 0, ""
    for number, line in enumerate([*text_of(path).splitlines(), ""], start=1):
        start = start or number
        if commented := _COMMENT.fullmatch(line):
            line = commented[1]
        line = line.rstrip()
        if line.endswith("\\"):
            joined += line[:-1] + " "
            continue
        if (joined + line).strip():
            yield start, joined + line
        start, joined = 0, ""
