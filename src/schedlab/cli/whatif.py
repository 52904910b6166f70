"""Predict when waiting jobs start under other policies."""

from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions, mode_of
from schedlab.cli.log import command
from schedlab.cli.output import MISSING, number_or_missing, print_text, show_json, show_table
from schedlab.cli.site_whatif import Changes, show_reasons, show_rest, show_site
from schedlab.cli.slurm import SlurmOptions
from schedlab.core.metrics import summary_metrics
from schedlab.policies import REGISTRY
from schedlab.queue.reservations import read_reservations
from schedlab.traces.slurm import sinfo_text, squeue_text
from schedlab.workbench.queue_state import load_queue
from schedlab.workbench.whatif import COLUMNS, LEFT_OUT, WhatIf, what_if

ALL = list(REGISTRY)
EASY = ["head"]
HELP = f"""Predict when the waiting jobs would start under each of several policies.

The prediction assumes that no job arrives and that every job runs until its limit. Write the two
files at the same time:

{squeue_text.COMMAND} > squeue.txt

{sinfo_text.COMMAND} > sinfo.txt

or squeue --json and sinfo --json (from Slurm 23.02 on: scontrol show nodes --json), or two logs in
SWF: the running jobs, with their waits, and the waiting jobs.

With --slurm-conf the site's own Slurm is simulated, from a queue like that of schedlab why: as it
is, with each change of --slurm-set, --add-nodes and --drain alone, and with the points of each
--policy added to the site's priorities."""


@command
def predict_starts(
    queue: Annotated[
        Path, typer.Argument(help="Output of squeue, or the running jobs in SWF.", metavar="QUEUE")
    ],
    machine: Annotated[
        Path | None,
        typer.Argument(
            help="Output of sinfo, or the waiting jobs in SWF; none with --slurm-conf.",
            metavar="MACHINE",
        ),
    ] = None,
    policy: o.Policies = ALL,
    *,
    reservations: Annotated[
        list[str],
        typer.Option(
            help="Jobs with a reservation: none (strict order), fit (first fit without any), head "
            "(EASY), a number of jobs, or every (conservative); may be repeated."
        ),
    ] = EASY,
    partition: Annotated[
        str | None, typer.Option(help="Only this partition; by default all partitions as one pool.")
    ] = None,
    processors: Annotated[
        int | None, typer.Option(min=1, help="Processors of the machine; by default from sinfo.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Time at which the queue was read, in seconds or like 2026-11-22T12:00:00; by "
            "default from the files, or when they were written.",
        ),
    ] = None,
    hours: Annotated[
        float, typer.Option(help="Hours ahead for which starts and utilization are counted.")
    ] = 24,
    jobs: Annotated[
        bool, typer.Option("--jobs", help="Also print when each job starts, by policy.")
    ] = False,
    slurm: SlurmOptions,
    add_nodes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N[:NODE]",
            help="With --slurm-conf, so many more nodes, like NODE; may be repeated.",
        ),
    ] = None,
    drain: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NODES", help="With --slurm-conf, nodes that take no jobs; may be repeated."
        ),
    ] = None,
    past: Annotated[
        Path | None,
        typer.Option("--log", help="With --slurm-conf, past jobs, for run times and submissions."),
    ] = None,
    threads: o.Threads = 1,
    json: o.AsJson = False,
) -> None:
    """Predict when the waiting jobs would start under each of several policies."""
    if slurm.is_given():
        given = {"MACHINE": machine, "--partition": partition, "--processors": processors}
        given |= {"--reservations": reservations != EASY}
        if wrong := [name for name, value in given.items() if value]:
            raise ValueError(
                f"{wrong[0]}: the site's files decide; leave it out, settings are of --slurm-set"
            )
        changes = Changes(slurm, add_nodes or (), drain or (), policy if policy != ALL else ())
        show_site(queue, changes, past, at, hours, jobs, threads, json)
        return
    if wrong := [name for name, value in (("--add-nodes", add_nodes), ("--drain", drain),
                                          ("--log", past)) if value]:  # fmt: skip
        raise ValueError(f"{wrong[0]} is of a site's Slurm: give --slurm-conf")
    if machine is None:
        raise ValueError("MACHINE: give the output of sinfo, or --slurm-conf")
    reservations = [read_reservations(each) for each in reservations]
    SchedulingOptions().check(policy)
    present = load_queue(queue, machine, partition, processors, at)
    result = what_if(present, policy, reservations, hours, threads)
    if json:
        show_json(_as_json(result, reservations))
        return
    print_text(f"The prediction leaves out: {'; '.join(LEFT_OUT)}.")
    _show(result, reservations)
    if jobs:
        _show_jobs(result)
    limited = present.jobs.loc[present.jobs["held_by"] != "", ["id", "held_by"]]
    show_reasons(
        limited,
        f"{len(limited):,} of {len(present.jobs):,} waiting jobs are held by what is left out, and "
        "predicted as if they were not:",
    )
    show_rest(present.stuck, len(present.jobs), present.notes)


# the help names the commands that write the two files
predict_starts.__doc__ = HELP


def _show(result: WhatIf, reservations: list[str]) -> None:
    """Print the table of policies, with a description of its numbers."""
    present, standing = result.present, result.present.standing
    waits = {name: one for name, one in summary_metrics().items() if name in COLUMNS}
    used = waits.pop("utilisation")
    rows = [
        (
            label,
            *(number_or_missing(row[name], metric.format) for name, metric in waits.items()),
            f"{row['started']:,.0f}",
            number_or_missing(row["utilisation"], used.format),
        )
        for label, row in result.table.iterrows()
    ]
    ahead = f"{result.hours:g} h"
    title = (
        f"{len(result.starts):,} jobs wait, {len(standing.running):,} run on "
        f"{standing.processors:,} processors, {present.source.stamp(present.source.now)}"
    )
    headings = (metric.heading for metric in waits.values())
    columns = ("policy", *headings, f"start in {ahead}", f"{used.heading}, {ahead}")
    show_table(title, columns, rows)
    print_text(
        f"{'; '.join(map(mode_of, reservations))}; waits are from submission to start, "
        "over all waiting jobs that can start, if no job arrives and all run until their limits"
    )


def _show_jobs(result: WhatIf) -> None:
    """Print when each job starts, and which limit holds it now."""
    stamp, jobs = result.present.source.stamp, result.present.jobs
    rows = [
        (
            *(job["id"], job["user"], job["held_by"] or MISSING, job["procs"]),
            *map(stamp, result.starts.iloc[place].tolist()),
        )
        for place, job in enumerate(jobs.to_dict("records"))
    ]
    columns = ("job", "user", "held by", "processors", *result.starts.columns)
    show_table("starts", columns, rows, words=3)


def _as_json(result: WhatIf, reservations: list[str]) -> dict:
    """Return the results as one JSON object."""
    present = result.present
    jobs = present.jobs.assign(start=result.starts.to_dict("records"))
    return {
        "left_out": LEFT_OUT,
        "queue": present.source.path,
        "now": present.source.now,
        "clock": present.source.clock,
        "processors": present.standing.processors,
        "running": len(present.standing.running),
        "reservations": reservations,
        "hours": result.hours,
        "results": result.table.reset_index().to_dict("records"),
        "jobs": jobs.to_dict("records"),
        "cannot_start": present.stuck.to_dict("records"),
        "notes": present.notes,
    }
