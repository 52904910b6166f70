"""Records of fetched files, and checks that a file is unchanged."""

import hashlib
import json
from pathlib import Path

_REMEDY = (
    "Delete both files and run the same command again to fetch it again; register your "
    "own log under another name."
)


class AlteredError(ValueError):
    """A fetched file has changed; the message states what to do."""


def unaltered(text: str | Path) -> Path:
    """Return the path of a fetched log or pool, if it still matches its record."""
    text = Path(text)
    record = record_of(text)
    try:
        fetched = json.loads(record.read_text())["written"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AlteredError(
            f"{text}: its record {record} cannot be read ({type(error).__name__}: {error}), so "
            f"it is unknown what was fetched. {_REMEDY}"
        ) from error
    if (digest := sha256_of(text)) != fetched:
        raise AlteredError(
            f"{text}: altered since it was fetched: sha256 {digest}, its record {record} has "
            f"{fetched}. {_REMEDY}"
        )
    return text


def record_of(text: Path) -> Path:
    """Return the path of a file's record: LOG.json of LOG.swf, POOL.record.json of a pool."""
    return text.with_suffix(".record.json" if text.suffix == ".json" else ".json")


def sha256_of(text: Path) -> str:
    """Return the checksum of a file."""
    with text.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
