"""What commands on a log share: reading it, and mistakes that end in one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import typer

from schedlab.jobs import Jobs
from schedlab.policies import ExpressionError
from schedlab.queue.sessions import check_machine
from schedlab.traces.cleaning import RULE_SETS, clean
from schedlab.traces.swf import SwfError, read_swf


@contextmanager
def mistakes_in_one_line() -> Iterator[None]:
    """Turn what is wrong with the user's input into a red line and exit code 1."""
    try:
        yield
    except (ExpressionError, SwfError, OSError, ValueError) as error:
        named = isinstance(error, OSError) and error.filename is not None
        words = f"{error.filename}: {error.strerror}" if named else str(error)
        typer.secho(words, fg="red", err=True)
        raise typer.Exit(1) from error


def check_known(value: str, known: object, what: str) -> None:
    """Refuse a value that is not among the known ones."""
    if value not in known:
        raise ValueError(f"unknown {what} '{value}'; one of {', '.join(known)}")


def read_log(
    path: Path, processors: int | None, rules: str
) -> tuple[pd.DataFrame, pd.DataFrame, int]:
    """Read and clean a log.

    Returns
    -------
    jobs, ledger : DataFrame
        As from `schedlab.traces.cleaning.clean`; at least one job.
    processors : int
        Size of the machine: as given, or the header's MaxProcs.

    Raises
    ------
    ValueError
        Unknown rules, no job, no size of the machine, or a job that it cannot run; messages name
        the file and the job.
    """
    check_known(rules, RULE_SETS, "rules")
    text = read_swf(path)
    if not len(text.jobs):
        raise ValueError(f"{path}: there is no job in it")
    if processors is None:
        processors = text.header.integer("MaxProcs")
        # -1 stands for unknown everywhere in the format.
        if processors is None or processors < 1:
            raise ValueError(f"{path}: the header does not say MaxProcs; give --processors")
    jobs, ledger = clean(text.jobs, rules, path.name, text.header.integer("UnixStartTime"))
    if not len(jobs):
        raise ValueError(f"{path}: no job is left; {cleaning_words(ledger, rules)}")
    try:
        check_machine(Jobs.from_frame(jobs).rebased(), processors)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return jobs, ledger, processors


def cleaning_words(ledger: pd.DataFrame, rules: str) -> str:
    """Say what cleaning did, rule by rule: what is dropped decides what the numbers are of."""
    counts = ledger.groupby(["rule", ledger["after"].isna()], sort=False)["number"].nunique()
    done = [
        f"{rule} {'dropped' if dropped else 'changed'} {jobs:,}"
        for (rule, dropped), jobs in counts.items()
    ]
    return f"rules {rules}: {', '.join(done) or 'all jobs kept as they are'}"
