"""Hand-made dumps of Slurm's accounting."""

from __future__ import annotations

from pathlib import Path

import pytest

from schedlab.traces.slurm.sacct import SacctLog, read_sacct
from schedlab.traces.slurm.sacct_lines import SacctError

#: a job of four hours on 8 processors that came at ten and waited for ten minutes
JOB = {
    "JobID": "100",
    "JobIDRaw": "100",
    "Partition": "main",
    "QOS": "normal",
    "Account": "physics",
    "Group": "staff",
    "User": "ada",
    "Submit": "2024-03-01T10:00:00",
    "Eligible": "2024-03-01T10:00:00",
    "Start": "2024-03-01T10:10:00",
    "End": "2024-03-01T14:10:00",
    "Elapsed": "04:00:00",
    "State": "COMPLETED",
    "NNodes": "2",
    "NCPUS": "8",
    "ReqCPUS": "8",
    "ReqMem": "16G",
    "Timelimit": "1-00:00:00",
    "JobName": "a",
}


def job(number: int = 100, **cells: str) -> dict[str, str]:
    """Return the cells of a line; those that are not given are those of `JOB`."""
    unknown = set(cells) - set(JOB)
    assert not unknown
    return JOB | {"JobID": str(number), "JobIDRaw": str(number)} | cells


def write(folder: Path, *jobs: dict[str, str], without: tuple[str, ...] = ()) -> Path:
    """Write a dump with a line of names: the jobs are on lines 2, 3, ..."""
    names = [name for name in JOB if name not in without]
    lines = ["|".join(names), *("|".join(cells[name] for name in names) for cells in jobs)]
    path = folder / "site.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def read(
    folder: Path, *jobs: dict[str, str], without: tuple[str, ...] = (), **options: object
) -> SacctLog:
    """Write a dump and read it, by default in UTC."""
    return read_sacct(write(folder, *jobs, without=without), **({"timezone": "UTC"} | options))


def check_unreadable(folder: Path, message: str, **cells: str) -> None:
    """Check that a line with a bad value is in the ledger, and an error if it is the only one."""
    ((field, text),) = cells.items()
    bad = job(2) | cells
    log = read(folder, job(1), bad, job(3))
    assert log.jobs["line"].tolist() == [2, 4]
    row = log.ledger[log.ledger["line"] == 3].iloc[0]
    assert tuple(row[["rule", "field", "before"]]) == ("line_unreadable", field, text)
    assert log.lost["jobs"].to_dict() == {"line_unreadable": 1}
    with pytest.raises(SacctError) as error:
        read(folder, bad)
    assert f"line 2: field {field} '{text}' {message}" in str(error.value)


def rules(log: SacctLog, line: int = 2) -> list[str]:
    """Return the rules of the ledger that concern a line."""
    return log.ledger.loc[log.ledger["line"] == line, "rule"].tolist()


def fate(log: SacctLog, line: int = 2) -> str:
    """Return what became of a line."""
    (found,) = log.ledger.loc[log.ledger["line"] == line, "fate"].unique()
    return found
