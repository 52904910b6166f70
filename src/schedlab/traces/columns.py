"""Logs as Parquet tables, with columns named as the fields of the workload format."""

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from schedlab.core.requests import COLUMNS, DEFAULTS, PREFIX, RAN_ON, Texts, columns_in, is_number
from schedlab.files.io import DamagedError, about, printable, write_parquet
from schedlab.traces.parts import Parts, joined
from schedlab.traces.swf import FIELDS, Header

#: other accepted names of fields, from tables of clean jobs and data frames
ALSO = {"estimate": "requested_time", "processors": "procs", "job": "number"}
NEEDED = ("submit", "runtime", "procs")
UNKNOWN = -1
#: name of an index that has the lines of a text, for messages
LINE = "line"
#: fields that get numbers for the texts of a request
_NAMED = {"user": ("user",), "partition": ("partition", "queue")}
#: where a table keeps the header of its log
_HEADER = "header"


def has_fields(names: Iterable[str]) -> bool:
    """Return whether columns are enough for a log by the names of SWF's fields."""
    return {ALSO.get(name, name) for name in names}.issuperset(NEEDED)


class ColumnsError(ValueError):
    """A table is not a valid log; the message names the file, the column and the row."""


def write_columns(path: str | os.PathLike[str], parts: Parts, header: Header) -> None:
    """Write a log as a table for `read_columns`, with its requests; `read_header` reads its header.

    Columns are `schedlab.traces.swf.FIELDS`, and of `schedlab.core.requests.COLUMNS` and ``ran_on``
    those that the log has. The table is written atomically.
    """
    jobs = joined(parts)
    columns = [name for name in (*FIELDS, *COLUMNS, RAN_ON) if name in jobs]
    write_parquet(jobs[columns], path, about={_HEADER: "\n".join(header.lines)})


def read_header(path: str | os.PathLike[str]) -> Header:
    """Return the header of a table of `write_columns`, an empty one for other tables."""
    try:
        text = about(path).get(_HEADER, "")
    except DamagedError:  # a table of another program
        return Header()
    return Header(tuple(text.split("\n"))) if text else Header()


def read_columns(path: str | os.PathLike[str]) -> tuple[pd.DataFrame, bool, tuple[str, ...]]:
    """Read a Parquet table with one column per field.

    Columns are those of `schedlab.traces.swf.FIELDS`; submit, runtime and procs are required.
    What jobs ask for is in columns named as in `schedlab.core.requests.COLUMNS`, or in
    `schedlab.core.requests.DEFAULTS` if that is no field of the log; user and partition may be
    texts. ``ran_on`` has the nodes of jobs as in Slurm's NodeList. ``estimate`` is read as
    requested_time, and ``start`` (a time like submit) gives the waits. Without job numbers, jobs
    are numbered from 1; missing values are unknown. Times may be seconds or dates; dates without a
    zone are UTC. Returns the jobs as from `schedlab.traces.swf.read_swf`; whether submit times are
    seconds of Unix time, because dates were given; and notes on columns that are not used.
    """
    path = Path(path)
    try:
        table = pd.read_parquet(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        if getattr(error, "errno", None):  # the disk's
            raise
        raise ColumnsError(f"{path}: damaged Parquet file: {error}") from error
    return columns_of(path, table)


def columns_of(path: Path, table: pd.DataFrame) -> tuple[pd.DataFrame, bool, tuple[str, ...]]:
    """Return what `read_columns` returns, of a table in memory; `path` is for messages."""
    renamed = {name: field for name, field in ALSO.items() if name in table and field not in table}
    table = table.rename(columns=renamed)
    if absent := [name for name in NEEDED if name not in table]:
        raise ColumnsError(
            f"{path}: column '{absent[0]}' is missing; there are {', '.join(map(str, table))}"
        )
    requests = _read_requests(path, table)
    table = _with_numbers(table, requests)
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
            f"{path}: {_place(table, int(np.argmax(twice)))}: column 'number': job "
            f"{jobs['number'][twice].iloc[0]} stands in an earlier row already"
        )
    jobs = jobs.join(requests)
    if RAN_ON in table:
        jobs[RAN_ON] = Texts.of(table[RAN_ON]).column()
    names = {name.removeprefix(PREFIX) for name in requests}
    known = {*FIELDS, "start", RAN_ON, *requests, *names}
    unread = [str(name) for name in table if name not in known]
    notes = (f"columns that are no fields: {', '.join(unread)}",) if unread else ()
    order = np.lexsort((jobs["number"], jobs["submit"]))
    return jobs.iloc[order].reset_index(drop=True), absolute, notes


def _read_requests(path: Path, table: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of requests; ``memory`` is the memory that a job used."""
    columns: dict[str, object] = {}
    for name, column in columns_in(table.drop(columns="memory", errors="ignore")).items():
        default = DEFAULTS[name]
        if isinstance(default, str):
            columns[PREFIX + name] = Texts.of(column).column()
        elif isinstance(default, bool):
            columns[PREFIX + name] = column.fillna(default).astype(bool).to_numpy()
        else:
            values = _whole(path, table, str(column.name))
            unknown = column.isna().to_numpy() | ((values < 0) & (name != "nice"))
            columns[PREFIX + name] = np.where(unknown, default, values)
    return pd.DataFrame(columns, pd.RangeIndex(len(table)))


def _with_numbers(table: pd.DataFrame, requests: pd.DataFrame) -> pd.DataFrame:
    """Return a table with numbers from 1 for users and partitions, where these are texts."""
    for name, fields in _NAMED.items():
        if name not in table or is_number(table[name]) or PREFIX + name not in requests:
            continue
        texts = requests[PREFIX + name]
        names = sorted(filter(None, texts.cat.categories))
        codes = texts.cat.set_categories(names).cat.codes.to_numpy(dtype=np.int64)
        numbers = np.where(codes < 0, UNKNOWN, codes + 1)
        table = table.assign(
            **{field: numbers for field in fields if field not in table or field == name}
        )
    return table


def _place(table: pd.DataFrame, row: int) -> str:
    """Return where a row is in the file: its line, if the table has them."""
    return f"line {table.index[row]}" if table.index.name == LINE else f"row {row + 1}"


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
            f"{path}: {_place(table, row)}: column '{name}' is not a whole number: '{cell}'; "
            "round it, and leave out other signs"
        )
    if name == "cpu_time":
        return np.where(missing, UNKNOWN, values)
    if pd.api.types.is_integer_dtype(column) and not missing.any():
        return column.to_numpy(dtype=np.int64)
    return np.where(missing, UNKNOWN, values).astype(np.int64)
