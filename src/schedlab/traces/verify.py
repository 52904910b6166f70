"""Verification of files by their text and the registry's data."""

import hashlib
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from schedlab.files.io import DamagedError, unpacked_blocks
from schedlab.files.threads import ahead
from schedlab.traces.registry import Entry, LogEntry

SWF_FIELDS = 18
# Size limits of a text in bytes: per documented job (ten times the archives' lines), for the
# header, and without a documented number of jobs. A larger file is not the log, and may be
# endless.
JOB_BYTES, HEADER_BYTES, TEXT_BYTES = 1000, 1 << 24, 1 << 32
# First bytes of files that are often served or saved instead of a log.
IMPOSTORS = {
    b"<": "an HTML or XML page",
    b"PK\x03\x04": "a zip archive",
    b"version https://git-lfs": "a Git LFS pointer",
}
_NO_JOB = re.compile(rb"\n[ \t\r\v\f]*(?=[;\n])")
_JOB = re.compile(rb"(?m)^[ \t\r\v\f]*[^;\s][^\n]*")


class Refused(Exception):
    """A file is not the log; the message is the reason, without the file's name."""


def largest_text(entry: Entry) -> int:
    """Return the largest size of the text of a log or pool, in bytes."""
    return HEADER_BYTES + JOB_BYTES * entry.jobs if entry.jobs else TEXT_BYTES


def unpack(source: Path, text: Path, largest: int = TEXT_BYTES) -> None:
    """Write the plain text of a file, compressed or not."""
    written = 0
    with text.open("wb") as plain:
        for block in ahead(_blocks(source)):
            written += len(block)
            if written > largest:
                raise Refused(f"too large: its text has more than {largest:,} bytes")
            plain.write(block)


def verify(text: Path, entry: Entry) -> tuple[str, int]:
    """Verify a text with the registry's data; return sha256 and number of job lines."""
    sha256, jobs, fields = _survey(text)
    hint = f"({jobs} job lines; another version of the log, or a damaged copy)"
    if entry.sha256 and sha256 != entry.sha256:
        raise Refused(f"wrong checksum: sha256 {sha256} instead of {entry.sha256} {hint}")
    if entry.git_blob and not entry.sha256:
        with text.open("rb") as stream:
            header = b"blob %d\0" % text.stat().st_size
            begun = partial(hashlib.sha1, header, usedforsecurity=False)
            blob = hashlib.file_digest(stream, begun).hexdigest()
        if blob != entry.git_blob:
            raise Refused(f"wrong checksum: git blob id {blob} instead of {entry.git_blob} {hint}")
    if entry.jobs is not None and jobs != entry.jobs:
        raise Refused(f"wrong count: {jobs} job lines instead of the documented {entry.jobs}")
    if entry.file.endswith(".swf") and fields < SWF_FIELDS:
        raise Refused(f"not an SWF log: its first job line has {fields} fields, not {SWF_FIELDS}")
    return sha256, jobs if isinstance(entry, LogEntry) else 0


def _blocks(source: Path) -> Iterator[bytes]:
    if not source.is_file():  # reading a pipe could block indefinitely
        raise Refused("not a file")
    try:
        yield from unpacked_blocks(source, 1 << 20, exact=True)
    except DamagedError as error:
        raise Refused(f"truncated or {str(error).removeprefix(f'{source}: ')}") from error
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}") from error


def _survey(text: Path) -> tuple[str, int, int]:
    """Return sha256, the number of job lines and the fields of the first; refuse what is no log."""
    digest = hashlib.sha256()
    jobs = fields = 0
    rest = b""
    with text.open("rb") as stream:
        head = stream.read(1024).lstrip(b"\xef\xbb\xbf \t\r\n")
        for magic, kind in IMPOSTORS.items():
            if head.startswith(magic):
                raise Refused(f"{kind}, not a log")
        if b"\0" in head:
            raise Refused("binary data, not a log")
        stream.seek(0)
        for block in ahead(iter(partial(stream.read, 1 << 24), b"")):
            digest.update(block)
            lines, newline, rest = (rest + block).rpartition(b"\n")
            jobs += _count_jobs(lines + newline)
            fields = fields or _first_fields(lines)
    jobs += _count_jobs(rest + b"\n")
    if not jobs:
        raise Refused("no job lines in it")
    return digest.hexdigest(), jobs, fields or _first_fields(rest)


def _count_jobs(lines: bytes) -> int:
    """Count the lines that are neither empty nor a comment; each ends with a newline."""
    others = _NO_JOB.findall(b"\n" + lines)
    return lines.count(b"\n") - len(others)


def _first_fields(lines: bytes) -> int:
    match = _JOB.search(lines)
    return len(match[0].split()) if match else 0
