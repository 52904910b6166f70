"""Logs as Parquet tables, with columns named as the fields of the workload format."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from schedlab.files.io import printable
from schedlab.traces.swf import FIELDS

#: other accepted names of fields, from tables of clean jobs and data frames
ALSO = {"estimate": "requested_time", "processors": "procs", "job": "number"}
NEEDED = ("submit", "runtime", "procs")
UNKNOWN = -1


class ColumnsError(ValueError):
    """A table is not a valid log; the message names the file, the column and the row."""


def read_columns(path: str | os.PathLike[str]) -> tuple[pd.DataFrame, bool, tuple[str, ...]]:
    """Read a Parquet table with one column per field.

    Columns are those of `schedlab.traces.swf.FIELDS`; submit, runtime and procs are required.
    ``estimate`` is read as requested_time, and ``start`` (a time like submit) gives the waits.
    Without job numbers, jobs are numbered from 1; missing values are unknown. Times may be seconds
    or dates; dates without a zone are UTC. Returns the jobs as from
    `schedlab.traces.swf.read_swf`; whether submit times are seconds of Unix time, because dates
    were given; and notes on columns that are not used.
    """
    path = Path(path)
    try:
        table = pd.read_parquet(path)
    except (pa.ArrowException, ValueError) as error:
        raise ColumnsError(f"{path}: damaged Parquet file: {error}") from error
    renamed = {name: field for name, field in ALSO.items() if name in table and field not in table}
    table = table.rename(columns=renamed)
    if absent := [name for name in NEEDED if name not in table]:
        raise ColumnsError(
            f"{path}: column '{absent[0]}' is missing; there are {', '.join(map(str, table))}"
        )
    absolute = pd.api.types.is_datetime64_any_dtype(table["submit"])
    jobs = pd.DataFrame(
        {name: _whole(path, table, name) for name in FIELDS if name in table},
        index=pd.RangeIndex(len(table)),
    )
    if "number" not in jobs:
        jobs["number"] = np.arange(1, len(jobs) + 1)
    if "wait" not in jobs and "start" in table:
        start = _whole(path, table, "start")
        has_times = (start >= 0) & (jobs["submit"] >= 0)
        jobs["wait"] = np.where(has_times, start - jobs["submit"], UNKNOWN)
    jobs = jobs.reindex(columns=list(FIELDS), fill_value=UNKNOWN)
    jobs["cpu_time"] = jobs["cpu_time"].astype("float64")
    if (twice := jobs["number"].duplicated()).any():
        raise ColumnsError(
            f"{path}: row {int(np.argmax(twice)) + 1}: column 'number': job "
            f"{jobs['number'][twice].iloc[0]} stands in an earlier row already"
        )
    unread = [str(name) for name in table if name not in (*FIELDS, "start")]
    notes = (f"columns that are no fields: {', '.join(unread)}",) if unread else ()
    order = np.lexsort((jobs["number"], jobs["submit"]))
    return jobs.iloc[order].reset_index(drop=True), absolute, notes


def _whole(path: Path, table: pd.DataFrame, name: str) -> np.ndarray:
    """Return a column as whole numbers, -1 for missing values."""
    column = table[name]
    if pd.api.types.is_datetime64_any_dtype(column):
        # in whole seconds, whatever the unit of the column; missing values stay missing
        since = pd.to_datetime(column, utc=True) - pd.Timestamp(0, tz="UTC")
        column = since.dt.total_seconds() // 1
    elif pd.api.types.is_timedelta64_dtype(column):
        column = column.dt.total_seconds() // 1
    values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    missing = column.isna().to_numpy()
    bad = ~missing & ~(np.isfinite(values) & (values == np.floor(values)))
    if name != "cpu_time" and bad.any():
        row = int(np.argmax(bad))
        cell = printable(str(column.iloc[row]))
        raise ColumnsError(
            f"{path}: row {row + 1}: column '{name}' is not a whole number: '{cell}'"
        )
    if name == "cpu_time":
        return np.where(missing, UNKNOWN, values)
    if pd.api.types.is_integer_dtype(column) and not missing.any():
        return column.to_numpy(dtype=np.int64)
    return np.where(missing, UNKNOWN, values).astype(np.int64)
