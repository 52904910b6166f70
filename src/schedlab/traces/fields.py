"""Fields of a fetched log, or of the jobs that a model draws instead."""

import os
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.traces.cleaning import as_log
from schedlab.traces.parts import OnePart, Parts, joined
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
    """Read a fetched log, or the model's jobs if the log is not available.

    `model` has the jobs of the model that draws the log, None if there is no model. `estimated`:
    that model draws estimates.
    """
    raw = SwfParts(unaltered(text))
    is_model = bool(model) and all(part.empty for part in raw)
    parts = OnePart(as_log(read_parquet(model), estimated)) if model and is_model else raw
    return LogFields(parts, raw.header.integer("UnixStartTime"), is_model)
