"""Simulating your log, and the registered policies."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, command, size_of
from schedlab.cli.output import print_text, show_json, show_table, warn
from schedlab.cli.results import show_groups, show_results
from schedlab.cli.simulate_slurm import simulate_slurm
from schedlab.cli.slurm import SlurmOptions, given_of
from schedlab.comparison.comparing import MOVED
from schedlab.core.metrics import TAU
from schedlab.files.known_words import check_known
from schedlab.files.progress import counted
from schedlab.policies import REGISTRY
from schedlab.policies.functions import decides
from schedlab.traces.machine_changes import read_changes
from schedlab.workbench.charts import write_trace
from schedlab.workbench.log import Log
from schedlab.workbench.results import GROUPS, Result, as_recorded, simulate

PAPERS_ORDER = ["fcfs", "wfp3", "unicef", "spt", "f4", "f3", "f2", "f1"]


def list_policies(json: o.AsJson = False) -> None:
    """List the registered policies; the smallest score runs first."""
    if json:
        names = ("name", "label", "expression", "order", "source")
        policies = [{key: getattr(policy, key) for key in names} for policy in REGISTRY.values()]
        show_json({"policies": policies})
        return
    rows = [
        (policy.name, policy.label, policy.expression, policy.source)
        for policy in REGISTRY.values()
    ]
    show_table("policies", ("name", "label", "score", "source"), rows, words=4)


@command
def simulate_log(
    log: o.LogPath,
    policy: o.Schedulers = PAPERS_ORDER,
    *,
    source: LogInput,
    options: SchedulingOptions,
    slurm: SlurmOptions,
    backfill: Annotated[
        bool, typer.Option("--backfill/--no-backfill", help="--no-backfill: reservations none.")
    ] = True,
    dialect: o.Dialect = "full",
    by: Annotated[
        list[str] | None,
        typer.Option(help=f"Also group by {', '.join(GROUPS)}; may be repeated."),
    ] = None,
    changes: Annotated[
        Path | None,
        typer.Option(
            help="Drains, reservations, and processors that come or go, as .csv: kind, time, "
            "processors, end, known."
        ),
    ] = None,
    starts: Annotated[
        Path | None,
        typer.Option(help="Write a row a job, with start and wait, as .csv (one policy)."),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(help="Write .json.gz for trace viewers such as Perfetto (one policy)."),
    ] = None,
    json: o.AsJson = False,
) -> None:
    """Simulate a whole log under several policies, or on a site's own Slurm; print its waits."""
    if slurm.is_given():
        given = given_of(
            options, dialect=dialect, no_backfill=not backfill, trace=trace, changes=changes
        )
        orders = [] if policy == PAPERS_ORDER else policy
        simulate_slurm(log, slurm, source, orders, given, by, starts, json)
        return
    _check(policy, options.reservations, backfill, by or [], starts, trace)
    if not backfill:
        options = replace(options, reservations="none")
    checked = options.check(policy, dialect, PAPERS_ORDER)
    opened = source.open(log, quiet=json)
    machine = None if changes is None else read_changes(changes, opened.processors)
    settings = checked.settings | {"processors": machine}
    results, warnings = [], []
    with counted("policies", len(checked.policies)) as advance:
        for name in checked.policies:
            results.append(simulate(opened, name, dialect=dialect, **settings))
            if dialect == "full" and not decides(results[-1].run.policy):
                warnings += _tie_warnings(
                    results[-1], simulate(opened, name, dialect="lifo", **settings)
                )
            advance()
    if starts:
        results[0].to_csv(starts)
    if trace:
        write_trace(results[0], trace)
    if (opened.frame["wait"] >= 0).any():
        results.append(as_recorded(opened))
    mode = checked.mode
    if planned := results[0].run.compression:
        mode += f", compression {planned}"
    if json:
        _show_json(opened, results, by or [], {"mode": mode, "dialect": dialect}, warnings)
    else:
        mode = f"{mode}; {dialect} dialect; slowdowns are bounded, τ = {TAU} s"
        _show(opened, results, by or [], mode)
    for warning in warnings:
        warn(warning)
    if not any(result.waits.any() for result in results if result.run):
        warn(
            "no job waits under any policy: nothing here tells them apart; is --processors "
            "right, and what was dropped?"
        )


def _check(
    policies: list[str],
    reservations: str | None,
    backfill: bool,
    by: list[str],
    starts: Path | None,
    trace: Path | None,
) -> None:
    """Check the options for contradictions before a file is read."""
    for group in by:
        check_known(group, GROUPS, "group")
    if not backfill and reservations == "every":
        raise ValueError("--no-backfill means reservations none: leave one of them out")
    for option, path in (("--starts", starts), ("--trace", trace)):
        if path and len(policies) != 1:
            raise ValueError(f"{option} is of one schedule: give one --policy")


def _tie_warnings(first: Result, last: Result) -> list[str]:
    """Return a warning if the order of equal jobs has a large effect."""
    first_mean, last_mean = (result.summary()["mean_slowdown"] for result in (first, last))
    if abs(last_mean - first_mean) <= MOVED * first_mean:
        return []
    return [
        f"{first.label}: the order of equal jobs moves the mean bounded slowdown: "
        f"{first_mean:,.2f} with the first of them first, {last_mean:,.2f} with the last "
        "(--dialect lifo)"
    ]


def _show(log: Log, results: list[Result], by: list[str], mode: str) -> None:
    """Print the table, its description, and the groups."""
    show_results(f"{log.path.name}: {size_of(log)}", "policy", results)
    print_text(f"{mode}; {log.cleaning}")
    for result in results:
        if result.run and decides(result.run.policy):
            print_text(f"{result.label}: decides itself which jobs start, without reservations")
    until = "submission" if log.jobs.submit[-1] else "end, as all jobs are submitted at once"
    print_text(
        "means, medians and percentiles are over all jobs of the log; in use: processors, "
        f"from the first submission to the last {until}; makespan: from the first submission to "
        "the last end"
    )
    if results[-1].run is None:
        recorded_log = results[-1].log
        of = (
            ""
            if len(recorded_log) == len(log)
            else f" (of {len(recorded_log):,} jobs whose wait it has)"
        )
        print_text(
            f"{results[-1].label}{of}: what the site did, with all that a log does not say: "
            "limits, priorities, outages"
        )
    show_groups(results, by)


def _show_json(
    log: Log, results: list[Result], by: list[str], facts: dict, warnings: list[str]
) -> None:
    """Print the results as one JSON object."""
    rows = []
    for result in results:
        row = {"policy": result.label, "simulated": result.run is not None}
        if result.run and decides(result.run.policy):
            row["decides_itself"] = True  # the mode is that of the others
        groups = {group: result.by(group).to_dict(orient="index") for group in by}
        row |= dict(result.summary()) | {"jobs": len(result.log)}
        rows.append(row | ({"by": groups} if groups else {}))
    show_json(about(log) | facts | {"tau": TAU, "results": rows, "warnings": warnings})
