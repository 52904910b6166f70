"""Tables of other programs and of published data sets, as dumps, by a map of their columns.

`tables.tsv` has a row for each column of a data set: the field of sacct that it holds (or ``GPUs``,
or ``Wait``, seconds after ``Submit``), its unit, and the zone of local times. Units are s, ms, us,
ns, min and h of times and durations, B, KB, MB and GB of memory (with ``/node`` or ``/cpu``), swf
of states as numbers, label of ids that may be no numbers: jobs get those of their lines. Dates,
durations and texts with a unit need none. -1 means unknown.

References
----------
PM100: francescoantici/PM100-data, documentation/job_features.md. F-DATA (Fugaku): Antici et al.,
Zenodo 11467483, feature_list.csv. Kestrel: OEDI 8643. Eagle: OEDI 5860, NREL/eagle-jobs. Helios:
Hu et al., SC'21, cluster_log.csv. GWA: Iosup et al., The Grid Workloads Archive, 2008.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from schedlab.files.known_words import check_known
from schedlab.traces.slurm.sacct_lines import NEEDED, READ, TIMES, Dump, SacctError, Scanner
from schedlab.traces.slurm.sacct_times import DAY, HOUR, MINUTE, NONE

ROWS = 1 << 17  # rows of a table that are read at a time
#: fields of maps that are no fields of sacct
_EXTRA = ("GPUs", "Wait")
_SPANS = ("ElapsedRaw", "Timelimit", "Wait")
#: factor and divisor from a unit to seconds
_SECONDS = {
    **{"-": (1, 1), "s": (1, 1), "min": (MINUTE, 1), "h": (HOUR, 1)},
    **{"ms": (1, 10**3), "us": (1, 10**6), "ns": (1, 10**9)},
}
_MEGABYTES = {"B": 1 / (1 << 20), "KB": 1 / 1024, "MB": 1, "GB": 1024}
_PER = {"": "", "node": "n", "cpu": "c"}
_UNITS = (*_SECONDS, *(f"{unit}{'/' * bool(per)}{per}" for unit in _MEGABYTES for per in _PER))
UNITS = (*_UNITS, "swf", "label")
#: states as numbers in SWF and GWF
_STATES = {"1": "COMPLETED", "0": "FAILED", "5": "CANCELLED"}
_NUMBER = r"^-?\d+(\.\d+)?([eE][-+]?\d+)?$"
#: columns of a file with a map
_HEADING = ["column", "field", "unit"]


@dataclass(frozen=True)
class Map:
    """Map of the columns of a table: field and unit by column; the zone of local times."""

    name: str
    columns: Mapping[str, tuple[str, str]]
    zone: str | None = None

    def of(self, names: Iterable[str]) -> dict[str, str]:
        """Return the column for each field, of those that a table has; the first one counts."""
        found: dict[str, str] = {}
        present = set(names)
        for column, (field, _) in self.columns.items():
            if column in present:
                found.setdefault(field, column)
        return found

    def missing(self, names: Iterable[str]) -> str | None:
        """Return what a table lacks for a log; None if it lacks nothing."""
        fields = set(self.of(names))
        if "ReqCPUS" in fields:
            fields.add("NCPUS")
        absent = (each for each in NEEDED if not fields & set(each))
        return next((" or ".join(each) for each in absent), None)


@cache
def maps() -> dict[str, Map]:
    """Return the maps of known data sets, by name."""
    text = files("schedlab.traces").joinpath("tables.tsv").read_text(encoding="utf-8")
    columns: dict[str, dict[str, tuple[str, str]]] = {}
    zones: dict[str, str] = {}
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        columns.setdefault(row["data"], {})[row["column"]] = row["field"], row["unit"]
        if row["zone"] != "-":
            zones[row["data"]] = row["zone"]
    return {name: Map(name, found, zones.get(name)) for name, found in columns.items()}


def read_map(path: str | os.PathLike[str]) -> Map:
    """Read a map of columns: a table with tabs and the columns column, field and unit.

    Raises ValueError if a column is missing, a field or unit is unknown, or it is no UTF-8; the
    message names the line and the nearest name.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is no text in UTF-8; convert it with iconv -t UTF-8") from None
    rows = csv.reader(lines, delimiter="\t")
    if (heading := next(rows, [])) != _HEADING:
        raise ValueError(
            f"{path}: line 1: columns {', '.join(heading) or 'are missing'}; they must be "
            f"{', '.join(_HEADING)}, with tabs between"
        )
    columns: dict[str, tuple[str, str]] = {}
    for number, row in enumerate(rows, start=2):
        if not row:
            continue
        if len(row) != len(_HEADING):
            raise ValueError(
                f"{path}: line {number}: {len(row)} values, but {len(_HEADING)} columns; write - "
                "for no unit"
            )
        column, field, unit = row
        try:
            check_known(field, (*READ, *_EXTRA), "field")
            check_known(unit, UNITS, "unit")
        except ValueError as error:
            raise ValueError(f"{path}: line {number}: {error}") from None
        columns[column] = field, unit
    return Map(str(path), columns)


def map_for(names: Iterable[str]) -> Map | None:
    """Return the known map that fits a table's columns best; None if none does."""
    names = list(names)
    fits = [each for each in maps().values() if each.missing(names) is None]
    return max(fits, key=lambda each: len(each.of(names)), default=None)


def check_map(path: object, found: Map, names: Iterable[str]) -> None:
    """Raise `SacctError` if a table lacks a column that a log needs."""
    names = list(names)
    if absent := found.missing(names):
        raise SacctError(
            f"{path}: no column for {absent}; columns are {', '.join(names)}, and the map "
            f"{found.name} has {', '.join(found.columns)}; name the column with --columns FILE"
        )


def read_parquet_lines(
    path: str | os.PathLike[str], columns: Map | None, size: int = ROWS
) -> Iterator[Dump]:
    """Read a Parquet table by a map, by default that of a known data set, part by part.

    Lines of the ledger are rows, from 1. Raises `SacctError` if the table is damaged, or lacks a
    needed column.
    """
    with _damage_named(path):
        table = pq.ParquetFile(path)
        names = table.schema_arrow.names
    found = columns or map_for(names)
    if found is None:
        raise SacctError(f"{path}: columns {', '.join(names)} are of no known data set")
    check_map(path, found, names)
    reader = TableLines(path, found, names, "row")
    batches = table.iter_batches(min(size, ROWS), columns=reader.columns)
    before = 0
    while True:
        with _damage_named(path):
            batch = next(batches, None)
        if batch is None:
            break
        yield reader.dump(pa.Table.from_batches([batch]), np.arange(len(batch)) + before + 1)
        before += len(batch)
    if not before:
        yield reader.dump(table.schema_arrow.empty_table(), np.arange(0))


@contextmanager
def _damage_named(path: object) -> Iterator[None]:
    """Convert errors of a damaged Parquet file to one that names it."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None):  # the disk's
            raise
        raise SacctError(
            f"{path}: damaged Parquet file: {error}; copy or export it again"
        ) from error


def names_in_parquet(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of a table's columns; none if it is damaged."""
    try:
        return pq.read_schema(path).names
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        return []


class TableLines:
    """Lines of a dump from the columns of a table; `origin` seconds are added to submit times."""

    def __init__(
        self, path: object, found: Map, names: Iterable[str], place: str, origin: int = 0
    ) -> None:
        self._of = found.of(names)
        self._units = {field: found.columns[column][1] for field, column in self._of.items()}
        self._path, self._origin, self._place, self._zone = path, origin, place, found.zone
        self.columns = list(self._of.values())
        fields = [field for field in self._of if field not in _EXTRA]
        fields += ["Start"] if "Wait" in self._of and "Start" not in self._of else []
        fields += [] if {"NCPUS", "AllocCPUS", "AllocTRES"} & set(fields) else ["NCPUS"]
        fields += ["ReqTRES"] if "GPUs" in self._of and "ReqTRES" not in self._of else []
        self._fields = fields
        self._scanner = Scanner(path, tuple(fields), True, False)

    def dump(
        self,
        table: pa.Table,
        lines: np.ndarray,
        cut: Mapping[int, str] | None = None,
        fault: SacctError | None = None,
    ) -> Dump:
        """Return rows of a table as a dump; `cut` are other lines, and what is wrong with them."""
        texts = {}
        for field, column in self._of.items():
            try:
                texts[field] = _texts(table[column], field, self._units[field], lines)
            except pa.ArrowException as error:
                raise SacctError(
                    f"{self._path}: column '{column}' ({table[column].type}) is no {field}: "
                    f"{error}; make it a number, a date or a text"
                ) from error
        if self._origin:
            texts["Submit"] = _sum(texts["Submit"], self._origin)
        if "Wait" in texts and "Start" not in self._of:
            texts["Start"] = _sum(texts["Submit"], texts["Wait"])
        if "GPUs" in texts and "ReqTRES" not in self._of:
            has_none = pc.is_in(texts["GPUs"], pa.array(["", "0"]))
            gres = pc.binary_join_element_wise("gres/gpu=", texts["GPUs"], "")
            texts["ReqTRES"] = pc.if_else(has_none, "", gres)
        empty = pa.repeat("", len(lines))
        cells = [texts.get(field, empty) for field in self._fields]
        joined = pc.binary_join_element_wise(*cells, "|")
        ended = pc.binary_join_element_wise(joined, pa.repeat("\n", len(lines)), "")
        text = b"".join(_content(chunk) for chunk in _chunks(ended))
        others = {"line_unreadable": dict(cut or {})}
        dump = self._scanner.scan(text, 0, others, fault)
        named = {field: column for field, column in self._of.items() if field != column}
        found = replace(dump, lines=lines[dump.lines - 1], place=self._place)
        return replace(found, named=named, zone=self._zone)


def _chunks(column: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def _content(texts: pa.Array) -> bytes:
    """Return texts one after another."""
    texts = texts.cast(pa.large_string())
    _, offsets, data = texts.buffers()
    if data is None or not len(texts):
        return b""
    ends = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return memoryview(data)[ends[0] : ends[-1]].tobytes()


def _texts(column: pa.ChunkedArray, field: str, unit: str, lines: np.ndarray) -> pa.Array:
    """Return the texts of a field, as sacct writes them; "" if unknown."""
    column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if field in TIMES:
        found = _times(column, unit)
    elif field in _SPANS:
        found = _spans(column, unit, field)
    elif field == "ReqMem":
        found = _memory(column, unit)
    else:
        found = _plain(column)
        if field == "State":
            found = pc.utf8_upper(found)
            if unit == "swf":
                found = _replaced(found, _STATES)
        elif unit == "label":
            found = pa.array(lines).cast(pa.string())
    found = pc.fill_null(found, "")
    # a number below 0 means unknown
    return pc.if_else(pc.match_substring_regex(found, r"^-1(\.0+)?$"), "", found)


def _replaced(texts: pa.Array, others: Mapping[str, str]) -> pa.Array:
    for old, new in others.items():
        texts = pc.if_else(pc.equal(texts, old), new, texts)
    return texts


def _plain(column: pa.Array) -> pa.Array:
    """Return values as texts: whole numbers without a fraction, texts without separators."""
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column)
        if pc.all(pc.equal(column, pc.floor(column))).as_py() is not False:
            return pc.cast(column, pa.int64(), safe=False).cast(pa.string())
        return column.cast(pa.string())
    texts = _as_texts(column)
    texts = pc.replace_substring_regex(texts, r"^(-?\d+)\.0+$", r"\1")
    return _replaced(texts, dict.fromkeys(("nan", "NaN", "None", "NaT", "<NA>"), ""))


def _as_texts(column: pa.Array) -> pa.Array:
    if pa.types.is_null(column.type):
        return pa.repeat("", len(column))
    is_text = not (pa.types.is_primitive(column.type) or pa.types.is_decimal(column.type))
    texts = column.cast(pa.string())
    return pc.replace_substring_regex(texts, r"[|\r\n]", "/") if is_text else texts


def _times(column: pa.Array, unit: str) -> pa.Array:
    """Return times as Unix seconds, or local ones as texts."""
    if pa.types.is_timestamp(column.type):
        if column.type.tz is None:
            local = column.cast(pa.timestamp("s"), safe=False).cast(pa.string())
            return pc.replace_substring(local, " ", "T")
        seconds = column.cast(pa.timestamp("s", "UTC"), safe=False)
        return seconds.cast(pa.int64()).cast(pa.string())
    texts = _numbers(column, unit)
    dates = pc.match_substring_regex(texts, r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
    if not pc.any(dates).as_py():
        return texts
    texts = pc.replace_substring_regex(texts, r"^(\d{4}-\d\d-\d\d) ", r"\1T")
    zoned = pc.and_(dates, pc.match_substring_regex(texts, r"(Z|[-+]\d\d(:?\d\d)?)$"))
    texts = pc.if_else(zoned, texts, pc.replace_substring_regex(texts, r"(:\d\d)\.\d+$", r"\1"))
    if not pc.any(zoned).as_py():
        return texts
    which = np.flatnonzero(zoned.to_numpy(zero_copy_only=False))
    instants = pd.to_datetime(
        pd.Series(texts.take(pa.array(which)).to_pandas()),
        utc=True, errors="coerce", format="ISO8601",
    )  # fmt: skip
    seconds = instants.dt.as_unit("s").astype("int64").where(instants.notna())
    whole = pa.array(seconds.to_numpy(dtype=float, na_value=np.nan), from_pandas=True)
    known = pc.fill_null(whole.cast(pa.int64()).cast(pa.string()), texts.take(pa.array(which)))
    return pc.replace_with_mask(texts, zoned, known)


def _numbers(column: pa.Array, unit: str) -> pa.Array:
    """Return numbers of a unit as texts of whole seconds, and other texts as they are."""
    factor, divisor = _SECONDS.get(unit, (1, 1))
    if pa.types.is_duration(column.type):
        return column.cast(pa.duration("s"), safe=False).cast(pa.int64()).cast(pa.string())
    texts = _plain(column)
    if factor == divisor:  # of numbers with a fraction, the seconds count
        return pc.replace_substring_regex(texts, r"^(-?\d+)\.\d+$", r"\1")
    is_number = pc.match_substring_regex(texts, _NUMBER)
    # numbers of Slurm for none and for no limit are no amounts
    special = pc.is_in(texts, pa.array([*map(str, NONE), "-1"]))
    amounts = pc.and_(is_number, pc.invert(special))
    numbers = pc.if_else(amounts, texts, None).cast(pa.float64())
    if divisor > 1 and pc.all(pc.match_substring_regex(texts, r"^[1-8]?\d{1,18}$")).as_py():
        whole = pc.divide(texts.cast(pa.int64()), divisor)
    else:
        exact = pc.floor(pc.divide(pc.multiply(numbers, factor), divisor))
        amounts = pc.and_(amounts, pc.less(pc.abs(pc.fill_null(exact, 0)), 2**53))
        whole = pc.if_else(amounts, exact, None).cast(pa.int64())
    return pc.if_else(amounts, whole.cast(pa.string()), texts)


def _spans(column: pa.Array, unit: str, field: str) -> pa.Array:
    """Return durations: seconds, for limits as sacct writes them."""
    texts = _numbers(column, unit)
    # as pandas writes durations
    texts = pc.replace_substring_regex(texts, r"^(\d+) days?,? \+?(\d+:\d+:\d+)(\.\d+)?$", r"\1-\2")
    if field == "Wait":
        return texts
    is_number = pc.match_substring_regex(texts, r"^\d{1,15}$")
    if field == "ElapsedRaw":
        clocks = pc.invert(pc.or_(is_number, pc.equal(texts, "")))
        return _clock_seconds(texts, clocks) if pc.any(clocks).as_py() else texts
    texts = _replaced(texts, {"INFINITE": "UNLIMITED"} | {str(none): "UNLIMITED" for none in NONE})
    is_number = pc.match_substring_regex(texts, r"^\d{1,15}$")
    seconds = pc.if_else(is_number, texts, "0").cast(pa.int64())
    days, rest = _divided(seconds, DAY)
    hours, rest = _divided(rest, HOUR)
    minutes, rest = _divided(rest, MINUTE)
    padded = [pc.utf8_lpad(each.cast(pa.string()), 2, "0") for each in (hours, minutes, rest)]
    clock = pc.binary_join_element_wise(*padded, ":")
    long = pc.binary_join_element_wise(days.cast(pa.string()), clock, "-")
    return pc.if_else(is_number, pc.if_else(pc.greater(days, 0), long, clock), texts)


def _clock_seconds(texts: pa.Array, which: pa.Array) -> pa.Array:
    """Return durations written as clocks in seconds, where they can be read."""
    parts = pc.extract_regex(
        texts, r"^(?:(?P<d>\d{1,6})-)?(?P<h>\d{1,7}):(?P<m>\d\d):(?P<s>\d\d)(?:\.\d+)?$"
    )
    values = [pc.struct_field(parts, name) for name in "dhms"]
    known = pc.and_(which, pc.is_valid(parts))
    total = pa.repeat(pa.scalar(0, pa.int64()), len(texts))
    for value, factor in zip(values, (DAY, HOUR, MINUTE, 1), strict=True):
        number = pc.if_else(pc.equal(pc.fill_null(value, ""), ""), "0", value).cast(pa.int64())
        total = pc.add(total, pc.multiply(number, factor))
    return pc.if_else(known, total.cast(pa.string()), texts)


def _divided(values: pa.Array, divisor: int) -> tuple[pa.Array, pa.Array]:
    whole = pc.divide(values, divisor)
    return whole, pc.subtract(values, pc.multiply(whole, divisor))


def _memory(column: pa.Array, unit: str) -> pa.Array:
    """Return memory in MB, with the letter of a node or processor; texts as they are."""
    name, _, per = unit.partition("/")
    texts = _plain(column)
    if name not in _MEGABYTES:
        return texts
    is_number = pc.match_substring_regex(texts, _NUMBER)
    numbers = pc.if_else(is_number, texts, None).cast(pa.float64())
    amounts = pc.ceil(pc.multiply(numbers, float(_MEGABYTES[name])))
    known = pc.fill_null(pc.and_(pc.greater_equal(amounts, 0), pc.less(amounts, 2**53)), False)
    whole = pc.if_else(known, amounts, None).cast(pa.int64()).cast(pa.string())
    return pc.if_else(known, pc.binary_join_element_wise(whole, f"M{_PER[per]}", ""), texts)


def _sum(first: pa.Array, second: pa.Array | int) -> pa.Array:
    """Return the sums of whole numbers; "" where one is none."""
    if isinstance(second, int):
        second = pa.repeat(str(second), len(first))
    both = pc.and_(*(pc.match_substring_regex(each, r"^\d{1,12}$") for each in (first, second)))
    numbers = [pc.if_else(both, each, "0").cast(pa.int64()) for each in (first, second)]
    return pc.if_else(both, pc.add(*numbers).cast(pa.string()), "")
