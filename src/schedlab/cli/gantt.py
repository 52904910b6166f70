"""A chart of a schedule."""

from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, command, size_of
from schedlab.cli.output import print_result, warn
from schedlab.cli.slurm import SlurmOptions, given_of, reasons
from schedlab.files.durations import optional_seconds
from schedlab.files.progress import busy
from schedlab.workbench.results import as_recorded, simulate
from schedlab.workbench.site_results import simulate_site

#: the order without --policy
FIRST_COME = "fcfs"
FORMATS = (".png", ".pdf", ".svg")


@command
def draw_gantt(
    log: o.LogPath,
    policy: o.OnePolicy = None,
    *,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="The log's own schedule, no simulation.")
    ] = False,
    source: LogInput,
    options: SchedulingOptions,
    slurm: SlurmOptions,
    first: Annotated[
        str | None,
        typer.Option("--from", metavar="DURATION", help="Time since the first submission: 24h."),
    ] = None,
    last: Annotated[
        str | None,
        typer.Option("--to", metavar="DURATION", help="Time since the first submission: 48h."),
    ] = None,
    job: Annotated[int | None, typer.Option(help="Number of a job that is outlined.")] = None,
    out: Annotated[Path, typer.Option(help=f"The file to make: {', '.join(FORMATS)}.")] = Path(
        "gantt.png"
    ),
    json: o.AsJson = False,
) -> None:
    """Draw which processors or nodes run which job when, and how many jobs wait."""
    span = optional_seconds(first, "--from"), optional_seconds(last, "--to")
    if out.suffix not in FORMATS:
        raise ValueError(f"--out {out}: must end with {', '.join(FORMATS)}")
    rules = slurm.dialect("full", source, **given_of(options, recorded=recorded))
    if slurm.is_given():
        opened, site, order = slurm.open_policy(log, source, rules, policy, quiet=json)
        result = simulate_site(opened, site, order)
        for line in reasons(result):
            warn(line)
    else:
        settings = options.check([policy or FIRST_COME]).settings
        opened = source.open(log, quiet=json)
        result = (
            as_recorded(opened) if recorded else simulate(opened, policy or FIRST_COME, **settings)
        )
    figure = result.gantt(*span, job)
    # the import of matplotlib takes a second
    from schedlab.report.figures.style import save_one

    with busy(f"drawing {out}"):
        save_one(figure, out)
    metrics = result.summary()
    message = (
        f"{out}: {size_of(opened)}, {result.label}: mean wait {metrics['mean_wait']:,.0f} s, "
        f"mean bounded slowdown {metrics['mean_slowdown']:,.2f} over all jobs"
    )
    content = {"files": [str(out)], "policy": result.label, "schedule": metrics.to_dict()}
    print_result(message, about(opened) | content, json)
