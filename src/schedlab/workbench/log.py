"""Reading and cleaning a log of any format, and telling what was lost on the way."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, Schedule
from schedlab.files.config import check_known
from schedlab.files.io import about, read_parquet, write_parquet
from schedlab.queue.bounds import check_machine, check_size
from schedlab.traces.cleaning import RULE_SETS, clean
from schedlab.traces.losses import done_by_rule, lost_by_rule, remedies, rules_that_work
from schedlab.traces.readers import RawLog, read_log
from schedlab.traces.site_rules import default_limit as default_limit_rule
from schedlab.traces.site_rules import fits_machine

RULES = "full_estimate"
#: what a log's files say of it besides their tables
TOLD = ("rules", "processors", "remedies", "notes", "unix_start", "zone")


@dataclass(frozen=True, eq=False)
class Log:
    """A log that can be simulated.

    Parameters
    ----------
    path : Path
        Where it was read.
    rules : str
        The rule set that it was cleaned by.
    processors : int
        Size of the machine.
    frame : pandas.DataFrame, shape (n, columns)
        The clean jobs in the order of `jobs`: the columns of `schedlab.traces.cleaning.COLUMNS`
        and ``wait``, the seconds that each waited at the site (-1 where unknown); ``account``
        where the file has accounts.
    jobs : Jobs
        The same n jobs, submit times counted from the first.
    ledger : pandas.DataFrame
        A row for each job and rule that dropped or changed it.
    lost : pandas.DataFrame
        What each rule dropped, see `schedlab.traces.losses.lost_by_rule`.
    remedies : tuple of str
        What to do about rules that dropped much.
    notes : tuple of str
        What was unusual in the file and how it was taken.
    unix_start : int or None
        What submit times of `frame` count from, in seconds of Unix time, where the file says it.
    queues : mapping of int to str
        Names of queues by number, where the file says them.
    zone : str or None
        The time zone that the file names.
    """

    path: Path
    rules: str
    processors: int
    frame: pd.DataFrame
    jobs: Jobs
    ledger: pd.DataFrame
    lost: pd.DataFrame
    remedies: tuple[str, ...]
    notes: tuple[str, ...]
    unix_start: int | None = None
    queues: Mapping[int, str] = field(default_factory=dict)
    zone: str | None = None

    def __len__(self) -> int:
        return len(self.jobs)

    @property
    def cleaning(self) -> str:
        """What cleaning did, rule by rule, in a line."""
        return done_by_rule(self.ledger, self.rules)

    def __repr__(self) -> str:
        lost = self.lost[["jobs_share", "hours_share"]].sum()
        return (
            f"<Log {self.path.name}: {len(self):,} jobs on {self.processors:,} processors; lost "
            f"{lost['jobs_share']:.1%} of jobs, {lost['hours_share']:.1%} of core-hours; "
            f"{self.cleaning}>"
        )

    def place(self, number: int) -> int:
        """Return the place of a job in `frame` and `jobs`.

        Raises
        ------
        ValueError
            There is no such job, or cleaning dropped it; the message says by which rule.
        """
        found = np.flatnonzero(self.jobs.number == number)
        if found.size:
            return int(found[0])
        gone = self.ledger[self.ledger["after"].isna() & (self.ledger["number"] == number)]
        if len(gone):
            raise ValueError(
                f"{self.path}: job {number} was dropped while cleaning, by {gone['rule'].iloc[0]}"
            )
        raise ValueError(
            f"{self.path}: there is no job {number}; numbers go from {self.jobs.number.min()} to "
            f"{self.jobs.number.max()}"
        )

    def take(self, places: np.ndarray) -> Log:
        """Return the log of some of its jobs, in order, their submit times as they stand."""
        frame = self.frame.iloc[places].reset_index(drop=True)
        return replace(self, frame=frame, jobs=self.jobs.take(places))

    def write(self, jobs: str, ledger: str, lost: str) -> None:
        """Write three files for `read_cleaned`: clean jobs, ledger, and what rules dropped."""
        facts = {name: getattr(self, name) for name in TOLD}
        facts |= {"path": str(self.path), "queues": list(self.queues.items())}
        write_parquet(self.frame, jobs, about={"log": json.dumps(facts)})
        write_parquet(self.ledger, ledger)
        write_parquet(self.lost.rename_axis("rule").reset_index(), lost)

    def as_recorded(self) -> tuple[Log, Schedule]:
        """Return the jobs whose wait at the site is known, and their schedule there.

        Returns
        -------
        log : Log
            None of its jobs where the file says no waits.
        schedule : Schedule
            On the clock of `jobs`.
        """
        known = np.flatnonzero(self.frame["wait"].to_numpy() >= 0)
        log = self.take(known)
        start = log.jobs.submit + log.frame["wait"].to_numpy()
        return log, Schedule(start, start + log.jobs.runtime)


def read_cleaned(jobs: str, ledger: str, lost: str) -> Log:
    """Read what `Log.write` wrote."""
    facts = json.loads(about(jobs)["log"])
    frame = read_parquet(jobs)
    return Log(
        path=Path(facts["path"]),
        rules=facts["rules"],
        processors=facts["processors"],
        frame=frame,
        jobs=Jobs.from_frame(frame).rebased(),
        ledger=read_parquet(ledger),
        lost=read_parquet(lost).set_index("rule"),
        remedies=tuple(facts["remedies"]),
        notes=tuple(facts["notes"]),
        unix_start=facts["unix_start"],
        queues=dict(facts["queues"]),
        zone=facts["zone"],
    )


def load_log(
    path: str | os.PathLike[str],
    rules: str = RULES,
    processors: int | None = None,
    default_limit: int | Mapping[int, int] | None = None,
    drop_wide: bool = False,
) -> Log:
    """Read a log and clean it.

    Parameters
    ----------
    path : path-like
        A file in the Standard Workload Format with 18 fields or more, gzip compressed or not, a
        Parquet table, or a dump of sacct; see `schedlab.traces.readers.READERS`.
    rules : str
        A name of `schedlab.traces.cleaning.RULE_SETS`: which jobs are kept, and what schedulers see
        of their run times.
    processors : int, optional
        Size of the machine; by default as the log says it.
    default_limit : int or mapping of int to int, optional
        Seconds that jobs without a requested time are taken to ask for, for all or by the number of
        their queue.
    drop_wide : bool
        Leave out jobs that need more processors than the machine has.

    Returns
    -------
    Log
        At least one job.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        The file is not as its format has it, the rules are unknown, no job is left, the size of
        the machine is not known, or jobs do not fit it; messages name the file and what to do.

    Examples
    --------
    >>> log = load_log("site.swf.gz")  # doctest: +SKIP
    >>> log.lost[["jobs_share", "hours_share"]].sum()  # doctest: +SKIP
    """
    path = Path(path)
    check_known(rules, RULE_SETS, "rules")
    limit = None if default_limit is None else default_limit_rule(default_limit, rules)
    raw = read_log(path)
    if not len(raw.jobs):
        raise ValueError(f"{path}: there is no job in it")
    processors = raw.processors if processors is None else processors
    if processors is None:
        where = "the header does not say MaxProcs" if raw.format == "swf" else "it says no size"
        widest = raw.jobs["procs"].max()
        raise ValueError(f"{path}: {where}; give --processors (the widest job has {widest:,})")
    check_size(processors)
    fits = fits_machine(processors) if drop_wide else None
    jobs, ledger = clean(raw.jobs, rules, path.name, raw.unix_start, limit, fits)
    lost = lost_by_rule(raw.jobs, ledger)
    advice = tuple(remedies(lost, raw.longest))
    if not len(jobs):
        said = [f"{path}: no job is left; {done_by_rule(ledger, rules)}"]
        raise ValueError("\n".join([*said, rules_that_work(raw, path.name, fits), *advice]))
    return _made(path, rules, processors, raw, jobs, ledger, lost, advice)


def _made(
    path: Path,
    rules: str,
    processors: int,
    raw: RawLog,
    jobs: pd.DataFrame,
    ledger: pd.DataFrame,
    lost: pd.DataFrame,
    advice: tuple[str, ...],
) -> Log:
    """Put the clean jobs in order, with their waits at the site, if the machine can run them."""
    jobs = jobs.iloc[np.lexsort((jobs["number"], jobs["submit"]))]
    wait = raw.jobs.set_index("number")["wait"].reindex(jobs["number"]).to_numpy()
    frame = jobs.assign(wait=wait)
    if "account" in raw.jobs:
        account = raw.jobs.set_index("number")["account"].reindex(jobs["number"])
        frame = frame.assign(account=account.to_numpy())
    frame = frame.reset_index(drop=True)
    columns = Jobs.from_frame(frame).rebased()
    check_fits(path, columns, processors)
    said = (raw.notes, raw.unix_start, raw.queues, raw.zone)
    return Log(path, rules, processors, frame, columns, ledger, lost, advice, *said)


def check_fits(path: Path, jobs: Jobs, processors: int) -> None:
    """See that a machine can run the jobs of a log.

    Raises
    ------
    ValueError
        It cannot; the message says how many jobs are too wide, and what to do.
    """
    wide = jobs.procs > processors
    if wide.any():
        area = jobs.procs * jobs.runtime
        first = int(np.argmax(wide))
        raise ValueError(
            f"{path}: job {jobs.number[first]} needs {jobs.procs[first]:,} processors, the machine "
            f"has {processors:,}; {wide.sum():,} of {len(jobs):,} jobs ({wide.mean():.1%}, "
            f"{area[wide].sum() / max(area.sum(), 1):.1%} of the core-hours) need too many: "
            f"--drop-wide leaves them out, --processors {jobs.procs.max()} runs all"
        )
    try:
        check_machine(jobs, processors)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
