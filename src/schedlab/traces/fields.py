"""Fields of a fetched log, or of the jobs that a model draws instead."""

import os
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.traces.cleaning import as_log
from schedlab.traces.parts import OnePart, Parts, joined
from schedlab.traces.readers import SWF, reader_of
from schedlab.traces.records import unaltered
from schedlab.traces.swf import SwfParts


@dataclass(frozen=True, eq=False)
class LogFields:
    """Input of the cleaning: the log's fields in parts, and UnixStartTime of its header.

    `drawn`: a model drew every job, because the log is not available.
    """

    parts: Parts
    unix_start: int | None
    drawn: bool

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """All jobs."""
        return joined(self.parts)


def read_fields(
    text: str | os.PathLike[str], model: str | os.PathLike[str] | None, estimated: bool
) -> LogFields:
    """Read a fetched log of any format, or the model's jobs if the log is not available.

    `model` has the jobs of the model that draws the log, None if there is no model. `estimated`:
    that model draws estimates.
    """
    path = unaltered(text)
    # a log that is not available may be an empty file
    reader = reader_of(path) if path.stat().st_size else None
    raw: Parts
    if reader is None or reader.name == SWF:
        raw = SwfParts(path)
        start = raw.header.integer("UnixStartTime")  # 0 is a time here
    else:
        log = reader.read(path)
        raw, start = log.parts, log.unix_start
    is_model = bool(model) and all(part.empty for part in raw)
    parts = OnePart(as_log(read_parquet(model), estimated)) if model and is_model else raw
    return LogFields(parts, start, is_model)
