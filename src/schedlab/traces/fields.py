"""Fields of a fetched log, or of the jobs that a model draws instead."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.traces.cleaning import as_log
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf


@dataclass(frozen=True, eq=False)
class LogFields:
    """Input of the cleaning: the log's fields, and UnixStartTime of its header.

    `drawn`: a model drew every job, because the log is not available.
    """

    jobs: pd.DataFrame
    unix_start: int | None
    drawn: bool


def read_fields(
    text: str | os.PathLike[str], model: str | os.PathLike[str] | None, estimated: bool
) -> LogFields:
    """Read a fetched log, or the model's jobs if the log is not available.

    `text` is the SWF file, see `schedlab.traces.records.unaltered`; without jobs if it is not
    available. `model` has the jobs of the model that draws the log, None if there is no model.
    `estimated`: that model draws estimates.
    """
    raw = read_swf(unaltered(text))
    jobs = raw.all_fields
    is_model = bool(jobs.empty and model)
    if is_model:
        jobs = as_log(read_parquet(model), estimated)
    return LogFields(jobs, raw.header.integer("UnixStartTime"), is_model)
