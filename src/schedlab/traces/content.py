"""Contents of files that no reader of logs can read, by name, with what to do."""

import os
import re
from pathlib import Path

from schedlab.files.io import compression_of, unpacked_blocks

#: bytes of a file that format detection sees
SHOWN = 4096
#: bytes that a text has only where it is damaged; a number and a share of them that make it none
_CONTROLS = bytes({*range(32)} - {*range(9, 14), 27})
_FEW_CONTROLS, _MOST_CONTROLS = 8, 1 / 64
PARQUET = b"PAR1"
#: first bytes of files that are compressed, and of other files that are no text
_SIGNATURES = {
    b"\x04\x22\x4d\x18": "is compressed by lz4; unpack it with lz4 -d",
    b"\x1f\x9d": "is compressed by compress; unpack it with gunzip",
    b"\x5d\x00\x00": "is compressed by lzma; unpack it with xz -d",
    b"PK\x03\x04": "is a zip archive; unpack it",
    b"7z\xbc\xaf": "is a 7z archive; unpack it",
    PARQUET: "is a Parquet table, which needs no import",
    b"ARROW1": "is an Arrow (Feather) table; write it as Parquet",
    b"ORC": "is an ORC table; write it as Parquet",
    b"SQLite format 3": "is an SQLite database; export its table of jobs as Parquet",
    b"\x89HDF": "is an HDF5 file; write its table of jobs as Parquet",
    b"\xd0\xcf\x11\xe0": "is a workbook of Excel; export its table of jobs as Parquet",
    b"%PDF": "is a PDF document; give the log itself",
    b"\x89PNG": "is a PNG image; give the log itself",
    b"\xff\xd8\xff": "is a JPEG image; give the log itself",
}
_TAR = 257  # place of its signature
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SACCT = "export it with sacct -P"
_TABLE = "name its columns in a map: schedlab import-log --columns FILE"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "^": "'^'", ":": "colons"}
#: an id and, within the first 18 values, a time: a line of sacct or squeue without names
_ALIGNED = re.compile(r"\s*\d[\w.+\[\]%,-]*(?:\s+\S+){0,16}\s+\d{4}-\d\d-\d\dT\d\d:")
_WIDTHS = f"has columns of a fixed width, which cut values; {_SACCT}"
#: first lines of other formats
_OTHERS = {
    r'"[A-Z_]+" "[\d.]+" \d': "is an accounting log of LSF (lsb.acct), which is not read",
}


def read_head(path: str | os.PathLike[str]) -> bytes:
    """Return the first bytes of a file, unpacked if it is compressed; see `unpacked_blocks`."""
    head = next(unpacked_blocks(path, SHOWN), b"")
    if head.startswith(PARQUET):
        with Path(path).open("rb") as file:
            packed = compression_of(file.read(SHOWN))
        if packed:
            raise ValueError(
                f"{path}: is a Parquet table, compressed by {packed.name}; unpack it: Parquet has "
                "a compression of its own"
            )
    return head


def name_unreadable(head: bytes) -> str | None:
    """Return what a file is that no reader can read, and what to do; None for other files."""
    if binary := name_binary(head):
        return binary
    text = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    if re.match(r'[{\[]\s*["{\[\]}]|\[\s*[-\d]', text):
        return "is JSON, but not of sacct --json"
    if text.startswith("<"):
        return "is XML or HTML; give the log itself"
    lines = re.split(r"[\r\n]+", text)
    # some formats begin with remarks
    data = next((line for line in lines if not line.startswith("#")), "")
    for pattern, name in _OTHERS.items():
        if re.match(pattern, lines[0]) or re.match(pattern, data):
            return name
    return None if text.startswith(";") else _name_of_table(lines[0])


def name_binary(head: bytes) -> str | None:
    """Return what a file is that is no text in UTF-8, and what to do; None for other files."""
    if packed := compression_of(head):
        return f"is compressed twice, by {packed.name} at last; unpack it once"
    for signature, name in _SIGNATURES.items():
        if head.startswith(signature):
            return name
    if head[_TAR:].startswith(b"ustar"):
        return "is a tar archive; unpack it and give the log in it"
    if head.startswith(_WIDE):
        return "is text in UTF-16 or UTF-32; convert it with iconv -t UTF-8"
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls > max(_FEW_CONTROLS, len(head) * _MOST_CONTROLS):
        return "is no text, or text in UTF-16; convert text with iconv -t UTF-8"
    return None


def _name_of_table(first: str) -> str | None:
    """Return what a text is whose first line is no line of a log in a known format."""
    names = {"jobid", "jobidraw"} & set(re.split(r"[^\w=]+", first.casefold()))
    if names and '"' in first:
        return f"has quotation marks around values; {_SACCT}, which writes none"
    if "|" in first:
        return None
    if _ALIGNED.match(first):
        return _WIDTHS
    if re.match(r"[-+]?\d+(?:\.\d*)?(?:\s|$)", first):  # of a log without a header
        return None
    for separator, name in _SEPARATORS.items():
        if separator in first:
            if names:
                return f"has {name} between values; {_SACCT}"
            if separator in ",;\t":
                return f"is a table of text with {name} between values; {_TABLE}"
    return _WIDTHS if names else None
