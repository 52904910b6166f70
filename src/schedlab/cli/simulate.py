"""Simulating a log of one's own, and the policies there are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from schedlab.cli.log import check_known, cleaning_words, mistakes_in_one_line, read_log
from schedlab.jobs import Jobs
from schedlab.metrics import bounded_slowdown
from schedlab.policies import REGISTRY, get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.cleaning import RULE_SETS

#: what a simulation is called by who has a reservation
MODES = {
    "none": "strict order, no backfilling",
    "head": "EASY backfilling",
    "every": "conservative backfilling",
}
PAPERS_ORDER = ["fcfs", "wfp3", "unicef", "spt", "f4", "f3", "f2", "f1"]


def list_policies() -> None:
    """List the registered policies; the smallest score runs first."""
    table = Table("name", "label", "score", "source")
    for policy in REGISTRY.values():
        table.add_row(policy.name, policy.label, policy.expression, policy.source)
    Console().print(table)


def simulate_log(
    log: Annotated[Path, typer.Argument(help="A log in SWF, .swf or .swf.gz.")],
    processors: Annotated[
        int | None, typer.Option(help="Size of the machine; by default the header's MaxProcs.")
    ] = None,
    policy: Annotated[
        list[str], typer.Option(help="Name or expression over r, n, s, w; may be repeated.")
    ] = PAPERS_ORDER,
    reservations: Annotated[
        str,
        typer.Option(help="Who has one: none (strict order), head (EASY) or every (conservative)."),
    ] = "head",
    backfill: Annotated[
        bool, typer.Option("--backfill/--no-backfill", help="--no-backfill: reservations none.")
    ] = True,
    compression: Annotated[
        str | None,
        typer.Option(
            help="When reservations of every job move up, as jobs end early: none (never), "
            "completion (after each, one at a time; default) or instant (once an instant)."
        ),
    ] = None,
    rules: Annotated[
        str, typer.Option(help=f"Cleaning rules: {', '.join(RULE_SETS)}.")
    ] = "full_estimate",
    dialect: Annotated[str, typer.Option(help=f"One of {', '.join(DIALECTS)}.")] = "full",
) -> None:
    """Simulate a whole log under several policies and print waits and slowdowns."""
    with mistakes_in_one_line():
        check_known(dialect, DIALECTS, "dialect")
        check_known(reservations, MODES, "reservations")
        if not backfill:
            if reservations == "every":
                raise ValueError("--no-backfill means reservations none: leave one of them out")
            reservations = "none"
        frame, ledger, processors = read_log(log, processors, rules)
        jobs = Jobs.from_frame(frame).rebased()
        table = Table(title=f"{log.name}: {len(jobs):,} jobs on {processors:,} processors")
        waited = False
        for column in ("policy", "mean wait, s", "mean bounded slowdown", "median", "95 %"):
            table.add_column(column, justify="left" if column == "policy" else "right")
        for order in (get(name) for name in policy):
            run = Run(
                jobs,
                processors,
                order,
                dialect=DIALECTS[dialect],
                reservations=reservations,
                compression=compression,
            )
            schedule = simulate(run)
            slowdown = bounded_slowdown(jobs, schedule)
            figures = (slowdown.mean(), *np.quantile(slowdown, [0.5, 0.95]))
            wait = (schedule.start - jobs.submit).mean()
            waited |= wait > 0
            table.add_row(order.label, f"{wait:,.0f}", *(f"{number:,.2f}" for number in figures))
    Console().print(table)
    if not waited:
        typer.secho(
            "no job waits under any policy: nothing here tells them apart; is --processors right, "
            "and what was dropped?",
            fg="yellow",
            err=True,
        )
    mode = MODES[reservations]
    if reservations == "every":
        mode += f", compression {compression or 'completion'}"
    typer.echo(f"{mode}; {dialect} dialect; τ = 10 s; {cleaning_words(ledger, rules)}")
