"""Processors, nodes and memory in an `sacct` dump.

References
----------
Slurm, sacct(1), fields NCPUS, ReqCPUS, ReqMem, AllocTRES and ReqTRES, and the option --noconvert:
large numbers are written with a letter (2K is 2,048) unless it is given.
"""

import math
import re
from functools import lru_cache

import numpy as np

from schedlab.traces.slurm.sacct_lines import Dump
from schedlab.traces.slurm.sacct_times import check_each, plausible, read_each

KILO = 1024
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_COUNT = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)", re.ASCII)
_CPU = re.compile(r"(?:^|,)cpu=([^,]+)")
#: a number of GPUs, of any type, that is not 0
_GPU = re.compile(r"(?:^|,)gres/gpu(?::[^=,]+)?=0*[1-9]")
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)([cn]?)", re.ASCII)
_REMEDY = "export with sacct --noconvert"
#: no job requests more memory
MOST_MEGABYTES = 1 << 36


def count(text: str) -> int | None:
    """Return a number in sacct's notation; None if it is invalid, or not a whole number."""
    if text.isascii() and text.isdigit():  # a large one is no float
        return plausible(int(text))
    if not (match := _COUNT.fullmatch(text)):
        return None
    value = float(match[1]) * KILO ** _POWERS[match[2]]
    return plausible(int(value)) if value.is_integer() else None


@lru_cache(maxsize=1 << 16)
def cpus(text: str) -> int | None:
    """Return the processors in a list of trackable resources (``cpu=4,mem=8G,node=1``).

    -1 if it has none; None if their number is invalid.
    """
    match = _CPU.search(text)
    return count(match[1]) if match else -1


_COUNTS, _LISTS = ("AllocCPUS", "NCPUS", "ReqCPUS", "NNodes"), ("AllocTRES", "ReqTRES")
CHECKS = (
    *(check_each(field, count, "is not a whole number", _REMEDY) for field in _COUNTS),
    *(check_each(field, cpus, "has no whole number of cpus", _REMEDY) for field in _LISTS),
)


def read_counts(dump: Dump) -> dict[str, np.ndarray]:
    """Read how many processors and nodes jobs had, and how many processors they requested."""
    counts = {field: read_each(dump, field, count) for field in _COUNTS}
    tres = {field: read_each(dump, field, cpus) for field in _LISTS}
    return {
        "procs": _first(counts["AllocCPUS"], counts["NCPUS"], tres["AllocTRES"]),
        "requested": _first(counts["ReqCPUS"], tres["ReqTRES"]),
        "nodes": counts["NNodes"],
    }


def has_gpus(dump: Dump) -> np.ndarray:
    """Return which jobs had or requested GPUs; none if the dump has no such field."""
    found = np.zeros(len(dump), dtype=bool)
    for field in ("AllocTRES", "ReqTRES"):
        if field in dump.columns:
            found |= dump.columns[field].rows_with(lambda text: _GPU.search(text) is not None)
    return found


def read_memory(dump: Dump, counts: dict[str, np.ndarray]) -> np.ndarray:
    """Read how much memory jobs requested, in kilobytes per processor.

    The result is int64 by row, rounded down; -1 if unknown or 0. `counts` is from `read_counts`,
    because ReqMem is per processor (``4Gc``), per node (``16Gn``) or for the whole job (``16G``,
    since Slurm 21.08).
    """
    if "ReqMem" not in dump.columns:
        return np.full(len(dump), -1)
    column = dump.columns["ReqMem"]
    matches = {text: _MEMORY.fullmatch(text) for text in column.texts}
    kilobytes = column.map(lambda text: _kilobytes(matches[text]))
    share_of = column.map(lambda text: match[3] if (match := matches[text]) else "")
    had = np.where(counts["procs"] > 0, counts["procs"], counts["requested"]).astype(np.float64)
    procs = np.where(had > 0, had, np.nan)
    nodes = np.where(counts["nodes"] > 0, counts["nodes"], np.nan)
    share = np.select(
        [share_of == "c", share_of == "n"], [np.ones(len(dump)), nodes / procs], 1 / procs
    )
    memory = np.nan_to_num(kilobytes * share, nan=-1).astype(np.int64)
    return np.where(memory > 0, memory, -1)


def split_memory(text: str) -> tuple[float, str] | None:
    """Return the megabytes of ReqMem and its last letter (``c``, ``n`` or none); None for others.

    It is None as well if no job requests as much.
    """
    match = _MEMORY.fullmatch(text)
    megabytes = _kilobytes(match) / KILO
    return (megabytes, match[3]) if match and megabytes < MOST_MEGABYTES else None


def in_megabytes(text: str) -> int | None:
    """Return the megabytes of an amount of memory, rounded up; None for another text."""
    known = split_memory(text)
    return None if known is None or known[1] else math.ceil(known[0])


def _kilobytes(match: re.Match[str] | None) -> float:
    """Return the kilobytes of an amount of memory, in megabytes if it has no unit."""
    return float(match[1]) * float(KILO) ** (_POWERS[match[2] or "M"] - 1) if match else np.nan


def _first(*columns: np.ndarray) -> np.ndarray:
    """Return the first number above 0, else the first known one."""
    best = columns[0]
    for column in columns[1:]:
        best = np.where((best > 0) | ((column <= 0) & (best >= 0)), best, column)
    return best
