"""Your log in the files of other programs."""

from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.log import LogInput, about, command
from schedlab.cli.output import print_result
from schedlab.exports.batsim import DELAY, write_batsim
from schedlab.exports.evalys import write_evalys
from schedlab.exports.swf import write_schedule
from schedlab.files.known_words import check_known
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate


@command
def export_batsim(
    log: o.LogPath,
    out: Annotated[Path, typer.Option(help="The workload to write, .json.")],
    *,
    source: LogInput,
    batsim: Annotated[
        str, typer.Option(help=f"Version whose names are written: {' or '.join(DELAY)}.")
    ] = "4",
    json: o.AsJson = False,
) -> None:
    """Write a log as a Batsim workload: jobs that wait for as long as they ran.

    Example: schedlab export-batsim site.swf.gz --out site.json
    """
    check_known(batsim, DELAY, "version of Batsim")
    opened = source.open(log, quiet=json)
    jobs, processors = opened.jobs, opened.processors
    write_batsim(out, jobs, processors, batsim)
    summary = f"{out}: {len(jobs):,} jobs on {processors:,} processors; {opened.cleaning}"
    print_result(summary, about(opened) | {"files": [str(out)]}, json)


@command
def export_schedule(
    log: o.LogPath,
    policy: o.Policy = "fcfs",
    swf: Annotated[
        Path | None, typer.Option(help="The schedule as a log, .swf or .swf.gz.")
    ] = None,
    evalys: Annotated[
        Path | None, typer.Option(help="The schedule as Batsim's and Evalys's jobs.csv.")
    ] = None,
    *,
    source: LogInput,
    reservations: o.Reservations = None,
    json: o.AsJson = False,
) -> None:
    """Write the schedule of a log under a policy as SWF, as a table for Evalys, or as both.

    Example: schedlab export-schedule site.swf.gz --policy f1 --evalys jobs.csv
    """
    checked = SchedulingOptions(reservations).check([policy])
    if not swf and not evalys:
        raise ValueError("nothing to write: give --swf, --evalys or both")
    opened = source.open(log, quiet=json)
    frame, jobs, processors = opened.frame, opened.jobs, opened.processors
    run = Run(jobs, processors, get(policy), reservations=checked.settings["reservations"])
    schedule = simulate(run)
    if swf:
        more = {name: frame[name] for name in ("user", "group", "queue")}
        start = opened.unix_start
        if start is not None:  # of the first submission, which is second 0 of a schedule
            start += int(frame["submit"].iloc[0])
        write_schedule(swf, jobs, schedule, processors, more, start, opened.zone or "")
    if evalys:
        write_evalys(evalys, jobs, schedule, processors)
    summary = f"{len(jobs):,} jobs under {run.policy.label}; {checked.mode}"
    files = [str(path) for path in (swf, evalys) if path]
    result = {"files": files, "policy": run.policy.label, "reservations": run.reservations}
    lines = [f"{path}: {summary}; {opened.cleaning}" for path in files]
    print_result(lines, about(opened) | result, json)
