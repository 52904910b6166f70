"""Raw logs and pools: which there are, where they lie, and whether a file is what it claims to be.

A log (or a pool of co-execution times) is taken from the first place that has it whole: the folders
of the local archive, then the addresses of the registry. Nothing is believed: the text of every
file, compressed or not, is held against the registry's checksum and job count before it appears
under its target's name.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from schedlab.config import ConfigError, read_sheet
from schedlab.io import whole
from schedlab.markers import AT_HAND, NOT_AT_HAND
from schedlab.traces.download import DownloadError, Network, discard, download

VARIABLE = "SCHEDLAB_ARCHIVE"
GZIP = b"\x1f\x8b"
SWF_FIELDS = 18
# First bytes of what is served or saved in place of a log often enough to deserve its name.
IMPOSTORS = {
    b"<": "an HTML or XML page",
    b"PK\x03\x04": "a zip archive",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"(\xb5/\xfd": "zstd data",
    b"version https://git-lfs": "a Git LFS pointer",
}


@dataclass(frozen=True)
class LogEntry:
    """One row of the registry of raw logs.

    Attributes
    ----------
    name : str
        What the log is called in sheets and paths.
    file : str
        Name of the uncompressed file; ``FILE.gz`` is accepted wherever it is.
    urls : tuple of str
        Addresses in the order they are tried.
    sha256, git_blob : str or None
        Checksums of the text; the git blob id counts where no sha256 is known.
    processors : int
        Machine size.
    jobs : int or None
        Documented number of job lines.
    licence, acknowledge : str
        Terms of use, and whom to thank or cite.
    """

    name: str
    file: str
    urls: tuple[str, ...]
    sha256: str | None
    git_blob: str | None
    processors: int
    jobs: int | None
    licence: str
    acknowledge: str


@dataclass(frozen=True)
class PoolEntry:
    """One row of the registry of pools: co-execution times measured on one machine.

    Attributes
    ----------
    name, file, urls, sha256, git_blob, licence, acknowledge
        As of a `LogEntry`.
    nodes, sockets, cores : int
        The machine: nodes, sockets of a node, cores of a socket.
    """

    name: str
    file: str
    urls: tuple[str, ...]
    sha256: str | None
    git_blob: str | None
    nodes: int
    sockets: int
    cores: int
    licence: str
    acknowledge: str

    @property
    def jobs(self) -> None:
        """A pool holds no jobs, so no count of them is documented."""
        return


Entry = LogEntry | PoolEntry
KINDS: dict[str, type[Entry]] = {"log": LogEntry, "pool": PoolEntry}


@dataclass(frozen=True)
class FetchReport:
    """What became of a log: where it came from and how it was verified.

    Attributes
    ----------
    log, status, source : str
        Name, "at hand" or "log not at hand", and the file or address that was taken.
    sha256 : str or None
        Of the text as taken.
    jobs : int
        Job lines in the text; 0 for a pool.
    message : str
        How it was verified and what was passed over; for a missing log, what to do.
    licence, acknowledge : str
        From the registry.
    """

    log: str
    status: str
    source: str
    sha256: str | None
    jobs: int
    message: str
    licence: str
    acknowledge: str


class NotAtHand(Exception):
    """No place has the log; the message says which file to put where. `report` is its record."""

    def __init__(self, entry: Entry, message: str):
        super().__init__(message)
        self.report = FetchReport(
            entry.name, NOT_AT_HAND, "", None, 0, message, entry.licence, entry.acknowledge
        )


class Refused(Exception):
    """A file that is not the log; the message is the reason, without the file's name."""


def read_registry(
    path: str | Path, schema_path: str | Path, kind: type[Entry] = LogEntry
) -> dict[str, Entry]:
    """Read the registry of raw logs (config/traces.tsv) or of pools (config/pools.tsv).

    Parameters
    ----------
    path : path
        The sheet.
    schema_path : path
        JSON schema of its rows (workflow/schemas/traces.schema.yaml or pools.schema.yaml).
    kind : type, default LogEntry
        What a row is.

    Returns
    -------
    dict
        Entries by name, in the sheet's order.

    Raises
    ------
    schedlab.config.ConfigError
        Unknown column, cell against the schema, or a name that stands there twice.
    """
    registry: dict[str, Entry] = {}
    for row in read_sheet(path, schema_path).to_dict("records"):
        known = {key: None if pd.isna(value) else value for key, value in row.items()}
        entry = kind(**known | {"urls": tuple((known["urls"] or "").split())})
        if entry.name in registry:
            raise ConfigError(f"{path}: column 'name': '{entry.name}' stands there twice")
        registry[entry.name] = entry
    return registry


def archive_folders(setting: str | None = None) -> tuple[Path, ...]:
    """Folders of the local archive.

    Parameters
    ----------
    setting : str, optional
        Folders with `os.pathsep` between them; empty or None: the environment variable
        ``SCHEDLAB_ARCHIVE``.

    Returns
    -------
    tuple of Path
        Each once, in order; ``~`` expanded. They need not exist.
    """
    listed = (setting or os.environ.get(VARIABLE, "")).split(os.pathsep)
    return tuple(dict.fromkeys(Path(item).expanduser() for item in listed if item.strip()))


def find_all(entries: Collection[Entry], folders: Sequence[Path]) -> dict[str, tuple[Path, ...]]:
    """Files that bear the logs' names, in one walk through the folders; nothing is opened.

    Returns
    -------
    dict
        Log name to the files called ``FILE`` or ``FILE.gz``, by folder in the given order, within
        a folder the upper ones first.
    """
    found: dict[str, list[Path]] = {entry.name: [] for entry in entries}
    wanted: dict[str, list[str]] = {}
    for entry in entries:
        for file in (entry.file, f"{entry.file}.gz"):
            wanted.setdefault(file, []).append(entry.name)
    for folder in folders:
        for place, inner, files in os.walk(folder):
            inner.sort()
            for file in sorted(wanted.keys() & set(files)):
                for name in wanted[file]:
                    found[name].append(Path(place, file))
    return {name: tuple(paths) for name, paths in found.items()}


def find_local(entry: Entry, folders: Sequence[Path]) -> Path | None:
    """First file in the folders that bears the log's name (not verified), or None."""
    return next(iter(find_all([entry], folders)[entry.name]), None)


def fetch(
    entry: Entry,
    folders: Sequence[Path],
    target: str | Path,
    network: Network | None,
    without: str = "",
) -> FetchReport:
    """Bring a log, uncompressed and verified, to `target`.

    Parameters
    ----------
    entry : Entry
        The log.
    folders : sequence of Path
        Searched with their subfolders for the file's name before any address is tried.
    target : path
        Written whole or not at all. A download that broke but can be resumed stays beside it as
        ``TARGET.part``.
    network : Network or None
        How patiently addresses are tried; None: not at all.
    without : str, optional
        What is made without this log, for the message of a missing one.

    Returns
    -------
    FetchReport

    Raises
    ------
    NotAtHand
        No place has the log.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    failures: dict[str, str] = {}
    for source, take in _places(entry, folders, part, network):
        try:
            digest, jobs = take(target)
        except (Refused, DownloadError) as error:
            failures[source] = str(error)
            continue
        discard(part)
        message = "\n".join([_assurance(entry), *_lines("passed over ", failures)])
        return FetchReport(
            entry.name, AT_HAND, source, digest, jobs, message, entry.licence, entry.acknowledge
        )
    raise NotAtHand(entry, _advice(entry, folders, failures, network, without))


def placeholder(entry: Entry, message: str) -> str:
    """Text that stands where a missing log or pool would, so that the rest goes on.

    SWF of no jobs for a log; a pool of no applications.
    """
    if isinstance(entry, PoolEntry):
        return json.dumps({"machine": "", "suite": "", "loads": [], "note": message}) + "\n"
    header = [
        "Version: 2.2",
        f"Computer: {entry.name}",
        f"MaxProcs: {entry.processors}",
        "MaxJobs: 0",
        "MaxRecords: 0",
        *(f"Note: {line}" for line in message.splitlines()),
    ]
    return "".join(f"; {line}\n" for line in header)


Take = Callable[[Path], tuple[str, int]]


def _places(
    entry: Entry, folders: Sequence[Path], part: Path, network: Network | None
) -> Iterator[tuple[str, Take]]:
    for path in find_all([entry], folders)[entry.name]:
        yield str(path), lambda target, path=path: _accept(path, entry, target)
    for url in entry.urls if network else ():
        yield url, lambda target, url=url: _take_from(url, part, network, entry, target)


def _take_from(
    url: str, part: Path, network: Network, entry: Entry, target: Path
) -> tuple[str, int]:
    resumed = download(url, part, network)
    try:
        return _accept(part, entry, target)
    except Refused:
        discard(part)
        if not resumed:
            raise
    # The pieces of two tries need not fit whatever the server said: once more in one piece.
    download(url, part, network)
    try:
        return _accept(part, entry, target)
    finally:
        discard(part)


def _accept(source: Path, entry: Entry, target: Path) -> tuple[str, int]:
    """Unpack and verify a file, and move it to its target only then; sha256 and job lines."""
    with whole(target) as text:
        _unpack(source, text)
        return _verify(text, entry)


def _unpack(source: Path, text: Path) -> None:
    with text.open("wb") as plain:
        for block in _blocks(source):
            plain.write(block)


def _blocks(source: Path) -> Iterator[bytes]:
    """Read a file, unpacked; refused where it cannot be read, whatever befalls the writing."""
    try:
        with source.open("rb") as raw:
            opener = gzip.open if raw.read(len(GZIP)) == GZIP else open
        with opener(source, "rb") as packed:
            while block := packed.read(1 << 20):
                yield block
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Refused(f"truncated or damaged gzip data ({error})") from error
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}") from error


def _verify(text: Path, entry: Entry) -> tuple[str, int]:
    """Hold a text against all that the registry knows of it; sha256 and job lines."""
    jobs, fields = _survey(text)
    with text.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        stream.seek(0)
        blob = hashlib.file_digest(stream, lambda: _git_blob(text.stat().st_size)).hexdigest()
    told = f"({jobs} job lines; another version of the log, or a damaged copy)"
    if entry.sha256 and sha256 != entry.sha256:
        raise Refused(f"wrong checksum: sha256 {sha256} instead of {entry.sha256} {told}")
    if entry.git_blob and not entry.sha256 and blob != entry.git_blob:
        raise Refused(f"wrong checksum: git blob id {blob} instead of {entry.git_blob} {told}")
    if entry.jobs is not None and jobs != entry.jobs:
        raise Refused(f"wrong count: {jobs} job lines instead of the documented {entry.jobs}")
    if entry.file.endswith(".swf") and fields < SWF_FIELDS:
        raise Refused(f"not an SWF log: its first job line has {fields} fields, not {SWF_FIELDS}")
    return sha256, jobs if isinstance(entry, LogEntry) else 0


def _survey(text: Path) -> tuple[int, int]:
    """Count job lines and the fields of the first one; refuse what is no log at sight."""
    with text.open("rb") as stream:
        head = stream.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n")
        for magic, kind in IMPOSTORS.items():
            if head.startswith(magic):
                raise Refused(f"{kind}, not a log")
        if b"\0" in head:
            raise Refused("binary data, not a log")
        stream.seek(0)
        jobs = fields = 0
        for line in stream:
            line = line.lstrip()
            if line and not line.startswith(b";"):
                fields = fields or len(line.split())
                jobs += 1
    if not jobs:
        raise Refused("no job lines in it")
    return jobs, fields


def _git_blob(size: int) -> hashlib._Hash:
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)


def _assurance(entry: Entry) -> str:
    if entry.sha256 or entry.git_blob:
        return (
            f"verified: the text has the registered {'sha256' if entry.sha256 else 'git blob id'}"
        )
    return f"NOT verified: the registry has no checksum for {entry.name}"


def _lines(lead: str, failures: dict[str, str]) -> list[str]:
    return [f"{lead}{source}: {reason}" for source, reason in failures.items()]


def _advice(
    entry: Entry,
    folders: Sequence[Path],
    failures: dict[str, str],
    network: Network | None,
    without: str,
) -> str:
    """Say what was tried, which file to put where, and what is made all the same."""
    searched = [f"  {folder}{'' if folder.is_dir() else ' (no such folder)'}" for folder in folders]
    refused = {place: why for place, why in failures.items() if place not in entry.urls}
    tried = {place: why for place, why in failures.items() if place in entry.urls}
    place = "one of these folders" if folders else f"a folder, name that folder in {VARIABLE}"
    nowhere = "none, no address is registered" if network else "none, working offline"
    marks = {"jobs": entry.jobs, "sha256 of the text": entry.sha256}
    if not entry.sha256:
        marks["git blob id of the text"] = entry.git_blob
    known = ", ".join(f"{mark} {value}" for mark, value in marks.items() if value)
    lines = [
        f"{entry.name} is not at hand: no good copy of {entry.file} was found.",
        f"Folders of {VARIABLE}, searched with their subfolders:",
        *(searched or ["  none is set"]),
        *(["Files refused:", *_lines("  ", refused)] if refused else []),
        "Addresses tried:",
        *(_lines("  ", tried) or [f"  {nowhere}"]),
        f"What to do: put {entry.file} or {entry.file}.gz into {place}",
        "and run the same command again.",
        *([f"It is the right file if it has: {known}."] if known else []),
        without
        or f"Whatever does not need {entry.name} is made without it; "
        f"tables say '{NOT_AT_HAND}' in the rows that do.",
    ]
    return "\n".join(lines)
