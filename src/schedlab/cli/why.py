"""Tell why a job of a site's present queue waits."""

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import command
from schedlab.cli.output import print_text, show_json, warn
from schedlab.cli.slurm import SlurmOptions
from schedlab.files.progress import busy
from schedlab.traces.slurm.sprio_text import read_sprio
from schedlab.workbench.live_queue import collect
from schedlab.workbench.log import load_log
from schedlab.workbench.site_forecast import MOST_DAYS, RUNS, past_of
from schedlab.workbench.site_queue import load_site_queue
from schedlab.workbench.site_results import RULES
from schedlab.workbench.why import LARGEST, Why, why_waits

NOTHING = "Nothing that you can change helps."


@command
def explain_wait(
    job: Annotated[str, typer.Argument(help="Id of the job, as squeue has it.", metavar="JOBID")],
    *,
    queue: Annotated[
        Path | None,
        typer.Option(
            help="The queue, as squeue writes it with the format that the documentation has, or "
            "squeue --json; without it, the commands of this machine's Slurm are asked."
        ),
    ] = None,
    slurm: SlurmOptions,
    sprio: Annotated[
        Path | None, typer.Option(help="Output of sprio -l, with which priorities are compared.")
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="Past jobs, for run times and submissions: a log with requests."),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Time of the queue; by default from its file."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Number of simulations.")] = RUNS,
    days: Annotated[int, typer.Option(min=1, help="Days that are simulated.")] = MOST_DAYS,
    seed: Annotated[int, typer.Option(help="Seed of run times and submissions.")] = 0,
    html: Annotated[
        Path | None, typer.Option(help="Also write a page, with the nodes over time.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Without --queue, the folder that keeps what was read.")
    ] = None,
    threads: o.Threads = 1,
    json: o.AsJson = False,
) -> None:
    """Tell why a job waits now on your Slurm, when it starts, and what would help.

    Nothing is changed: the commands that would help are printed.

    Example: schedlab why 17 --queue squeue.txt --slurm-conf slurm.conf --accounts accounts.txt
    """
    with ExitStack() as stack, busy(f"job {job}"):
        if queue is None:
            if slurm.is_given():
                raise ValueError("--queue: give the queue as well, or no file at all")
            place = save or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            files = collect(place)
            queue, sprio = files.queue, files.sprio
            slurm = replace(
                slurm, slurm_conf=files.conf, slurm_more=files.more, accounts=files.accounts
            )
            for line in files.lost:
                warn(f"left out: {line}")
        elif not slurm.is_given():
            raise ValueError("--slurm-conf: give it, or what scontrol show config prints")
        options = slurm
        present = load_site_queue(queue, lambda origin: options.read(origin=origin), at)
        past = past_of(load_log(log, RULES, drop_wide=True)) if log else None
        recorded = read_sprio(sprio) if sprio else None
        why = why_waits(present, job, past, recorded, runs, seed, days, threads)
    if html:
        # it draws: matplotlib is a library of an extra
        from schedlab.workbench.why_page import write_page

        write_page(html, why)
    if json:
        show_json(why.to_dict())
        return
    for line in lines_of(why):
        print_text(line)
    for note in why.notes:
        warn(note)
    if html:
        print_text(f"{html}: {html.stat().st_size / 1e3:,.0f} kB")


def lines_of(why: Why) -> list[str]:
    """Return an explanation as lines."""
    facts = ", ".join(f"{name} {value}" for name, value in why.facts.items())
    lines = [f"job {why.id} ({facts})", why.reason]
    if why.of_slurm not in ("", "None", "(null)"):
        lines.append(f"Slurm's own reason: {why.of_slurm}")
    if why.ahead:
        parts = ", ".join(f"{count:,} by {name}" for name, count in why.by_factor.items())
        count = len(why.ahead)
        jobs = "1 job with its nodes is" if count == 1 else f"{count:,} jobs with its nodes are"
        lines.append(f"{jobs} ahead: {parts}. The largest:")
        for each in why.ahead[:LARGEST]:
            lines.append(
                f"  job {each.id} of {each.user}: {each.processors:,} processors for "
                f"{timedelta(seconds=each.limit)}, priority {each.priority:,}, by {each.factor}"
            )
        if (rest := len(why.ahead) - LARGEST) > 0:
            lines.append(f"  and {rest:,} more")
    if points := {name: value for name, value in (why.factors or {}).items() if round(value)}:
        parts = ", ".join(f"{name} {value:,.0f}" for name, value in points.items())
        lines.append(f"Points of its priority: {parts}")
    lines += starts_of(why)
    lines += [*_helps(why)]
    return lines


def starts_of(why: Why) -> list[str]:
    """Return when a job starts, as sentences."""
    if why.forecast is None or why.starts is None:
        return []
    later = f"not within {timedelta(seconds=int(why.days * 86_400)).days} days"
    at = {
        name: later if time is None else why.queue.source.stamp(time)
        for name, time in why.starts.items()
    }
    count = len(why.forecast.starts)
    lines = [
        f"It starts at about {at['median']}; in 80 % of {count} simulations between {at['low']} "
        f"and {at['high']} ({why.assumption}).",
        f"If all jobs run until their limits, and none is submitted: {at['limits']}.",
    ]
    if why.starts["slurm"] is not None:
        lines.append(f"Slurm itself plans {at['slurm']}.")
    return lines


def _helps(why: Why) -> list[str]:
    if why.forecast is None and not why.helps:
        return []
    if not why.helps:
        return [NOTHING]
    lines = ["What would help, and how much earlier it then starts (10 to 90 % of simulations):"]
    for each in why.helps:
        low, middle, high = each.gain
        known = middle == middle
        gain = f": {span(middle)} ({span(low)} to {span(high)})" if known else ""
        lines += [f"  {each.words}{gain}", f"    {each.command}"]
    return lines


def span(seconds: float) -> str:
    """Return seconds as hours and minutes."""
    return str(timedelta(minutes=round(seconds / 60)))[:-3]
