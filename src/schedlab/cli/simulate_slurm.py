"""Simulating a log on a site's own Slurm."""

from collections.abc import Sequence
from math import nan
from pathlib import Path

from schedlab.cli.log import LogInput, about, size_of
from schedlab.cli.output import number_or_missing, print_text, show_json, show_table, warn
from schedlab.cli.results import show_groups, show_results
from schedlab.cli.slurm import SITE, SlurmOptions, mode_of, reasons
from schedlab.core.metrics import TAU
from schedlab.files.known_words import check_known
from schedlab.queue.dialects import Dialect
from schedlab.queue.site_dialect import AsConfigured
from schedlab.workbench.log import Log
from schedlab.workbench.results import GROUPS, Result, policy_of
from schedlab.workbench.site_results import SiteResult, simulate_site

#: properties of jobs that results are grouped by, and how many groups of each are printed
OWNERS, MOST = ("partition", "qos", "account", "user"), 20
#: names of resources in tables
RESOURCES = {"cpu": "processors", "mem": "memory", "node": "nodes"}


def simulate_slurm(
    path: Path,
    slurm: SlurmOptions,
    source: LogInput,
    policies: Sequence[str],
    given: dict[str, object],
    by: list[str] | None,
    starts: Path | None,
    json: bool,
) -> None:
    """Simulate a log on a site's own Slurm, and print what it does.

    `given` are further options of simulations, which a site's Slurm does not have; without
    `policies` it has its own order.
    """
    dialect = slurm.dialect(str(given.pop("dialect")), source, **given)
    for group in by or ():
        check_known(group, GROUPS, "group")
    if starts and len(policies) > 1:
        raise ValueError("--starts is of one schedule: give one --policy")
    for policy in slurm.policies(policies, dialect):
        policy_of(policy)
    log, dialect = slurm.open(path, source, dialect, quiet=json)
    assert isinstance(dialect, Dialect)
    assert dialect.site is not None
    orders = [policy_of(each) for each in slurm.policies(policies or [SITE], dialect, log)]
    results = [simulate_site(log, dialect.site, order) for order in orders]
    if starts:
        results[0].to_csv(starts)
    recorded = (log.frame["wait"] >= 0).any()
    every: list[Result] = [*results, *([results[0].as_recorded(log)] if recorded else [])]
    if json:
        _show_json(log, every, by)
        return
    nodes = f"{size_of(log)} of {len(dialect.site.site.machine):,} nodes"
    show_results(f"{log.path.name}: {nodes}", "schedule", every)
    if any(not isinstance(order, AsConfigured) for order in orders):
        print_text(mode_of(dialect.site))
    print_text(f"{slurm.path}; slowdowns are bounded, τ = {TAU} s; {log.cleaning}")
    show_groups(every if log.jobs.requests else results, by or OWNERS, None if by else MOST)
    uses = [result.use() for result in results]
    rows = [
        (RESOURCES.get(name, name), *(number_or_missing(use.get(name, nan), ".1%") for use in uses))
        for name in uses[0].index
    ]
    columns = ("resource", *(result.label for result in results))
    show_table("in use, from the first to the last submission", columns, rows)
    for line in dict.fromkeys(line for result in results for line in reasons(result)):
        warn(line)
    if results[0].not_modeled:
        rows = [
            (f"{Path(left.file).name}:{left.line}" if left.line else Path(left.file).name,
             f"{left.key}={left.value}", left.note)
            for left in results[0].not_modeled
        ]  # fmt: skip
        show_table("settings that are not modeled", ("file", "setting", "note"), rows, words=3)


def _show_json(log: Log, results: Sequence[Result], by: list[str] | None) -> None:
    """Print the results as one JSON object."""
    rows = []
    for each in results:
        simulated = isinstance(each, SiteResult)
        groups = (by or OWNERS) if simulated or log.jobs.requests else ()
        row = {"policy": each.label, "simulated": simulated, **each.summary()}
        if simulated:
            row |= {"use": dict(each.use()), "never": each.never.to_dict(orient="records")}
        of = {group: each.by(group).to_dict(orient="index") for group in groups}
        rows.append(row | ({"by": of} if of else {}))
    show_json(
        about(log)
        | {"tau": TAU, "results": rows}
        | {"not_modeled": [left._asdict() for left in results[0].not_modeled]}
    )
