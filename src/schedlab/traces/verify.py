"""Verification of files by their text and the registry's data."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path

from schedlab.traces.records import sha256_of
from schedlab.traces.registry import Entry, LogEntry

GZIP = b"\x1f\x8b"
SWF_FIELDS = 18
# Size limits of a text in bytes: per documented job (ten times the archives' lines), for the
# header, and without a documented number of jobs. A larger file is not the log, and may be
# endless.
JOB_BYTES, HEADER_BYTES, TEXT_BYTES = 1000, 1 << 24, 1 << 32
# First bytes of files that are often served or saved instead of a log.
IMPOSTORS = {
    b"<": "an HTML or XML page",
    b"PK\x03\x04": "a zip archive",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"(\xb5/\xfd": "zstd data",
    b"version https://git-lfs": "a Git LFS pointer",
}


class Refused(Exception):
    """A file is not the log; the message is the reason, without the file's name."""


def largest_text(entry: Entry) -> int:
    """Return the largest size of the text of a log or pool, in bytes."""
    return HEADER_BYTES + JOB_BYTES * entry.jobs if entry.jobs else TEXT_BYTES


def unpack(source: Path, text: Path, largest: int = TEXT_BYTES) -> None:
    """Write the plain text of a file, compressed or not.

    Raises `Refused` if it cannot be read, or its text exceeds `largest` bytes.
    """
    written = 0
    with text.open("wb") as plain:
        for block in _blocks(source):
            written += len(block)
            if written > largest:
                raise Refused(f"too large: its text has more than {largest:,} bytes")
            plain.write(block)


def verify(text: Path, entry: Entry) -> tuple[str, int]:
    """Verify a text with the registry's data; return sha256 and number of job lines."""
    jobs, fields = _survey(text)
    sha256 = sha256_of(text)
    with text.open("rb") as stream:
        blob = hashlib.file_digest(stream, lambda: _git_blob(text.stat().st_size)).hexdigest()
    hint = f"({jobs} job lines; another version of the log, or a damaged copy)"
    if entry.sha256 and sha256 != entry.sha256:
        raise Refused(f"wrong checksum: sha256 {sha256} instead of {entry.sha256} {hint}")
    if entry.git_blob and not entry.sha256 and blob != entry.git_blob:
        raise Refused(f"wrong checksum: git blob id {blob} instead of {entry.git_blob} {hint}")
    if entry.jobs is not None and jobs != entry.jobs:
        raise Refused(f"wrong count: {jobs} job lines instead of the documented {entry.jobs}")
    if entry.file.endswith(".swf") and fields < SWF_FIELDS:
        raise Refused(f"not an SWF log: its first job line has {fields} fields, not {SWF_FIELDS}")
    return sha256, jobs if isinstance(entry, LogEntry) else 0


def _blocks(source: Path) -> Iterator[bytes]:
    """Yield the unpacked content of a file; raise `Refused` if it cannot be read."""
    if not source.is_file():  # reading a pipe could block indefinitely
        raise Refused("not a file")
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


def _survey(text: Path) -> tuple[int, int]:
    """Count job lines and the fields of the first one; refuse files that are clearly not a log."""
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
