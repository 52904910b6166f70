"""Reading and cleaning of a log in any format, with a report of the losses."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.requests import COLUMNS, RAN_ON
from schedlab.files.io import about, read_parquet, write_parquet
from schedlab.files.known_words import check_known
from schedlab.queue.limits import check_machine, check_size
from schedlab.traces.cleaning import Cleaning
from schedlab.traces.cleaning_rules import RULE_SETS, Rule
from schedlab.traces.losses import done_by_rule, lost_in, remedies, rules_that_work
from schedlab.traces.machine_size import overuse
from schedlab.traces.readers import SWF, read_log
from schedlab.traces.site_rules import default_limit as default_limit_rule
from schedlab.traces.site_rules import fits_machine

RULES = "full_estimate"
#: no time in seconds of Unix time is as large before the year 5000
MOST_SECONDS = 10**11
#: share of a log's time with more processors in use than the machine has, for a warning; starts
#: and ends in whole seconds alone give some thousandths
MUCH_TIME = 0.01
#: properties of a log that its files store besides their tables
FACTS = ("rules", "processors", "remedies", "notes", "unix_start", "zone")


@dataclass(frozen=True, eq=False)
class Log:
    """Log that can be simulated.

    Parameters
    ----------
    path : Path
        The source file.
    rules : str
        The rule set of the cleaning.
    processors : int
        Size of the machine.
    frame : pandas.DataFrame, shape (n, columns)
        The clean jobs in the order of `jobs`: the columns of
        `schedlab.traces.cleaning_rules.COLUMNS` and ``wait``, each job's wait at the site in
        seconds (-1 if unknown); ``account`` if the file has accounts; of
        `schedlab.core.requests.COLUMNS` those that the file has, and ``ran_on``, the nodes of
        each job, if the file has them.
    jobs : Jobs
        The same n jobs, with submit times relative to the first one.
    ledger : pandas.DataFrame
        A row for each job and rule that dropped or changed it.
    lost : pandas.DataFrame
        The losses by each rule, see `schedlab.traces.losses.loss_table`.
    remedies : tuple of str
        Remedies for rules with large losses.
    notes : tuple of str
        Unusual properties of the file, and how they were handled.
    unix_start : int or None
        Zero of the submit times of `frame` in seconds of Unix time, if the file states it.
    queues : mapping of int to str
        Names of queues by number, if the file states them.
    zone : str or None
        The time zone that the file states.
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
        """Effect of the cleaning, rule by rule, in one line."""
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
            The job does not exist, or cleaning dropped it; the message names the rule.
        """
        places = np.flatnonzero(self.jobs.number == number)
        if places.size:
            return int(places[0])
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
        """Return the log with some of its jobs, in order, with unchanged submit times."""
        frame = self.frame.iloc[places].reset_index(drop=True)
        return replace(self, frame=frame, jobs=self.jobs.take(places))

    def write(self, jobs: str, ledger: str, lost: str) -> None:
        """Write three files for `read_cleaned`: clean jobs, ledger, and losses by rule."""
        facts = {name: getattr(self, name) for name in FACTS}
        facts |= {"path": str(self.path), "queues": list(self.queues.items())}
        write_parquet(self.frame, jobs, about={"log": json.dumps(facts)})
        write_parquet(self.ledger, ledger)
        write_parquet(self.lost.rename_axis("rule").reset_index(), lost)

    def as_recorded(self) -> tuple[Log, Schedule]:
        """Return the jobs with known waits at the site, and their schedule there.

        Returns
        -------
        log : Log
            Without jobs if the file has no waits.
        schedule : Schedule
            On the clock of `jobs`.
        """
        known = np.flatnonzero(self.frame["wait"].to_numpy() >= 0)
        log = self.take(known)
        start = log.jobs.submit + log.frame["wait"].to_numpy()
        return log, Schedule(start, start + log.jobs.runtime)


def read_cleaned(jobs: str, ledger: str, lost: str) -> Log:
    """Read the files of `Log.write`."""
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
    default_limit: int | Mapping[int, int] | Rule | None = None,
    drop_wide: bool = False,
) -> Log:
    """Read a log and clean it.

    Parameters
    ----------
    path : path-like
        A file of any format of `schedlab.traces.readers.READERS`, compressed or not; its content
        determines the format.
    rules : str
        A name of `schedlab.traces.cleaning_rules.RULE_SETS`: it determines which jobs are kept,
        and what schedulers know of their run times.
    processors : int, optional
        Size of the machine; by default as the log states it.
    default_limit : int, mapping of int to int or Rule, optional
        Requested time in seconds of jobs without one, for all jobs or by queue number; or a rule of
        `schedlab.traces.site_rules`.
    drop_wide : bool
        Whether to drop jobs that need more processors than the machine has.

    Returns
    -------
    Log
        With at least one job.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        The file violates its format, the rules are unknown, no job is left, the size of the
        machine is unknown, or jobs do not fit it. The message names the file and what to do.

    Examples
    --------
    >>> log = load_log("site.swf.gz")  # doctest: +SKIP
    >>> log.lost[["jobs_share", "hours_share"]].sum()  # doctest: +SKIP
    """
    path = Path(path)
    check_known(rules, RULE_SETS, "rules")
    limit = default_limit
    if limit is not None and not isinstance(limit, Rule):
        limit = default_limit_rule(limit, rules)
    raw = read_log(path)
    processors = raw.processors if processors is None else processors
    if processors is None:
        where = "the header does not say MaxProcs" if raw.format == SWF else "it says no size"
        _refuse_empty(path, sum(map(len, raw.parts)))
        widest = max(part["procs"].max() for part in raw.parts if len(part))
        raise ValueError(f"{path}: {where}; give --processors (the widest job has {widest:,})")
    check_size(processors)
    fits = fits_machine(processors) if drop_wide else None
    more = ("wait", "account", *COLUMNS, RAN_ON)
    cleaning = Cleaning(rules, path.name, raw.unix_start, limit, fits, more)
    frame, ledger = cleaning.all_of(raw.parts)
    _refuse_empty(path, cleaning.jobs)
    lost = lost_in(cleaning)
    advice = tuple(remedies(lost, raw.longest))
    if frame.empty:
        problem = [f"{path}: no job is left; {done_by_rule(ledger, rules)}"]
        raise ValueError("\n".join([*problem, rules_that_work(raw, path.name, fits), *advice]))
    jobs = Jobs.from_frame(frame).rebased()
    check_fits(path, jobs, processors)
    notes = (*raw.parts.notes, *_doubts(frame, cleaning, processors))
    facts = (notes, raw.unix_start, raw.queues, raw.zone)
    return Log(path, rules, processors, frame, jobs, ledger, lost, advice, *facts)


def _doubts(frame: pd.DataFrame, cleaning: Cleaning, processors: int) -> Iterator[str]:
    """Yield warnings about a log whose numbers may have other units, or another machine."""
    last = int(frame["submit"].max())
    if last >= MOST_SECONDS:
        yield (
            f"submit times have {len(str(last))} digits ({last}): they are not seconds of Unix "
            "time, but perhaps milliseconds; divide times and run times"
        )
    if 2 * cleaning.past_limit > cleaning.limited:
        yield (
            f"{cleaning.past_limit:,} of {cleaning.limited:,} jobs ran longer than their time "
            "limits: are these in seconds?"
        )
    share, most = overuse(frame[frame["wait"] >= 0], processors)
    if share >= MUCH_TIME:
        yield (
            f"more than the machine's {processors:,} processors were in use for {share:.1%} of the "
            f"time in the log, {most:,} at most: does the machine have more?"
        )


def _refuse_empty(path: Path, jobs: int) -> None:
    """Raise an error if a log has no jobs."""
    if not jobs:
        raise ValueError(f"{path}: there is no job in it")


def check_fits(path: Path, jobs: Jobs, processors: int) -> None:
    """Check that a machine can run the jobs of a log.

    Raises ValueError otherwise; the message has the number of jobs that are too wide, and what to
    do.
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
