"""What the repository keeps of a slice's recordings: no column of the site's own log."""

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

_NUMBER = re.compile(r"\D")


def recorded_in(jobs: pd.DataFrame, paths: Sequence[str]) -> pd.DataFrame:
    """Return what files of runs have by repetition and job, in the order of the slice.

    Columns: repetition, number; late: submission minus the planned one; wait; over: run time minus
    the planned one, all in s. Raises ValueError if a job has no run or did not end by itself.
    """
    tables = []
    for path in paths:
        runs = pd.read_csv(path).set_index("name").reindex("j" + jobs["number"].astype(str))
        repetition = int(_NUMBER.sub("", Path(path).stem))
        if bad := runs.index[~runs["state"].isin(["COMPLETED", "TIMEOUT"])].tolist():
            raise ValueError(f"{path}: {bad[0]} is {runs.loc[bad[0], 'state']}: record it again")
        start, end = runs["start"].to_numpy(), runs["end"].to_numpy()
        columns = {
            "repetition": repetition,
            "number": jobs["number"].to_numpy(),
            "late": runs["submit"].to_numpy() - jobs["submit"].to_numpy(),
            "wait": start - runs["submit"].to_numpy(),
            "over": end - start - jobs["runtime"].to_numpy(),
        }
        tables.append(pd.DataFrame(columns).astype("int64"))
    return pd.concat(tables, ignore_index=True)


def passes_in(paths: Sequence[str]) -> pd.DataFrame:
    """Return the times of backfill passes in logs of decisions, by repetition."""
    rows = []
    for path in paths:
        repetition = int(_NUMBER.sub("", Path(path).name.partition(".")[0]))
        with gzip.open(path, "rt", encoding="utf-8") as log:
            times = (line.partition(" ") for line in log if "_attempt_backfill: beginning" in line)
            rows += [(repetition, int(time)) for time, _, _ in times if int(time) >= 0]
    return pd.DataFrame(rows, columns=["repetition", "time"])
