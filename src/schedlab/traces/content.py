"""Contents of files that no reader of logs can read, by name, with what to do."""

import re

#: bytes of a file that format detection sees
SHOWN = 4096
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
    b"%PDF": "is a PDF document; give the log itself",
}
_TAR = 257  # place of its signature
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SACCT = "export it with sacct -P"
_TABLE = "make it a Parquet table with columns named as in the documentation, How to use your log"
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
#: first lines of other formats
_OTHERS = {
    r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Z];": "is an accounting log of PBS or Torque",
    r'"JOB_[A-Z]+" "': "is an accounting log of LSF (lsb.acct)",
    r"(?:[^:\s]*:){38}": "is an accounting log of Grid Engine",
    r"#.*\bJobID\s+SubmitTime\b": "is in the Grid Workloads Format",
}


def name_unreadable(head: bytes) -> str | None:
    """Return what a file is that no reader can read, and what to do; None for other files.

    `head` are the first bytes of its content, unpacked if it is compressed by gzip.

    Examples
    --------
    >>> name_unreadable(b'{"jobs": []}')
    'is JSON, which schedlab does not read; export it with sacct -P'
    >>> name_unreadable(b"JobID|Submit|Elapsed|NCPUS")
    """
    for signature, name in _SIGNATURES.items():
        if head.startswith(signature):
            return name
    if head[_TAR:].startswith(b"ustar"):
        return "is a tar archive; unpack it and give the log in it"
    if head.startswith(_WIDE):
        return "is text in UTF-16 or UTF-32; convert it with iconv -t UTF-8"
    text = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    if "\x00" in text:
        return "is no text, or text in UTF-16; convert text with iconv -t UTF-8"
    if re.match(r'[{\[]\s*["{\[\]}]', text):
        return f"is JSON, which schedlab does not read; {_SACCT}"
    if text.startswith("<"):
        return "is XML or HTML; give the log itself"
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    for pattern, name in _OTHERS.items():
        if re.match(pattern, first):
            return f"{name}, which schedlab does not read; {_TABLE}"
    return None if first.startswith(";") else _name_of_table(first)


def _name_of_table(first: str) -> str | None:
    """Return what a text is whose first line has names of columns, but not as sacct -P has them."""
    is_dump = {"jobid", "jobidraw"} & set(re.split(r'[\s",;|#]+', first.casefold()))
    if is_dump and '"' in first:
        return f"has quotation marks around values; {_SACCT}, which writes none"
    if "|" in first or not re.match(r'[\s"#]*[^\W\d]', first):
        return None
    for separator, name in _SEPARATORS.items():
        if separator in first:
            return (
                f"has {name} between values; {_SACCT}"
                if is_dump
                else (f"is a table of text with {name} between values; {_TABLE}")
            )
    if is_dump:
        return f"has columns of a fixed width, which cut values; {_SACCT}"
    return None
