"""Explain why a job waited."""

from datetime import timedelta
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, command
from schedlab.cli.output import print_text, show_json
from schedlab.cli.slurm import SlurmOptions, given_of
from schedlab.files.progress import busy
from schedlab.workbench.results import simulate
from schedlab.workbench.site_explaining import explain

#: the order without --policy
FIRST_COME = "fcfs"
SHOWN = 10


@command
def explain_job(
    log: o.LogPath,
    job: Annotated[int, typer.Argument(help="Number of the job in the log.", metavar="JOB")],
    policy: o.OnePolicy = None,
    *,
    source: LogInput,
    options: SchedulingOptions,
    slurm: SlurmOptions,
    every: Annotated[
        bool, typer.Option("--all", help=f"Print every decision, not only {SHOWN}.")
    ] = False,
    json: o.AsJson = False,
) -> None:
    """Explain why a job waits: every decision that passes it over, and why other jobs start."""
    if slurm.is_given():
        rules = slurm.dialect("full", source, **given_of(options))
        opened, site, order = slurm.open_policy(log, source, rules, policy, quiet=json)
        with busy(f"following job {job}"):
            explanation = explain(opened, site, job, order)
    else:
        settings = options.check([policy or FIRST_COME]).settings
        opened = source.open(log, quiet=json)
        with busy(f"following job {job}"):
            explanation = simulate(opened, policy or FIRST_COME, **settings).explain(job)
    if json:
        show_json(about(opened) | {"explanation": explanation.to_dict()})
        return
    waited = opened.frame["wait"].iloc[opened.place(job)]
    print_text(explanation.text(None if every else SHOWN))
    if waited >= 0:
        at_site = timedelta(seconds=int(waited))
        print_text(f"at the site it waited {at_site}; the log does not contain the reason")
