"""What jobs of an `sacct` dump ask for, as columns of `schedlab.core.requests`.

A column is read from the first of its fields that has a value:

- nodes: SubmitLine, ReqNodes, node in ReqTRES, NNodes;
- memory: SubmitLine, ReqMem. Its letter ``n`` is for a node and ``c`` for a processor. Without a
  letter (since Slurm 21.08) it is the job's total: that of its requested nodes, unless the job had
  more of them, which only memory per processor explains. If ReqTRES has the amount once for each
  node, it is for a node. If AllocTRES has less, the job named no memory and takes all of its nodes.
- gres: SubmitLine, then ReqTRES by requested nodes, then AllocTRES by the job's nodes. AllocTRES
  comes first if the job had more nodes than it requested.
- features: Constraints, SubmitLine;
- begin: Eligible, if it is after Submit and SubmitLine has no dependency;
- the others: the field of the name, JobID, or SubmitLine.

The nodes on which a job ran (NodeList) are no request, but are read here as the other texts.

References
----------
Slurm, sacct(1), fields ReqMem, ReqNodes, ReqTRES, AllocTRES, Constraints, Eligible, SubmitLine.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schedlab.core.requests import DEFAULTS, RAN_ON, UNKNOWN
from schedlab.traces.slurm.hostlist import expand
from schedlab.traces.slurm.sacct_ledger import Book
from schedlab.traces.slurm.sacct_lines import Column, Dump
from schedlab.traces.slurm.sacct_requests import count, in_megabytes, split_memory
from schedlab.traces.slurm.sacct_times import UNKNOWN as UNKNOWN_TEXTS
from schedlab.traces.slurm.submit_line import DEPENDS, read_submit_lines

#: no job has as many nodes or generic resources
MOST = 1 << 24
#: resources that are measured, not requested
_MEASURED = frozenset({"gpumem", "gpuutil"})
#: numbers and truth values that command lines have
_OF_LINE = (
    *("nodes", "most_nodes", "tasks", "cpus_per_task", "memory", "per_cpu", "exclusive", "nice"),
)
_IMPOSSIBLE = -1
#: NodeList of a job that never started
_NO_NODES = UNKNOWN_TEXTS | {"none assigned", "(null)"}


def read_requests(
    dump: Dump, book: Book, counts: dict[str, np.ndarray], delayed: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, Column]]:
    """Return the requests of jobs by name: numbers and truth values, and texts.

    Columns whose fields the dump lacks are missing. ``begin`` states whether a job begins no
    earlier than its submit time of the log: `delayed` by its Eligible, and by no known dependency.
    An impossible value is unknown, with a row in the book. `counts` is from `read_counts`.
    """
    has = dump.columns.keys()
    numbers: dict[str, np.ndarray] = {}
    texts: dict[str, Column] = {}
    bad = _Bad()
    nodes = _read_nodes(dump, bad, counts)
    if has & {"ReqNodes", "ReqTRES", "NNodes"}:
        numbers["nodes"] = nodes
    if "ReqMem" in has:
        numbers["memory"], numbers["per_cpu"] = _read_memory(dump, bad, counts, nodes)
    if has & {"ReqTRES", "AllocTRES"}:
        texts["gres"] = _read_gres(dump, bad, counts, nodes)
    texts |= {
        name: _without_unknown(dump.columns[field])
        for name, field in (("features", "Constraints"), ("reservation", "Reservation"))
        if field in has
    }
    if "NodeList" in has:
        texts[RAN_ON] = _read_nodes_had(dump, book)
    if "Eligible" in has:
        numbers["begin"] = delayed
    if "SubmitLine" in has:
        _add_options(dump.columns["SubmitLine"], numbers, texts)
    bad.write(dump, book)
    return numbers, texts


class _Bad(dict[str, np.ndarray]):
    """Rows of impossible values by field."""

    def note(self, field: str, rows: np.ndarray) -> None:
        self[field] = self[field] | rows if field in self else rows

    def write(self, dump: Dump, book: Book) -> None:
        """Record each job and field once."""
        for field, which in self.items():
            rows = np.flatnonzero(which)
            before, after = dump.texts(field, rows), np.full(len(rows), UNKNOWN)
            book.write("request_impossible", field, dump.lines[rows], before, after)


def _read_nodes(dump: Dump, bad: _Bad, counts: dict[str, np.ndarray]) -> np.ndarray:
    """Return the requested nodes, 0 if unknown."""
    nodes = np.clip(counts["nodes"], 0, None)
    for field in ("ReqTRES", "ReqNodes"):
        if field not in dump.columns:
            continue
        column = dump.columns[field]
        column = _resource(column, "node") if field == "ReqTRES" else column
        requested = column.numbers(_plain_count)
        bad.note(field, (requested < 0) | (requested > MOST))
        nodes = np.where((requested > 0) & (requested <= MOST), requested, nodes)
    return nodes


def _plain_count(text: str) -> int:
    if text.casefold() in UNKNOWN_TEXTS:
        return 0
    number = count(text)
    return _IMPOSSIBLE if number is None else number


def _resource(column: Column, name: str) -> Column:
    """Return one of the trackable resources in lists (``cpu=4,mem=8G,node=1``), which repeat."""
    pattern = rf"(?:^|,){name}=(?P<value>[^,]*)"
    parts = pc.struct_field(pc.extract_regex(pa.array(column.texts, pa.string()), pattern), "value")
    encoded = pc.fill_null(parts, "").dictionary_encode()
    places = encoded.indices.to_numpy()[-1 - column.values]
    return Column(-1 - places, encoded.dictionary.to_pylist())


def _read_memory(
    dump: Dump, bad: _Bad, counts: dict[str, np.ndarray], nodes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the requested megabytes, `UNKNOWN` if unknown, and whether they are per processor."""
    column = dump.columns["ReqMem"]
    amounts = {text: split_memory(text) for text in column.texts}
    bad.note(
        "ReqMem",
        column.rows_with(
            lambda text: amounts[text] is None and text.casefold() not in UNKNOWN_TEXTS
        ),
    )
    megabytes = column.map(lambda text: amount[0] if (amount := amounts[text]) else np.nan)
    letter = column.map(lambda text: amount[1] if (amount := amounts[text]) else "")
    listed, had = (_memory_in(dump.first_of(field)) for field in ("ReqTRES", "AllocTRES"))
    procs = np.where(counts["requested"] > 0, counts["requested"], counts["procs"])
    of_node = (nodes > 1) & (listed == np.ceil(megabytes * nodes))
    of_job = (letter == "") & ~of_node
    spread = of_job & (procs > 0) & ((counts["nodes"] > np.maximum(nodes, 1)) | (nodes == 0))
    share = np.select([spread, of_job], [procs, np.maximum(nodes, 1)], 1)
    memory = np.ceil(np.nan_to_num(megabytes / share, nan=UNKNOWN)).astype(np.int64)
    takes_all = of_job & (had > 0) & (had < np.ceil(megabytes))
    is_per_cpu = ((letter == "c") | spread) & (memory >= 0) & ~takes_all
    return np.where(takes_all, 0, memory), is_per_cpu


def _memory_in(column: Column) -> np.ndarray:
    """Return the megabytes in lists of trackable resources, `UNKNOWN` if unknown."""
    return _resource(column, "mem").numbers(
        lambda text: UNKNOWN if (known := in_megabytes(text)) is None else known
    )


def _read_gres(dump: Dump, bad: _Bad, counts: dict[str, np.ndarray], nodes: np.ndarray) -> Column:
    """Return the generic resources per node."""
    had = np.maximum(counts["nodes"], 0)
    code = np.zeros(len(dump), dtype=np.int64)
    names = [""]
    none = np.zeros(len(dump), dtype=bool)
    of_requested, of_had = (
        dump.columns[field].rows_with(lambda text: "gres/" in text)
        if field in dump.columns
        else none
        for field in ("ReqTRES", "AllocTRES")
    )
    of_requested &= ~(of_had & (had > nodes))
    for field, rows, by in (
        ("ReqTRES", of_requested, nodes),
        ("AllocTRES", of_had & ~of_requested, np.where(had > 0, had, nodes)),
    ):
        if not rows.any():
            continue
        column = _generic(dump.columns[field].at(rows))
        places = -1 - column.values
        pairs, which = np.unique(np.stack([places, by[rows]]), axis=1, return_inverse=True)
        shares = [_gres_of(column.texts[place], number) for place, number in pairs.T.tolist()]
        bad.note(field, _at(rows, np.array([share is None for share in shares])[which]))
        code[rows] = len(names) + which
        names += [share or "" for share in shares]
    return Column(-1 - code, names)


def _generic(column: Column) -> Column:
    """Return the generic resources in lists of trackable ones, without the other resources."""
    places, used = np.unique(-1 - column.values, return_inverse=True)
    texts = [
        ",".join(part[5:] for part in column.texts[place].split(",") if part.startswith("gres/"))
        for place in places.tolist()
    ]
    codes, distinct = pd.factorize(np.array(texts, dtype=object))
    return Column(-1 - codes[used], distinct.tolist())


def _at(rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the truth values of some rows for all rows."""
    every = np.zeros(len(rows), dtype=bool)
    every[rows] = values
    return every


def _gres_of(text: str, nodes: int) -> str | None:
    """Return the generic resources of a node in those of all nodes; None if it is impossible."""
    totals: dict[str, dict[str, int]] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        kind, _, model = name.partition(":")
        if kind in _MEASURED:
            continue
        number = count(value)
        if number is None or not 0 <= number <= MOST:
            return None
        totals.setdefault(kind, {})[model] = number
    shares = []
    for kind, models in totals.items():
        rest = models.pop("", 0) - sum(models.values())
        parts = {f"{kind}:{model}": number for model, number in models.items()} | {kind: rest}
        shares += [
            f"{part}:{-(-number // max(nodes, 1))}" for part, number in parts.items() if number > 0
        ]
    return ",".join(shares)


def _without_unknown(column: Column, unknown: frozenset[str] = UNKNOWN_TEXTS) -> Column:
    """Return texts; those that mean unknown are empty."""
    texts = ["" if text.casefold() in unknown else text for text in column.texts]
    return Column(column.values, texts)


def _read_nodes_had(dump: Dump, book: Book) -> Column:
    """Return the lists of nodes on which jobs ran; empty ones if unknown."""
    column = _without_unknown(dump.columns["NodeList"], _NO_NODES)
    readable = [text if not text or _is_list(text) else "" for text in column.texts]
    bad = {text for text, kept in zip(column.texts, readable, strict=True) if text != kept}
    rows = np.flatnonzero(column.rows_with(bad.__contains__))
    book.write(
        "nodes_unreadable",
        *("NodeList", dump.lines[rows], column.at(rows).as_texts()),
        np.full(len(rows), ""),
    )
    return Column(column.values, readable)


def _is_list(text: str) -> bool:
    try:
        return bool(expand(text))
    except ValueError:
        return False


def _add_options(lines: Column, numbers: dict[str, np.ndarray], texts: dict[str, Column]) -> None:
    """Add what command lines request to what other fields do."""
    places, options = read_submit_lines(lines.texts)
    which = places[-1 - lines.values]

    def is_given(name: str) -> np.ndarray:
        return np.array([name in option for option in options], dtype=bool)[which]

    for name in _OF_LINE:
        default = DEFAULTS[name]
        values = np.array([option.get(name, default) for option in options], dtype=type(default))
        before = numbers.get(name, np.full(len(which), default))
        numbers[name] = np.where(is_given(name), values[which], before)
    for name in ("gres", "features", "after"):
        line = Column(-1 - which, [str(option.get(name, "")) for option in options])
        texts[name] = _first_text(line, texts.get(name), name == "features")
    if "begin" in numbers:
        numbers["begin"] = numbers["begin"] & ~is_given(DEPENDS)


def _first_text(line: Column, field: Column | None, field_first: bool) -> Column:
    """Return the text of a command line or of a field, whichever is first and not empty."""
    if field is None:
        return line
    first, second = (field, line) if field_first else (line, field)
    other = first.rows_with(lambda text: text == "")
    values = np.where(other, second.values - len(first.texts), first.values)
    return Column(values, [*first.texts, *second.texts])
