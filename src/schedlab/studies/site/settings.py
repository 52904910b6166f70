"""What the configuration says of a site, and opening its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo

import pandas as pd

from schedlab.comparison.contest import ContestSettings
from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.files.config import ConfigError
from schedlab.files.durations import optional_seconds
from schedlab.policies import ExpressionError, get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.workbench.log import Log, load_log

SITE = "site"
#: bound of the bounded slowdown in seconds
TAU = 10.0
#: keys that decide what the clean jobs are
CLEANING = ("log", "rules", "processors", "default_limit", "drop_wide")
#: submit times from here on are Unix times, where a log does not say what they count from: 1985
UNIX = 473_385_600
NEXT = (
    "make a site.yaml of your log by `schedlab site init LOG`, then type "
    "`snakemake --cores 2 site --configfile site.yaml`"
)


@dataclass(frozen=True)
class SiteSettings:
    """The key ``site`` of the configuration.

    Parameters
    ----------
    name : str or None
        What the site is called.
    log : str or None
        File of its log.
    processors : int or None
        Size of the machine; None: as the log says.
    rules : str
        Rule set that the log is cleaned by.
    default_limit : int or None
        Seconds that jobs without a time limit are taken to ask for.
    drop_wide : bool
        Whether jobs that do not fit the machine are left out.
    timezone : str or None
        What hours and weekdays are of; None: as the log says, else UTC.
    ledger : str or None
        The ledger of the import, where there was one.
    dialect : str
        What simulations of the site imitate, see `schedlab.queue.dialect_cells`.
    days : int
        Of a window of the arena.
    policy : str
        The order that the site runs today, a name or an expression.
    points : int
        Values of a weight that mixed policies are sought among.
    tuples, trials : int
        That a policy is learned from.
    forks : int
        Jobs that the simulated queue is asked about.
    """

    name: str | None
    log: str | None
    processors: int | None
    rules: str
    default_limit: int | None
    drop_wide: bool
    timezone: str | None
    ledger: str | None
    dialect: str
    days: int
    policy: str
    points: int
    tuples: int
    trials: int
    forks: int

    @classmethod
    def of(cls, cells: Mapping[str, Any]) -> Self:
        """Take the key of the configuration.

        Parameters
        ----------
        cells : mapping
            Values by key; durations as texts with units.

        Raises
        ------
        ConfigError
            No log is named, there is no such file, time zone or dialect, or a duration has no unit;
            the message names the key.
        """
        site = cls(**dict(cells) | _lengths(cells))
        if site.log is None:
            raise ConfigError(f"configuration: key 'site.log': no log is named; {NEXT}")
        for key in ("log", "ledger"):
            path = getattr(site, key)
            if path is not None and not Path(path).is_file():
                raise ConfigError(
                    f"configuration: key 'site.{key}': there is no file {path} (from "
                    f"{Path.cwd()}); paths are of the folder that snakemake runs in; {NEXT}"
                )
        try:
            dialect_of(site.dialect)
        except ValueError as error:
            raise ConfigError(f"configuration: key 'site.dialect': {error}") from error
        if site.timezone is not None:
            try:
                zone_of(site.timezone)
            except ValueError as error:
                raise ConfigError(f"configuration: key 'site.timezone': {error}") from error
        try:
            get(site.policy)
        except ExpressionError as error:
            raise ConfigError(f"configuration: key 'site.policy': {error}") from error
        return site

    @property
    def label(self) -> str:
        """What the site is called, by its log's name where it has none."""
        return self.name or Path(self.log or SITE).name

    def contest(self, log: Log) -> ContestSettings:
        """Return the row of the arena that the site is."""
        return ContestSettings(
            SITE,
            self.label,
            log.processors,
            self.days,
            tuple(SCHEDULERS),
            TAU,
        )


def load_site(cells: Mapping[str, Any]) -> Log:
    """Read and clean the log of a site.

    Parameters
    ----------
    cells : mapping
        The values of `CLEANING`, as of the configuration.

    Raises
    ------
    ValueError
        As `schedlab.load_log`.
    """
    site = dict(cells) | _lengths(cells)
    return load_log(*(site[key] for key in CLEANING))


def _lengths(cells: Mapping[str, Any]) -> dict[str, int | None]:
    """Return the default limit in seconds."""
    try:
        limit = optional_seconds(cells["default_limit"], "key 'site.default_limit'", least=1)
    except ValueError as error:
        raise ConfigError(f"configuration: {error}") from error
    return {"default_limit": limit}


def local_times(log: Log, timezone: str | None) -> tuple[pd.Series | None, str]:
    """Return when jobs were submitted on the site's clock.

    Parameters
    ----------
    log : Log
        n jobs.
    timezone : str, optional
        Of the site; by default that of the log, else UTC.

    Returns
    -------
    times : Series of datetime, shape (n,), or None
        None where the log does not say what its times count from.
    zone : str
        Name of the time zone, "" where nothing is known.
    """
    submit = log.frame["submit"]
    start = log.unix_start
    if start is None:
        if not len(submit) or submit.iloc[0] < UNIX:
            return None, ""
        start = 0
    # a log that counts from the epoch may say so by a start of 0, or by the date of its first job
    zero = 0 if submit.iloc[0] >= UNIX else start
    name = timezone or _known(log.zone) or "UTC"
    times = pd.to_datetime(submit + zero, unit="s", utc=True).dt.tz_convert(ZoneInfo(name))
    return times, name


def last_submission(log: Log) -> int | None:
    """Return the second since 1970 of a log's last submission; None where it does not say."""
    times, _ = local_times(log, None)
    last = -1 if times is None else int(times.max().timestamp())
    # a start of 0 in a header stands for one that is not known as well
    return last if last >= UNIX else None


def _known(zone: str | None) -> str | None:
    """Return a time zone's name if it is one."""
    try:
        return zone_of(zone).key if zone else None
    except ValueError:
        return None
