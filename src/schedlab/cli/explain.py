"""Explain why a job waited."""

from datetime import timedelta
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import check_scheduling
from schedlab.cli.log import about, mistakes_in_one_line, open_log
from schedlab.cli.output import print_text, show_json
from schedlab.files.durations import optional_seconds
from schedlab.files.progress import busy
from schedlab.workbench.results import simulate

SHOWN = 10


@mistakes_in_one_line()
def explain_job(
    log: o.LogPath,
    job: Annotated[int, typer.Argument(help="Number of the job in the log.", metavar="JOB")],
    processors: o.Processors = None,
    policy: o.Policy = "fcfs",
    reservations: o.Reservations = None,
    backfill_order: o.Order = None,
    compression: o.Compression = None,
    threshold: o.Threshold = None,
    rules: o.Rules = o.DEFAULT_RULES,
    default_limit: o.DefaultLimit = None,
    drop_wide: o.DropWide = False,
    every: Annotated[
        bool, typer.Option("--all", help=f"Print every decision, not only {SHOWN}.")
    ] = False,
    json: o.AsJson = False,
) -> None:
    """Explain why a job waits: every decision that passes it over, and why other jobs start."""
    threshold_s = optional_seconds(threshold, "--threshold")
    check_scheduling([policy], reservations, backfill_order, compression, threshold_s)
    opened = open_log(log, processors, rules, default_limit, drop_wide, quiet=json)
    with busy(f"following job {job}"):
        result = simulate(opened, policy, backfill_order, reservations, compression, threshold_s)
        explanation = result.explain(job)
    if json:
        show_json(about(opened) | {"explanation": explanation.to_dict()})
        return
    waited = opened.frame["wait"].iloc[opened.place(job)]
    print_text(explanation.text(None if every else SHOWN))
    if waited >= 0:
        at_site = timedelta(seconds=int(waited))
        print_text(f"at the site it waited {at_site}; the log does not contain the reason")
