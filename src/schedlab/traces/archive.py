"""Raw logs and pools: local archive, download and verification.

A log (or a pool of co-execution times) is taken from the first place with a complete copy: the
folders of the local archive, then the addresses of the registry. Every file is verified: its
uncompressed text must match the registry's checksum and job count before it is saved under its
target's name.
"""

import json
import logging
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from schedlab.core.markers import AVAILABLE, DRAWN, NOT_AVAILABLE
from schedlab.files.config import LOG_FOLDERS
from schedlab.files.io import COMPRESSIONS, whole
from schedlab.traces.download import DownloadError, Network, discard, download
from schedlab.traces.registry import Entry, PoolEntry
from schedlab.traces.verify import Refused, largest_text, unpack, verify

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FetchReport:
    """Result of fetching a log: its source and how it was verified; terms are from the registry."""

    log: str
    #: "available", "log not available" or "drawn from its seed" (a model draws every job)
    status: str
    source: str  # the file, address or model that was used
    sha256: str | None
    jobs: int  # job lines in the text; the documented number for a drawn log; 0 for a pool
    message: str  # how it was verified, which sources were skipped; for a missing log, what to do
    licence: str
    acknowledge: str

    @classmethod
    def of(
        cls, entry: Entry, status: str, source: str, sha256: str | None, jobs: int, message: str
    ) -> Self:
        """Return the report on an entry, with its terms."""
        terms = entry.licence, entry.acknowledge
        return cls(entry.name, status, source, sha256, jobs, message, *terms)


def archive_folders(setting: str | None = None) -> tuple[Path, ...]:
    """Return the folders of the local archive: in order, without duplicates, ``~`` expanded.

    `setting` has folders separated by `os.pathsep`; empty or None for the environment variable
    ``SCHEDLAB_ARCHIVE``. The folders need not exist.
    """
    texts = (setting or os.environ.get(LOG_FOLDERS, "")).split(os.pathsep)
    return tuple(dict.fromkeys(Path(item).expanduser() for item in texts if item.strip()))


def find_all(entries: Collection[Entry], folders: Sequence[Path]) -> dict[str, tuple[Path, ...]]:
    """Find files with the logs' names in one walk through the folders, without opening any.

    Links to folders are followed; no folder is searched twice, so links may form cycles. A warning
    is logged for each unreadable place. The result maps a log's name to the files named ``FILE``,
    ``FILE.gz`` or by another of `schedlab.files.io.COMPRESSIONS`, by folder in the given order,
    within a folder the upper ones first.
    """
    paths, unread = _search(entries, folders)
    for place, reason in unread.items():
        logger.warning("%s: not searched for logs: %s", place, reason)
    return paths


def _search(
    entries: Collection[Entry], folders: Sequence[Path]
) -> tuple[dict[str, tuple[Path, ...]], dict[str, str]]:
    """Return the result of `find_all`, and by place the reason why it could not be read."""
    paths_by_name: dict[str, list[Path]] = {entry.name: [] for entry in entries}
    unread: dict[str, str] = {}
    names_by_file: dict[str, list[str]] = {}
    for entry in entries:
        for suffix in ("", *(packed.suffix for packed in COMPRESSIONS.values())):
            names_by_file.setdefault(entry.file + suffix, []).append(entry.name)
    seen: set[tuple[int, int]] = set()
    for folder in folders:
        if not folder.is_dir():
            continue
        for path in _files(folder, seen, unread):
            for name in names_by_file.get(path.name, ()):
                paths_by_name[name].append(path)
    return {name: tuple(paths) for name, paths in paths_by_name.items()}, unread


def _files(folder: Path, seen: set[tuple[int, int]], unread: dict[str, str]) -> Iterator[Path]:
    """Yield the files of a folder, then those of its subfolders; record what cannot be read."""
    try:
        status = folder.stat()
        if (status.st_dev, status.st_ino) in seen:
            return
        seen.add((status.st_dev, status.st_ino))
        with os.scandir(folder) as entries:
            inside = sorted(entries, key=lambda one: one.name)
    except OSError as error:
        unread[str(folder)] = error.strerror or str(error)
        return
    inner = []
    for entry in inside:
        try:
            is_folder = entry.is_dir()
        except OSError as error:  # a link with an unreachable target
            unread[entry.path] = error.strerror or str(error)
            continue
        if is_folder:
            inner.append(Path(entry.path))
        else:
            yield Path(entry.path)
    for subfolder in inner:
        yield from _files(subfolder, seen, unread)


def find_local(entry: Entry, folders: Sequence[Path]) -> Path | None:
    """Return the first file in the folders with the log's name (not verified), or None."""
    return next(iter(find_all([entry], folders)[entry.name]), None)


def fetch(
    entry: Entry,
    folders: Sequence[Path],
    target: str | Path,
    network: Network | None,
    without: str = "",
) -> FetchReport:
    """Save a log, uncompressed and verified, at `target`; nothing if no source has it.

    The message then names the file to add and its folder, or the model that draws the log.
    `without` names the items that are made without this log, for this message.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    failures: dict[str, str] = {}
    paths, unread = _search([entry], folders)
    for source, take in _places(entry, paths[entry.name], part, network):
        try:
            digest, jobs = take(target)
        except (Refused, DownloadError) as error:
            failures[source] = str(error)
            continue
        discard(part)
        message = "\n".join([_assurance(entry), *_lines("passed over ", failures)])
        return FetchReport.of(entry, AVAILABLE, source, digest, jobs, message)
    facts = (NOT_AVAILABLE, "", None, 0)
    if entry.model:
        facts = (DRAWN, f"model {entry.model}", None, entry.jobs or 0)
    advice = _advice(entry, folders, unread, failures, network, without)
    return FetchReport.of(entry, *facts, advice)


def reuse_fetched(
    entry: Entry, target: str | Path, earlier: FetchReport | None
) -> FetchReport | None:
    """Return the report of a file that is already at its target, if it is the log.

    If the registry has no checksum, the file must have the checksum in this report.
    """
    try:
        digest, jobs = verify(Path(target), entry)
    except (Refused, OSError):
        return None
    if earlier and earlier.status == AVAILABLE and earlier.sha256 == digest:
        return replace(earlier, licence=entry.licence, acknowledge=entry.acknowledge)
    if not entry.sha256 and not entry.git_blob:
        return None
    return FetchReport.of(entry, AVAILABLE, str(target), digest, jobs, _assurance(entry))


def placeholder(entry: Entry, message: str) -> str:
    """Return a placeholder text for a missing log or pool, so that other work can go on."""
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
    entry: Entry, paths: Sequence[Path], part: Path, network: Network | None
) -> Iterator[tuple[str, Take]]:
    for path in paths:
        yield str(path), lambda target, path=path: _accept(path, entry, target)
    for url in entry.urls if network else ():
        yield url, lambda target, url=url: _take_from(url, part, network, entry, target)


def _take_from(
    url: str, part: Path, network: Network, entry: Entry, target: Path
) -> tuple[str, int]:
    network = replace(network, largest=largest_text(entry))
    resumed = download(url, part, network)
    try:
        return _accept(part, entry, target)
    except Refused:
        discard(part)
        if not resumed:
            raise
    # Parts of two attempts may not match, whatever the server reports: download again at once.
    download(url, part, network)
    try:
        return _accept(part, entry, target)
    finally:
        discard(part)


def _accept(source: Path, entry: Entry, target: Path) -> tuple[str, int]:
    """Unpack and verify a file, then move it to its target; return sha256 and job lines."""
    with whole(target) as text:
        unpack(source, text, largest_text(entry))
        return verify(text, entry)


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
    unread: dict[str, str],
    failures: dict[str, str],
    network: Network | None,
    without: str,
) -> str:
    """Return what was tried, which file to add where, and what is made without it."""
    if entry.model:
        lead = (
            f"{entry.name} is {DRAWN}: no good copy of {entry.file} was found, and none is needed."
        )
        substitute = without or f"Model {entry.model} draws its every job."
        return "\n".join([lead, *_lines("passed over ", failures), substitute])
    searched = [f"  {folder}{'' if folder.is_dir() else ' (no such folder)'}" for folder in folders]
    refused = {place: why for place, why in failures.items() if place not in entry.urls}
    failed_downloads = {place: why for place, why in failures.items() if place in entry.urls}
    place = "one of these folders" if folders else f"a folder, name that folder in {LOG_FOLDERS}"
    addresses = "none, no address is registered" if network else "none, working offline"
    marks = {"jobs": entry.jobs, "sha256 of the text": entry.sha256}
    if not entry.sha256:
        marks["git blob id of the text"] = entry.git_blob
    marks_text = ", ".join(f"{mark} {value}" for mark, value in marks.items() if value)
    lines = [
        f"{entry.name} is not available: no good copy of {entry.file} was found.",
        f"Folders of {LOG_FOLDERS}, searched with their subfolders:",
        *(searched or ["  none is set"]),
        *(["Not searched, for they cannot be read:", *_lines("  ", unread)] if unread else []),
        *(["Files refused:", *_lines("  ", refused)] if refused else []),
        "Addresses tried:",
        *(_lines("  ", failed_downloads) or [f"  {addresses}"]),
        f"What to do: put {entry.file} or {entry.file}.gz into {place}",
        "and run the same command again.",
        *([f"It is the right file if it has: {marks_text}."] if marks_text else []),
        without
        or f"Whatever does not need {entry.name} is made without it; "
        f"tables say '{NOT_AVAILABLE}' in the rows that do.",
    ]
    return "\n".join(lines)
