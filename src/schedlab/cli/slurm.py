"""Simulating a log on a site's own Slurm."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, open_log, size_of
from schedlab.cli.output import print_text, show_json, show_table, warn
from schedlab.cli.results import show_groups, show_results
from schedlab.core.metrics import TAU
from schedlab.core.slurm_site import VERSIONS, Site
from schedlab.files.durations import read_seconds
from schedlab.files.known_words import check_known
from schedlab.queue.slurm_site import Phases
from schedlab.traces.readers import read_log
from schedlab.traces.site_rules import partition_limit
from schedlab.traces.site_yaml import read_yaml_site
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import Log
from schedlab.workbench.results import GROUPS
from schedlab.workbench.site_results import RULES, SiteResult, simulate_site, with_queues

#: periodic work of the controller
PHASES = ("backfill", "main", "priority")
#: properties of jobs that results are grouped by, and how many groups of each are printed
OWNERS, MOST = ("partition", "qos", "account", "user"), 20
#: names of resources in tables
RESOURCES = {"cpu": "processors", "mem": "memory", "node": "nodes"}


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

    def is_given(self) -> bool:
        """Return whether a site is given; ValueError if only options of one are."""
        if self.slurm_conf and self.site:
            raise ValueError("--slurm-conf and --site: give one of them")
        for each in fields(self):
            has_site = self.slurm_conf or (self.site and each.name in ("site", "slurm_phase"))
            if getattr(self, each.name) and not has_site:
                raise ValueError(f"{_option(each.name)} is of a site's Slurm: give --slurm-conf")
        return self.slurm_conf is not None or self.site is not None

    def read(self, log: Log | None = None) -> Site:
        """Return the site; times of its reservations are on the clock of a log, if given."""
        if self.site:
            return read_yaml_site(self.site)
        zero = log.unix_start if log else None
        return read_site(
            self.slurm_conf,
            self.accounts or (),
            version=self.slurm_version or VERSIONS[0],
            more=self.slurm_more or (),
            origin=None if zero is None else zero + int(log.frame["submit"].iloc[0]),
            zone=log.zone or "UTC" if log else "UTC",
            changed=self.slurm_set or (),
        )

    def phases(self, log: Log) -> Phases:
        """Return when periodic work begins; the clock is that of the log, if it has one."""
        phases = {}
        for text in self.slurm_phase or ():
            name, _, seconds = text.partition("=")
            check_known(name, PHASES, "phase")
            phases[name] = read_seconds(f"{seconds}s" if seconds.isdigit() else seconds,
                                        f"--slurm-phase {name}")  # fmt: skip
        zero = (log.unix_start or 0) + int(log.frame["submit"].iloc[0])
        return Phases(**phases, clock=zero)


def _option(field: str) -> str:
    return "--" + field.replace("_", "-")


def simulate_slurm(
    path: Path,
    slurm: SlurmOptions,
    source: LogInput,
    options: SchedulingOptions,
    changed: Mapping[str, bool],
    by: list[str] | None,
    starts: Path | None,
    json: bool,
) -> None:
    """Simulate a log on a site's own Slurm, and print what it does.

    `changed` are further options of simulations that a site's Slurm does not have, and whether they
    are given.
    """
    given = {_option(each.name): getattr(options, each.name) for each in fields(options)}
    if wrong := [name for name, value in {**changed, **given}.items() if value]:
        raise ValueError(f"{wrong[0]} is not of a site's Slurm, whose files decide: leave it out")
    machine = {"--processors": source.processors, "--default-limit": source.default_limit}
    if wrong := [name for name, value in machine.items() if value]:
        raise ValueError(f"{wrong[0]}: the site's file has it; leave the option out")
    for group in by or ():
        check_known(group, GROUPS, "group")
    site = slurm.read()
    rules = RULES if source.rules == o.DEFAULT_RULES else source.rules
    limit = partition_limit(site.machine.partitions, read_log(path).queues)
    log = open_log(path, rules, site.machine.processors, limit, True, quiet=json)
    if log.unix_start is not None:
        site = slurm.read(log)
    if log.jobs.requests is None and (slurm.site or log.queues):
        log = _checked(with_queues(log), site, slurm.site or slurm.slurm_conf)
    result = simulate_site(log, site, slurm.phases(log))
    if starts:
        result.to_csv(starts)
    results = [result]
    if (log.frame["wait"] >= 0).any():
        results.append(result.as_recorded(log))
    if json:
        _show_json(log, results, by)
        return
    nodes = f"{size_of(log)} of {len(site.machine):,} nodes"
    show_results(f"{log.path.name}: {nodes}", "schedule", results)
    print_text(
        f"{slurm.slurm_conf or slurm.site}; slowdowns are bounded, τ = {TAU} s; {log.cleaning}"
    )
    show_groups(results if log.jobs.requests else results[:1], by or OWNERS, None if by else MOST)
    rows = [(RESOURCES.get(name, name), f"{share:.1%}") for name, share in result.use().items()]
    show_table("in use, from the first to the last submission", ("resource", "in use"), rows)
    for line in _reasons(result):
        warn(line)
    if result.not_modeled:
        rows = [
            (f"{Path(left.file).name}:{left.line}" if left.line else Path(left.file).name,
             f"{left.key}={left.value}", left.note)
            for left in result.not_modeled
        ]  # fmt: skip
        show_table("settings that are not modeled", ("file", "setting", "note"), rows, words=3)


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


def _reasons(result: SiteResult) -> Iterator[str]:
    """Yield why jobs never start, a line for each reason."""
    for why, numbers in result.never.groupby("why", sort=False)["number"]:
        more = (
            f" and {len(numbers) - 1:,} more never start" if len(numbers) > 1 else " never starts"
        )
        yield f"job {numbers.iloc[0]}{more}: {why}"


def _show_json(log: Log, results: list, by: list[str] | None) -> None:
    """Print the results as one JSON object."""
    result = results[0]
    rows = []
    for each in results:
        groups = (by or OWNERS) if each is result or log.jobs.requests else ()
        of = {group: each.by(group).to_dict(orient="index") for group in groups}
        row = {"policy": each.label, "simulated": each is result, **each.summary()}
        rows.append(row | ({"by": of} if of else {}))
    show_json(
        about(log)
        | {"tau": TAU, "results": rows, "use": dict(result.use())}
        | {"never": result.never.to_dict(orient="records")}
        | {"not_modeled": [left._asdict() for left in result.not_modeled]}
    )
