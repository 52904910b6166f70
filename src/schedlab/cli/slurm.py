"""The options of a site's own Slurm, which any command takes in place of a dialect."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from schedlab.cli import options as o
from schedlab.cli.log import LogInput, open_log
from schedlab.cli.output import print_text, warn
from schedlab.core.slurm_site import VERSIONS, Site
from schedlab.files.durations import read_seconds
from schedlab.files.known_words import check_known
from schedlab.policies import Policy
from schedlab.queue.dialect_cells import SITE as DIALECT
from schedlab.queue.dialects import Dialect
from schedlab.queue.site_cells import FILES
from schedlab.queue.site_dialect import AsConfigured, SiteSlurm
from schedlab.queue.slurm_site import Phases
from schedlab.studies.site.init import from_here
from schedlab.traces.readers import read_log
from schedlab.traces.site_rules import partition_limit
from schedlab.traces.site_yaml import read_yaml_site
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import Log
from schedlab.workbench.results import policy_of
from schedlab.workbench.site_results import RULES, SiteResult, simulate_site, with_queues

#: periodic work of the controller
PHASES = ("backfill", "main", "priority")
#: options that a site of a YAML file has, too
OF_ANY = ("site", "slurm_phase", "slurm_points")
#: name of the site's own order among policies
SITE = AsConfigured().name
#: a setting in place of a policy; comparisons of expressions do not match
_SETTING = re.compile(r"[A-Za-z]\w*=[^=].*")


@dataclass(frozen=True)
class SlurmOptions:
    """Files of a site's own Slurm, and what to change of them."""

    slurm_conf: o.SlurmConf = None
    site: o.SiteFile = None
    accounts: o.Accounts = None
    slurm_more: o.SlurmMore = None
    slurm_version: o.SlurmVersion = None
    slurm_set: o.SlurmSet = None
    slurm_phase: o.SlurmPhase = None
    slurm_points: o.SlurmPoints = None

    def is_given(self) -> bool:
        """Return whether a site is given; ValueError if only options of one are."""
        if self.slurm_conf and self.site:
            raise ValueError("--slurm-conf and --site: give one of them")
        for each in fields(self):
            has_site = self.slurm_conf or (self.site and each.name in OF_ANY)
            if getattr(self, each.name) and not has_site:
                raise ValueError(f"{option_of(each.name)} is of a site's Slurm: give --slurm-conf")
        return self.slurm_conf is not None or self.site is not None

    @property
    def path(self) -> Path:
        """The file that describes the site."""
        path = self.slurm_conf or self.site
        assert path is not None
        return path

    def read(
        self, log: Log | None = None, changed: Sequence[str] = (), origin: int | None = None
    ) -> Site:
        """Return the site, with more settings `changed` than by the options.

        Times of its reservations are on the clock of a log, or relative to a local time `origin`.
        """
        if self.site:
            if changed:
                raise ValueError(f"{changed[0]}: settings are of --slurm-conf; edit {self.site}")
            return read_yaml_site(self.site)
        zero = log.unix_start if log else None
        return read_site(
            self.slurm_conf,
            self.accounts or (),
            version=self.slurm_version or VERSIONS[0],
            more=self.slurm_more or (),
            origin=origin if zero is None else zero + int(log.frame["submit"].iloc[0]),
            zone=log.zone or "UTC" if log else "UTC",
            changed=[*(self.slurm_set or ()), *changed],
        )

    def cell(self) -> str:
        """Return the site as a dialect's text, for a configuration.

        Raises ValueError for options that the text cannot have.
        """
        for name in ("site", "slurm_phase"):
            if getattr(self, name):
                raise ValueError(f"{option_of(name)}: a configuration has none; leave it out")
        files = {"slurm_conf": [self.slurm_conf], "accounts": self.accounts or []}
        files["more"] = self.slurm_more or []
        parts = [f"{key}={from_here(path)}" for key in FILES for path in files[key] if path]
        given = {"version": self.slurm_version, "points": self.slurm_points}
        parts += [f"{key}={value}" for key, value in given.items() if value]
        if wrong := [part for part in parts if "+" in part]:
            raise ValueError(
                f"{wrong[0]}: a plus separates the parts of a dialect; rename the file"
            )
        return "+".join([DIALECT, *parts, *(self.slurm_set or ())])

    def phases(self, log: Log | None = None) -> Phases:
        """Return when periodic work begins; the clock is that of the log, if it has one."""
        phases = {}
        for text in self.slurm_phase or ():
            name, _, seconds = text.partition("=")
            check_known(name, PHASES, "phase")
            phases[name] = read_seconds(f"{seconds}s" if seconds.isdigit() else seconds,
                                        f"--slurm-phase {name}")  # fmt: skip
        zero = (log.unix_start or 0) + int(log.frame["submit"].iloc[0]) if log else 0
        return Phases(**phases, clock=zero)

    def dialect(
        self, dialect: str = "full", source: LogInput | None = None, **given: object
    ) -> str | Dialect:
        """Return the dialect of a command: that of the site, if one is given.

        `given` are values of further options of simulations by name, which a site's Slurm does not
        have. Raises ValueError if one is given, or another dialect is.
        """
        if not self.is_given():
            return dialect
        if dialect != "full":
            raise ValueError("--dialect and a site's own Slurm: give one of them")
        if wrong := [name for name, value in given.items() if value]:
            raise ValueError(
                f"{option_of(wrong[0])} is not of a site's Slurm, whose files decide: leave it out"
            )
        for name in ("processors", "default_limit") if source else ():
            if getattr(source, name) is not None:
                raise ValueError(f"{option_of(name)}: the site's file has it; leave the option out")
        return self._dialect_of(self.read(), self.phases())

    def _dialect_of(self, site: Site, phases: Phases) -> Dialect:
        name = f"Slurm {site.version} of {self.path}"
        return Dialect(name, site=SiteSlurm(site, phases, self.slurm_points))

    def open(
        self, path: Path, source: LogInput, dialect: str | Dialect, quiet: bool
    ) -> tuple[Log, str | Dialect]:
        """Read and clean a log for a dialect; return it, and the dialect on the log's clock."""
        if isinstance(dialect, str) or dialect.site is None:
            return source.open(path, quiet), dialect
        site = dialect.site.site
        rules = RULES if source.rules == o.DEFAULT_RULES else source.rules
        limit = partition_limit(site.machine.partitions, read_log(path).queues)
        log = open_log(path, rules, site.machine.processors, limit, True, quiet)
        if log.unix_start is not None:
            site = self.read(log)
        if log.jobs.requests is None and (self.site or log.queues):
            log = _checked(with_queues(log), site, self.path)
        return log, self._dialect_of(site, self.phases(log))

    def open_started(
        self, path: Path, source: LogInput, dialect: str | Dialect, quiet: bool
    ) -> tuple[Log, str | Dialect]:
        """Do the same, without the jobs that never start under the site's own settings."""
        log, dialect = self.open(path, source, dialect, quiet)
        if isinstance(dialect, str) or dialect.site is None:
            return log, dialect
        result = simulate_site(log, dialect.site)
        for line in reasons(result):
            warn(f"left out: {line}")
        if not quiet:
            print_text(mode_of(dialect.site))
        return result.log, dialect

    def open_policy(
        self,
        path: Path,
        source: LogInput,
        dialect: str | Dialect,
        policy: str | None,
        quiet: bool,
    ) -> tuple[Log, SiteSlurm, Policy]:
        """Read a log for a site and a policy, by default the site's own order; return all three."""
        for each in self.policies([policy or SITE], dialect):
            policy_of(each)
        log, dialect = self.open(path, source, dialect, quiet)
        assert isinstance(dialect, Dialect)
        assert dialect.site is not None
        (order,) = self.policies([policy or SITE], dialect, log)
        return log, dialect.site, policy_of(order)

    def policies(
        self, policies: Sequence[str], dialect: str | Dialect, log: Log | None = None
    ) -> list[str | Policy]:
        """Return policies, with the site's own order and changed settings of it as policies."""
        if isinstance(dialect, str) or dialect.site is None:
            return list(policies)
        return [self._policy(text, dialect.site.site, log) for text in policies]

    def _policy(self, text: str, site: Site, log: Log | None) -> str | Policy:
        if text == SITE:
            return AsConfigured.of(site)
        if not _SETTING.fullmatch(text):
            return text
        return AsConfigured(name=text, label=text, changed=self.read(log, [text]))

    def words(self) -> list[str]:
        """Return the options as typed."""
        words = []
        for each in fields(self):
            value = getattr(self, each.name)
            for one in value if isinstance(value, list) else [] if value is None else [value]:
                words += [option_of(each.name), str(one)]
        return words


def option_of(field: str) -> str:
    """Return the option of a field or argument."""
    return "--" + field.replace("_", "-")


def mode_of(slurm: SiteSlurm) -> str:
    """Return how policies run in a site's Slurm."""
    period = slurm.site.priorities.calc_period
    return (
        f"policies add up to {slurm.points:,} points to the site's priorities, by place among "
        f"waiting jobs, each {period} s (PriorityCalcPeriod); the machine is empty at first"
    )


def text_of(dialect: str | Dialect) -> str:
    """Return a dialect in words."""
    return f"{dialect} dialect" if isinstance(dialect, str) else dialect.name


def reasons(result: SiteResult) -> list[str]:
    """Return why jobs never start, a line for each reason."""
    lines = []
    for why, numbers in result.never.groupby("why", sort=False)["number"]:
        more = (
            f" and {len(numbers) - 1:,} more never start" if len(numbers) > 1 else " never starts"
        )
        lines.append(f"job {numbers.iloc[0]}{more}: {why}")
    return lines


def given_of(options: object, **more: object) -> dict[str, object]:
    """Return the values of a group of options, and of further ones, by name."""
    return {each.name: getattr(options, each.name) for each in fields(options)} | more


def _checked(log: Log, site: Site, path: Path) -> Log:
    """Return a log; ValueError if a partition of its jobs is not in the site's file."""
    known = [each.name for each in site.machine.partitions]
    for job in range(len(log) if known else 0):
        if (name := log.jobs.requests.partition[job]) and not set(name.split(",")) <= set(known):
            raise ValueError(
                f"{path}: partitions: there is no '{name}', the queue of job "
                f"{log.jobs.number[job]}; there are {', '.join(known)}"
            )
    return log
