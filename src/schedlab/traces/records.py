"""Records beside fetched files, and whether a file still is what was fetched."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

_REMEDY = (
    "Delete both files and run the same command again to fetch it anew; a log of your own is to be "
    "registered under a name of its own."
)


class AlteredError(ValueError):
    """A fetched file that is no longer what was fetched; the message says what to do."""


def unaltered(text: str | Path) -> Path:
    """Return the path of a fetched log or pool, if it still is what its record says.

    Parameters
    ----------
    text : path
        A file that was fetched (or put in the place of one that is nowhere), with its record
        beside it, see `record_of`.

    Raises
    ------
    AlteredError
        The file has another checksum than when it was fetched, or no record.
    """
    text = Path(text)
    record = record_of(text)
    try:
        fetched = json.loads(record.read_text())["written"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AlteredError(
            f"{text}: its record {record} cannot be read ({type(error).__name__}: {error}), so "
            f"nobody knows what was fetched. {_REMEDY}"
        ) from error
    if (found := sha256_of(text)) != fetched:
        raise AlteredError(
            f"{text}: altered since it was fetched: sha256 {found}, its record {record} has "
            f"{fetched}. {_REMEDY}"
        )
    return text


def record_of(text: Path) -> Path:
    """Path of the record beside a fetched file: LOG.json of LOG.swf, POOL.record.json of a pool."""
    return text.with_suffix(".record.json" if text.suffix == ".json" else ".json")


def sha256_of(text: Path) -> str:
    """Checksum of a file as it stands."""
    with text.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
