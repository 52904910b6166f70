"""Atomic writing of files, and reading of tables with verification."""

import bz2
import codecs
import gzip
import hashlib
import importlib.metadata
import json
import lzma
import os
import platform
import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from uuid import uuid4

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

#: environment variable with the scale of the results
SCALE = "SCHEDLAB_SCALE"
#: seconds without a change after which another machine's temporary file counts as abandoned
ABANDONED = 86_400
#: tables of more rows are read column by column
MANY_ROWS = 1 << 22
PACKAGES = ("schedlab", "numpy", "scipy", "pandas", "pyarrow")
_ABOUT, _DIGEST = "schedlab.about", "schedlab.sha256"
# In the footer: the key, bytes of lengths, and the digest of the file with zeros in this place.
_NO_DIGEST = b"0" * 64
_SLOT = re.compile(rb"(?s)schedlab\.sha256.{2,3}?([0-9a-f]{64})")


class Compression(NamedTuple):
    """Compression of files: its name, the suffix of such files, and what unpacks one."""

    name: str
    suffix: str
    open: Callable[[BinaryIO], Any]


#: compressions that are unpacked on reading, by the first bytes of a file
COMPRESSIONS = {
    b"\x1f\x8b": Compression("gzip", ".gz", lambda file: gzip.GzipFile(fileobj=file)),
    b"\xfd7zXZ\x00": Compression("xz", ".xz", lzma.LZMAFile),
    b"BZh": Compression("bzip2", ".bz2", bz2.BZ2File),
    b"\x28\xb5\x2f\xfd": Compression(
        "zstd", ".zst", lambda file: pa.CompressedInputStream(file, "zstd")
    ),
}
#: suffixes of compressed files, as a regular expression
PACKED = "|".join(re.escape(packed.suffix) for packed in COMPRESSIONS.values())
#: these end without an error at data that is not compressed
_END_SILENTLY = (lzma.LZMAFile, bz2.BZ2File)
#: what a damaged or cut file raises
_DAMAGES = (EOFError, OSError, lzma.LZMAError, zlib.error)


class _Watched:
    """A file that is read; `ended` is whether all of it was."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.ended = file, False

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.ended = not data
        return data


class DamagedError(ValueError):
    """A file differs from what was written; the message names it."""


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path that becomes `path` if the block succeeds; else nothing changes.

    It has the suffixes of `path`, so that writers choose the same format. The temporary file of a
    killed process is removed at the next writing, that of another machine after a day.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_left(path)
    part = path.with_name(f".{_machine()}-{os.getpid()}-{uuid4().hex[:8]}.{path.name}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _remove_left(path: Path) -> None:
    """Remove temporary files of `path` from processes that have ended."""
    pattern = re.compile(rf"\.([0-9a-f]{{8}})-(\d+)-[0-9a-f]{{8}}\.{re.escape(path.name)}")
    with os.scandir(path.parent) as entries:
        parts = [
            (Path(entry.path), match)
            for entry in entries
            if (match := pattern.fullmatch(entry.name))
        ]
    for part, match in parts:
        # process numbers of another machine are meaningless, so the file's age decides
        is_here = match[1] == _machine()
        if not _runs(int(match[2])) if is_here else _is_abandoned(part):
            part.unlink(missing_ok=True)


def _is_abandoned(part: Path) -> bool:
    """Return whether a temporary file has not changed for `ABANDONED` seconds."""
    try:
        return time.time() - part.stat().st_mtime > ABANDONED
    except FileNotFoundError:
        return False


def _runs(process: int) -> bool:
    """Return whether a process with this number exists; True if that is unknown."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's process, or an invalid number
        pass
    return True


@cache
def _machine() -> str:
    """Return a text that is equal only for processes with a common process numbering."""
    seen = [platform.node()]
    for fact in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        with suppress(OSError):
            seen.append(os.readlink(fact) if "ns" in fact else Path(fact).read_text())
    return hashlib.sha256(" ".join(seen).encode()).hexdigest()[:8]


def check_regular(path: str | os.PathLike[str]) -> None:
    """Raise `DamagedError` for a folder, a device, or a pipe: a reader might wait."""
    if Path(path).exists() and not Path(path).is_file():
        raise DamagedError(f"{path}: not a regular file; write what it holds to one")


def compression_of(head: bytes) -> Compression | None:
    """Return the compression of a file that begins so; None if there is none."""
    return next((found for magic, found in COMPRESSIONS.items() if head.startswith(magic)), None)


def read_unpacked(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a text file, unpacked if it is compressed, without a BOM."""
    return b"".join(unpacked_blocks(path))


def unpacked_blocks(
    path: str | os.PathLike[str], size: int | None = None, exact: bool = False
) -> Iterator[bytes]:
    """Yield the content of `read_unpacked` in blocks of `size` bytes; in one block if it is None.

    If `exact`, a BOM is part of it. Raises `DamagedError` if the compressed content is damaged or
    cut.
    """
    check_regular(path)
    with Path(path).open("rb") as file:
        packed = compression_of(file.read(max(map(len, COMPRESSIONS))))
        file.seek(0)
        source: Any = _Watched(file) if packed and packed.open in _END_SILENTLY else file
        try:
            with packed.open(source) if packed else nullcontext(file) as content:
                block = content.read(size).removeprefix(b"" if exact else codecs.BOM_UTF8)
                while block:
                    yield block
                    block = b"" if size is None else content.read(size)
            if isinstance(source, _Watched) and not source.ended:
                raise EOFError("other data follows its end")
        except _DAMAGES as error:
            if packed is None or getattr(error, "errno", None):  # the disk's, not the content's
                raise
            raise DamagedError(
                f"{path}: damaged {packed.name} file: {error}; copy or export it again"
            ) from error


def whole_lines(path: str | os.PathLike[str], size: int) -> Iterator[bytes]:
    """Yield the content in one or more parts of about `size` bytes that end with a newline."""
    rest, parts, feeds, last = b"", 0, False, b""
    for block in unpacked_blocks(path, size):
        block = last + block
        feeds, last = feeds or b"\n" in block, b""
        if not feeds:  # lines may end with a carriage return only
            if block.endswith(b"\r"):  # or with a newline after it, in the next block
                block, last = block[:-1], b"\r"
            block = block.replace(b"\r", b"\n")
        end = block.rfind(b"\n") + 1
        if not end:
            rest += block
            continue
        yield rest + block[:end] if rest else block[:end]
        parts += 1
        rest = block[end:]
    if rest or last or not parts:
        yield rest + b"\n" if rest or last else rest


def printable(text: str) -> str:
    r"""Return a text from a file for a message; its escapes might clear a screen.

    >>> print(printable("\x1b[2Jjob 1"))
    \x1b[2Jjob 1
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def write_parquet(
    frame: pd.DataFrame,
    path: str | os.PathLike[str],
    *,
    about: Mapping[str, str] | None = None,
) -> None:
    """Write the columns of `frame` (without its index) as a Parquet file, atomically.

    Pages have checksums, and so has the whole file, in the footer. Equal frames give equal files:
    no time is written. `about` are facts to store next to versions and the environment's `SCALE`.
    """
    scale = os.environ.get(SCALE)
    facts = _versions() | ({"scale": scale} if scale else {}) | dict(about or {})
    table = pa.Table.from_pandas(frame, preserve_index=False)
    with whole(path) as part:
        with pq.ParquetWriter(part, table.schema, write_page_checksum=True) as writer:
            writer.write_table(table)
            writer.add_key_value_metadata({_ABOUT: json.dumps(facts, sort_keys=True)})
            writer.add_key_value_metadata({_DIGEST: _NO_DIGEST.decode()})
        with part.open("r+b") as file:
            first, _ = _slot(file)
            file.seek(0)
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(first)
            file.write(digest.encode())


def read_parquet(
    path: str | os.PathLike[str],
    *,
    columns: list[str] | None = None,
    filters: list[tuple] | None = None,
) -> pd.DataFrame:
    """Read a file of `write_parquet`; `DamagedError` if any part of it has changed."""
    with _verified(path) as file:
        read = partial(pd.read_parquet, file, filters=filters, page_checksum_verification=True)
        facts = pq.read_metadata(file)
        if filters or facts.num_rows < MANY_ROWS:
            return read(columns=columns)
        names = facts.schema.to_arrow_schema().names if columns is None else columns
        # the bytes of the file and the columns are in memory together for one column at a time
        columns_read = {name: read(columns=[name])[name] for name in names}
    pa.default_memory_pool().release_unused()
    return pd.DataFrame(columns_read, copy=False)


def columns_in(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of the columns in a file of `write_parquet`."""
    with _verified(path) as file:
        return list(pq.read_schema(file).names)


def about(path: str | os.PathLike[str]) -> dict[str, str]:
    """Return the facts stored in a file of `write_parquet`: versions, and further given ones."""
    with _verified(path) as file:
        return json.loads(pq.read_metadata(file).metadata[_ABOUT.encode()])


@cache
def _versions() -> dict[str, str]:
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    return versions | {"python": platform.python_version()}


def _slot(file: BinaryIO) -> tuple[int, bytes]:
    """Return the position of the digest of the whole file in it, and the digest."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 8, 0))
    # the footer's length is before the last four bytes
    begin = max(size - 8 - int.from_bytes(file.read(4), "little"), 0)
    file.seek(begin)
    match = _SLOT.search(file.read())
    if not match:
        raise ValueError("no checksum in it")
    return begin + match.start(1), match[1]


@contextmanager
def _verified(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a file whose bytes match the digest in it, open at its begin."""
    remedy = "delete it and run the same command again to rebuild it"
    with Path(path).open("rb") as file:
        try:
            first, wanted = _slot(file)
        except ValueError as error:
            raise DamagedError(
                f"{path}: {error}: damaged, or made by something else or an earlier version; "
                f"{remedy}"
            ) from error
        file.seek(0)
        digest = hashlib.sha256()
        left = first
        while left and (block := file.read(min(left, 1 << 20))):
            digest.update(block)
            left -= len(block)
        digest.update(_NO_DIGEST)
        file.seek(first + len(_NO_DIGEST))
        while block := file.read(1 << 20):
            digest.update(block)
        if digest.hexdigest().encode() != wanted:
            raise DamagedError(
                f"{path}: damaged, its bytes are not those that were written; {remedy}"
            )
        file.seek(0)
        yield file


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write `text` and a line end as UTF-8, atomically."""
    with whole(path) as part:
        part.write_text(f"{text}\n", encoding="utf-8")
