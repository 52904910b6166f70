"""Settings of a site from the configuration, and reading its log."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo

import pandas as pd

from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.comparison.settings import ContestSettings
from schedlab.core.metrics import TAU
from schedlab.files.config import ConfigError
from schedlab.files.durations import optional_seconds
from schedlab.files.programs import program
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.traces.site_rules import partition_limit
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.workbench.log import Log, load_log

SITE = "site"
#: keys that determine the clean jobs
CLEANING = ("log", "rules", "processors", "default_limit", "drop_wide", "dialect")
#: submit times from this on are Unix times, if a log does not state their origin: 1985
UNIX = 473_385_600
NEXT = (
    f"make a site.yaml of your log by `{program('schedlab')} site init LOG`, then type "
    f"`{program('snakemake')} --cores 2 site --configfile site.yaml`"
)


@dataclass(frozen=True)
class SiteSettings:
    """The key ``site`` of the configuration.

    Parameters
    ----------
    name, log : str or None
        Name of the site, and file of its log.
    processors : int or None
        Processors of the machine; None: as the log states.
    rules : str
        Rule set for cleaning the log.
    default_limit : int or None
        Time limit in seconds of jobs that have none.
    drop_wide : bool
        Whether to drop jobs that do not fit the machine.
    timezone : str or None
        Time zone of hours and weekdays; None: as the log states, else UTC.
    ledger : str or None
        The ledger of the import, if there was one.
    dialect : str
        Simulator choices for the site, see `schedlab.queue.dialect_cells`.
    changes : str or None
        File of what happened to nodes of the site's own Slurm; None: what the log shows.
    calibration : mapping of str to float
        The most that errors may be, see `schedlab.studies.site.calibration.calibrate`.
    days : int
        Length of a window of the arena, in days.
    policy : str
        The order that the site runs today, a name or an expression.
    points : int
        Number of values of each weight of mixed policies.
    tuples, trials : int
        Number of tuples that a policy is learned from, and of trials of each.
    forks : int
        Number of jobs for which the queue is simulated.
    tries : mapping of str to int
        jobs: number of the last jobs on which changed settings are tried; search: simulations of
        the search.
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
    changes: str | None
    calibration: Mapping[str, float]
    days: int
    policy: str
    points: int
    tuples: int
    trials: int
    forks: int
    tries: Mapping[str, int]

    @classmethod
    def of(cls, cells: Mapping[str, Any]) -> Self:
        """Make the settings from the key of the configuration, and check them.

        Durations are texts with units. Raises ConfigError, whose message names the key, if no log
        is named; a file, time zone, dialect or policy does not exist; or a duration has no unit.
        """
        site = cls(**dict(cells) | _lengths(cells))
        if site.log is None:
            raise ConfigError(f"configuration: key 'site.log': no log is named; {NEXT}")
        for key in ("log", "ledger", "changes"):
            path = getattr(site, key)
            if path is not None and not Path(path).is_file():
                raise ConfigError(
                    f"configuration: key 'site.{key}': there is no file {path} (from "
                    f"{Path.cwd()}); paths are of the folder that snakemake runs in; {NEXT}"
                )
        for key, check in (("dialect", dialect_of), ("timezone", zone_of), ("policy", get)):
            try:
                if (value := getattr(site, key)) is not None:
                    check(value)
            except ValueError as error:
                raise ConfigError(f"configuration: key 'site.{key}': {error}") from error
        return site

    @property
    def label(self) -> str:
        """Return the name of the site; if it has none, that of its log."""
        return self.name or Path(self.log or SITE).name

    def contest(self, log: Log) -> ContestSettings:
        """Return the site as a row of the arena."""
        # networks are of the machine and the users that they were trained on
        schedulers = tuple(name for name, one in SCHEDULERS.items() if one.kind != "neural")
        return ContestSettings(SITE, self.label, log.processors, self.days, schedulers, float(TAU))


def load_site(cells: Mapping[str, Any]) -> Log:
    """Read and clean a site's log, with the cells `CLEANING`; ValueError as `schedlab.load_log`."""
    site = dict(cells) | _lengths(cells)
    log, rules, processors, limit, drop_wide, dialect = (site[key] for key in CLEANING)
    slurm = dialect_of(dialect).site
    if slurm and limit is None:
        limit = partition_limit(slurm.site.machine.partitions)
    return load_log(log, rules, processors, limit, drop_wide)


def _lengths(cells: Mapping[str, Any]) -> dict[str, int | None]:
    """Return the default limit in seconds."""
    try:
        limit = optional_seconds(cells["default_limit"], "key 'site.default_limit'", least=1)
    except ValueError as error:
        raise ConfigError(f"configuration: {error}") from error
    return {"default_limit": limit}


def local_times(log: Log, timezone: str | None) -> tuple[pd.Series | None, str]:
    """Return the submit times of jobs on the site's clock, and the name of the time zone.

    By default the zone is that of the log, else UTC. If the log does not state the origin of its
    times, the times are None and the name is "".
    """
    submit = log.frame["submit"]
    start = log.unix_start
    if start is None:
        if not len(submit) or submit.iloc[0] < UNIX:
            return None, ""
        start = 0
    # a log whose times are Unix times has a start of 0, or the date of its first job as start
    zero = 0 if submit.iloc[0] >= UNIX else start
    name = timezone or _known(log.zone) or "UTC"
    times = pd.to_datetime(submit + zero, unit="s", utc=True).dt.tz_convert(ZoneInfo(name))
    return times, name


def last_submission(log: Log) -> int | None:
    """Return a log's last submission in seconds since 1970; None if its origin is unknown."""
    times, _ = local_times(log, None)
    last = -1 if times is None else int(times.max().timestamp())
    # in some headers a start of 0 means that the start is unknown
    return last if last >= UNIX else None


def _known(zone: str | None) -> str | None:
    try:
        return zone_of(zone).key if zone else None
    except ValueError:
        return None
