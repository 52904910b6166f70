"""Processors, nodes and memory in an `sacct` dump.

References
----------
Slurm, sacct(1), fields NCPUS, ReqCPUS, ReqMem, AllocTRES and ReqTRES, and the option --noconvert:
large numbers are written with a letter (2K is 2,048) unless it is given.
"""

import re

import numpy as np
import pandas as pd

from schedlab.traces.slurm.sacct_lines import Dump
from schedlab.traces.slurm.sacct_times import read_each

KILO = 1024
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_COUNT = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)")
_CPU = re.compile(r"(?:^|,)cpu=([^,]+)")
#: a number of GPUs, of any type, that is not 0
_GPU = re.compile(r"(?:^|,)gres/gpu(?::[^=,]+)?=0*[1-9]")
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)([cn]?)")
_REMEDY = "export with sacct --noconvert"


def count(text: str) -> int | None:
    """Return a number in sacct's notation; None if it is invalid, or not a whole number.

    Examples
    --------
    >>> count("48"), count("2K"), count("1.50K"), count("many")
    (48, 2048, 1536, None)
    """
    if not (match := _COUNT.fullmatch(text)):
        return None
    value = float(match[1]) * KILO ** _POWERS[match[2]]
    return int(value) if value.is_integer() else None


def cpus(text: str) -> int | None:
    """Return the processors in a list of trackable resources (``cpu=4,mem=8G,node=1``).

    -1 if it has none; None if their number is invalid.
    """
    match = _CPU.search(text)
    return count(match[1]) if match else -1


def read_counts(dump: Dump, lines: pd.Index) -> pd.DataFrame:
    """Read how many processors and nodes jobs had, and how many processors they requested.

    Columns, int64 by line, -1 if unknown: ``procs`` (AllocCPUS or NCPUS, else from AllocTRES),
    ``requested`` (ReqCPUS, else from ReqTRES) and ``nodes``. Raises `SacctError` if a value is not
    a whole number.
    """
    counts = {
        field: read_each(dump, field, count, "is not a whole number", _REMEDY, lines)
        for field in ("AllocCPUS", "NCPUS", "ReqCPUS", "NNodes")
    }
    tres = {
        field: read_each(dump, field, cpus, "has no whole number of cpus", _REMEDY, lines)
        for field in ("AllocTRES", "ReqTRES")
    }
    return pd.DataFrame(
        {
            "procs": _first(counts["AllocCPUS"], counts["NCPUS"], tres["AllocTRES"]),
            "requested": _first(counts["ReqCPUS"], tres["ReqTRES"]),
            "nodes": counts["NNodes"],
        }
    )


def lines_with_gpus(dump: Dump) -> pd.Index:
    """Return the lines of jobs that had or requested GPUs; none if the dump has no such field."""
    fields = [field for field in ("AllocTRES", "ReqTRES") if field in dump.cells]
    has = [dump.cells[field].str.contains(_GPU) for field in fields]
    return dump.cells.index[np.logical_or.reduce(has)] if has else dump.cells.index[:0]


def read_memory(dump: Dump, lines: pd.Index, counts: pd.DataFrame) -> pd.Series:
    """Read how much memory jobs requested, in kilobytes per processor.

    The result is int64 by line, rounded down; -1 if unknown or 0. `counts` is from `read_counts`,
    because ReqMem is per processor (``4Gc``), per node (``16Gn``) or for the whole job (``16G``,
    since Slurm 21.08).
    """
    if "ReqMem" not in dump.cells:
        return pd.Series(-1, lines, dtype="int64")
    parts = dump.cells.loc[lines, "ReqMem"].str.extract(rf"^{_MEMORY.pattern}$")
    powers = parts[1].replace("", "M").map(_POWERS)
    kilobytes = parts[0].astype("float64") * np.power(float(KILO), powers.astype("float64") - 1)
    procs = counts["procs"].where(counts["procs"] > 0, counts["requested"]).where(lambda n: n > 0)
    shares = {"c": 1.0, "n": counts["nodes"].where(counts["nodes"] > 0) / procs, "": 1 / procs}
    share = pd.Series(np.nan, lines)
    for letter, of in shares.items():
        share = share.mask(parts[2] == letter, of)
    memory = (kilobytes * share).fillna(-1).astype("int64")
    return memory.where(memory > 0, -1)


def _first(*columns: pd.Series) -> pd.Series:
    """Return the first number above 0, else the first known one."""
    best = columns[0]
    for column in columns[1:]:
        best = best.where((best > 0) | ((column <= 0) & (best >= 0)), column)
    return best
