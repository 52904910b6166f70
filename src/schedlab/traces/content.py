"""Contents of files that no reader of logs can read, by name, with what to do."""

import gzip
import os
import re
import zlib
from pathlib import Path

from schedlab.files.io import check_regular

#: bytes of a file that format detection sees
SHOWN = 4096
#: bytes that a text has only where it is damaged; a number and a share of them that make it none
_CONTROLS = bytes({*range(32)} - {*range(9, 14), 27})
_FEW_CONTROLS, _MOST_CONTROLS = 8, 1 / 64
PARQUET = b"PAR1"
#: first bytes of files that are compressed, and of other files that are no text
_SIGNATURES = {
    b"\xfd7zXZ\x00": "is compressed by xz; unpack it with xz -d",
    b"BZh": "is compressed by bzip2; unpack it with bunzip2",
    b"\x28\xb5\x2f\xfd": "is compressed by zstd; unpack it with zstd -d",
    b"\x04\x22\x4d\x18": "is compressed by lz4; unpack it with lz4 -d",
    b"\x1f\x9d": "is compressed by compress; unpack it with gunzip",
    b"\x5d\x00\x00": "is compressed by lzma; unpack it with xz -d",
    b"PK\x03\x04": "is a zip archive; unpack it",
    b"7z\xbc\xaf": "is a 7z archive; unpack it",
    b"\x1f\x8b": "is compressed by gzip twice; unpack it with gunzip",
    PARQUET: "is a Parquet table, which needs no import",
    b"ARROW1": "is an Arrow (Feather) table; write it as Parquet",
    b"ORC": "is an ORC table; write it as Parquet",
    b"SQLite format 3": "is an SQLite database; export its table of jobs as Parquet",
    b"\x89HDF": "is an HDF5 file; write its table of jobs as Parquet",
    b"\xd0\xcf\x11\xe0": "is a workbook of Excel; export its table of jobs as Parquet",
    b"%PDF": "is a PDF document; give the log itself",
}
_TAR = 257  # place of its signature
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SACCT = "export it with sacct -P"
_TABLE = "make it a Parquet table with columns named as in the documentation, Add a log"
_NOT_READ = f"which schedlab does not read; {_TABLE}"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "^": "'^'", ":": "colons"}
#: an id and, within the first 18 values, a time: a line of sacct or squeue without names
_ALIGNED = re.compile(r"\s*\d[\w.+\[\]%,-]*(?:\s+\S+){0,16}\s+\d{4}-\d\d-\d\dT\d\d:")
_WIDTHS = f"has columns of a fixed width, which cut values; {_SACCT}"
#: first lines of other formats
_OTHERS = {
    r"\d\d?/\d\d?/\d{4} \d\d:\d\d:\d\d;[A-Z];": (
        "is an accounting log of PBS or Torque, which schedlab import-pbs reads"
    ),
    r'"[A-Z_]+" "[\d.]+" \d': f"is an accounting log of LSF (lsb.acct), {_NOT_READ}",
    r"(?:[^:|]*:){38}": f"is an accounting log of Grid Engine, {_NOT_READ}",
    r"[#\s]*JobID\s+SubmitTime\b": f"is in the Grid Workloads Format, {_NOT_READ}",
}


def read_head(path: str | os.PathLike[str]) -> bytes:
    """Return the first bytes of a file, unpacked if gzip compressed them; none if it is damaged."""
    path = Path(path)
    check_regular(path)
    with path.open("rb") as file:
        head = file.read(SHOWN)
    if not head.startswith(b"\x1f\x8b"):
        return head
    try:
        with gzip.open(path) as file:
            head = file.read(SHOWN)
    except (EOFError, OSError, zlib.error):
        return b""  # its reader says what is damaged
    if head.startswith(PARQUET):
        raise ValueError(f"{path}: is a Parquet table, compressed by gzip; unpack it with gunzip")
    return head


def name_unreadable(head: bytes) -> str | None:
    """Return what a file is that no reader can read, and what to do; None for other files."""
    if binary := name_binary(head):
        return binary
    text = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    if re.match(r'[{\[]\s*["{\[\]}]|\[\s*[-\d]', text):
        return f"is JSON, which schedlab does not read; {_SACCT}"
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
