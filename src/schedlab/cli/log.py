"""What commands on a log share: reading it, and mistakes that end in one clear line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import typer

from schedlab.jobs import Jobs
from schedlab.policies import ExpressionError
from schedlab.queue.bounds import check_machine
from schedlab.traces.cleaning import RULE_SETS, RULES, clean
from schedlab.traces.swf import SwfError, read_swf

# A rule that drops this share of a log's jobs or core-hours, or more, is answered with a remedy.
MUCH = 0.1
REMEDIES = {
    "estimate_positive": (
        "--rules rr9212_ran keeps jobs without a time limit, their run time as estimate; "
        "--rules full_actual lets schedulers see the run times of all"
    ),
    "runtime_positive": "no rules keep jobs without a run time (field 4): they never ran",
    "procs_positive": (
        "no rules keep jobs without allocated processors (field 5); where the log has requested "
        "ones (field 8), write these there"
    ),
} | {
    f"{period}_{rule}": "--rules rr9212_ran keeps them"
    for period in ("week", "month")
    for rule in ("whole", "crossed")
}


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
    """Read and clean a log, and print what cleaning dropped: the numbers are of what is left.

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
    jobs, ledger = clean(text.all_fields, rules, path.name, text.header.integer("UnixStartTime"))
    dropped = dropped_by_rule(text.jobs, ledger)
    if not len(jobs):
        said = [f"{path}: no job is left; {cleaning_words(ledger, rules)}", *remedies(dropped)]
        raise ValueError("\n".join(said))
    try:
        check_machine(Jobs.from_frame(jobs).rebased(), processors)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    say_dropped(dropped, f"rules {rules} drop", "the log")
    return jobs, ledger, processors


def cleaning_words(ledger: pd.DataFrame, rules: str) -> str:
    """Say what cleaning did, rule by rule: what is dropped decides what the numbers are of."""
    counts = ledger.groupby(["rule", ledger["after"].isna()], sort=False)["number"].nunique()
    done = [
        f"{rule} {'dropped' if dropped else 'changed'} {jobs:,}"
        for (rule, dropped), jobs in counts.items()
    ]
    return f"rules {rules}: {', '.join(done) or 'all jobs kept as they are'}"


def dropped_by_rule(raw: pd.DataFrame, ledger: pd.DataFrame) -> pd.DataFrame:
    """Count what each rule dropped.

    Parameters
    ----------
    raw : DataFrame
        The log's jobs before cleaning.
    ledger : DataFrame
        From `schedlab.traces.cleaning.clean`.

    Returns
    -------
    DataFrame
        A row a rule that dropped jobs, in the rules' order: jobs, core_hours, and what part of the
        log's these are, jobs_share and hours_share. An unknown run time or number of processors
        counts as none.
    """
    hours = (raw["runtime"].clip(lower=0) * raw["procs"].clip(lower=0) / 3600).set_axis(
        raw["number"]
    )
    gone = ledger[ledger["after"].isna()]
    counts = gone.assign(hours=hours.reindex(gone["number"]).to_numpy())
    counts = counts.groupby("rule", sort=False).agg(
        jobs=("number", "size"), core_hours=("hours", "sum")
    )
    return counts.assign(
        jobs_share=counts["jobs"] / len(raw), hours_share=counts["core_hours"] / (hours.sum() or 1)
    )


def remedies(dropped: pd.DataFrame, known: Mapping[str, str] = REMEDIES) -> list[str]:
    """Say what to do about the rules that dropped much, or what they do where nothing helps."""
    much = dropped[(dropped[["jobs_share", "hours_share"]] >= MUCH).any(axis=1)]
    return [f"{rule}: {known.get(rule) or RULES[rule].description}" for rule in much.index]


def say_dropped(
    dropped: pd.DataFrame, lead: str, of: str, known: Mapping[str, str] = REMEDIES
) -> None:
    """Print how much was dropped, and what to do where it was much.

    Parameters
    ----------
    dropped : DataFrame
        From `dropped_by_rule`; nothing is printed of no rows.
    lead, of : str
        What drops, and of what: "rules full_estimate drop", "the log".
    known : mapping of str to str
        Remedies by rule, as for `remedies`.
    """
    if not len(dropped):
        return
    whole = dropped.sum()
    typer.echo(f"{lead} {_amount(whole)} of {of}:")
    for rule, amount in dropped.iterrows():
        typer.echo(f"  {rule}: {_amount(amount)}")
    if found := remedies(dropped, known):
        typer.secho("What is left waits less than all of it would:", fg="yellow", err=True)
    for remedy in found:
        typer.secho(remedy, fg="yellow", err=True)


def _amount(dropped: pd.Series) -> str:
    """Say how many jobs and core-hours these are."""
    s = "" if dropped["jobs"] == 1 else "s"
    return (
        f"{dropped['jobs']:,.0f} job{s} ({dropped['jobs_share']:.1%}) and "
        f"{dropped['core_hours']:,.0f} core-hours ({dropped['hours_share']:.1%})"
    )
