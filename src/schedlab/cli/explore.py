"""Schedules of your log as one page that you pan, zoom and question."""

from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, command
from schedlab.cli.output import print_result
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.explorer import write_explorer


@command
def explore_log(
    log: o.LogPath,
    html: Annotated[Path, typer.Option(help="The page to write; it needs no other file.")],
    policy: Annotated[
        list[str],
        typer.Option(
            help="Name or expression over r, n, s, w; up to four, shown in this order.",
            autocompletion=o.names_of_policies,
        ),
    ] = ["fcfs", "f1"],  # noqa: B006
    *,
    source: LogInput,
    reservations: o.Reservations = None,
    dialect: o.Dialect = "full",
    json: o.AsJson = False,
) -> None:
    """Write the schedules of a log under several policies as one page for a browser.

    Example: schedlab explore site.swf.gz --html page.html --policy fcfs --policy f1
    """
    checked = SchedulingOptions(reservations).check(policy, dialect)
    orders = [get(name) for name in policy]
    labels = [order.label for order in orders]
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ValueError(f"policy {twice[0]} is given twice")
    opened = source.open(log, quiet=json)
    frame, jobs, processors = opened.frame, opened.jobs, opened.processors
    options = {"dialect": dialect_of(dialect), "reservations": checked.settings["reservations"]}
    schedules = {order.label: simulate(Run(jobs, processors, order, **options)) for order in orders}
    note = f"{checked.mode}; {dialect} dialect; {opened.cleaning}"
    write_explorer(
        html,
        jobs,
        schedules,
        processors,
        title=f"{log.name}: {' and '.join(schedules)}",
        note=note,
        users=frame["user"].to_numpy(),
    )
    result = {"files": [str(html)], "policies": list(schedules), "note": note}
    size = html.stat().st_size / 1e6
    print_result(f"{html}: {len(jobs):,} jobs, {size:.1f} MB; {note}", about(opened) | result, json)
