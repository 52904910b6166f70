"""Records of `make bench`, and what got slower between two of them.

A record is JSON: the commit, the machine, and a case for each kernel and work. Cases are compared
by their ratio to the C limit, which ran in turn with the kernel, and not by seconds. So records of
different machines can be compared.
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import pandas as pd

#: a case is slower if its ratio fell by more than this share
TOLERANCE = 0.25
#: what names a case
FIELDS = {"kernel": str, "work": str, "n": int, "threads": int}
KEYS = list(FIELDS)


#: instructions of processors on many numbers at once that kernels and the C limit use, widest first
VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2"}


def machine_facts() -> dict:
    """Return versions and the facts of this machine that explain speeds."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    vectors = next((name for flag, name in VECTORS.items() if flag in flags), "none known")
    return {
        "schedlab": version("schedlab"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "processor": names[0] if names else platform.processor() or "unknown",
        "vectors": vectors,
        "system": platform.platform(),
    }


def read_record(path: Path) -> pd.DataFrame:
    """Read the cases of a record that have a ratio.

    Columns: kernel, work, n, threads, ratio (to the C limit). Raises ValueError, with file, case
    and field, if the file is no record.
    """
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not a record of make bench") from error
    rows = []
    for number, case in enumerate(cases if isinstance(cases, list) else [None], 1):
        if not isinstance(case, Mapping):
            raise ValueError(f"{path}: case {number}: not a record of make bench")
        for field, kind in FIELDS.items():
            if not isinstance(case.get(field), kind):
                raise ValueError(f"{path}: case {number}: field '{field}' is missing or wrong")
        if "ratio" in case:
            ratio = case["ratio"]
            if not isinstance(ratio, int | float) or not 0 < ratio < float("inf"):
                raise ValueError(
                    f"{path}: case {number}: field 'ratio': {ratio!r} is not a positive number"
                )
            rows.append([case[key] for key in KEYS] + [float(ratio)])
    return pd.DataFrame(rows, columns=[*KEYS, "ratio"])


def compare_records(before: pd.DataFrame, now: pd.DataFrame) -> pd.DataFrame:
    """Compare the cases that two records have, both from `read_record`.

    Columns: those of `KEYS`, before and now (ratios to the C limit), change (share, negative if
    slower) and slower (whether the ratio fell by more than `TOLERANCE`). The slowest is first.
    """
    pairs = before.merge(now, on=KEYS, suffixes=("_before", "_now"))
    table = pairs.rename(columns={"ratio_before": "before", "ratio_now": "now"})
    table["change"] = table["now"] / table["before"] - 1
    table["slower"] = table["now"] < table["before"] * (1 - TOLERANCE)
    return table.sort_values("change", kind="stable", ignore_index=True)


def slower_in_all(tables: Sequence[pd.DataFrame]) -> set[tuple]:
    """Return the `KEYS` of the cases that are slower in every one of several comparisons."""
    slower = [set(table.loc[table["slower"], KEYS].itertuples(index=False, name=None))
              for table in tables]  # fmt: skip
    return set.intersection(*slower)
