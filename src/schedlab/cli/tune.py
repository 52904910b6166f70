"""Tuning a mixed policy for your log."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import Scheduling, SchedulingOptions
from schedlab.cli.compare import show_comparison, verdict
from schedlab.cli.learn import config_line, repeated
from schedlab.cli.log import LogInput, about, command, size_of
from schedlab.cli.output import json_of, print_text, show_json, warn
from schedlab.cli.slurm import SlurmOptions, text_of
from schedlab.comparison.tuned_policy import BACKFILL, DAYS, POINTS, PURE, TUNED, Tuned, tune
from schedlab.files.io import write_text
from schedlab.policies import get
from schedlab.policies.ageing import in_words
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.slurm import refusal


@command
def tune_policy(
    log: o.LogPath,
    *,
    source: LogInput,
    slurm: SlurmOptions,
    days: Annotated[int, typer.Option(min=1, help="Length of a window.")] = DAYS,
    points: Annotated[
        int, typer.Option(min=3, help="Points of a dimension of the grid of weights.")
    ] = POINTS,
    threshold: o.Threshold = None,
    dialect: o.Dialect = "full",
    youth: o.Youth = False,
    threads: o.Threads = 1,
    seed: Annotated[int, typer.Option(help="Another number resamples other windows.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Write what was found as JSON too, for export-slurm.")
    ] = None,
    json: o.AsJson = False,
) -> None:
    """Tune a mixed policy on the first half of a log, and see on the second whether it pays."""
    rules = slurm.dialect(dialect, source, threshold=threshold)
    checked = _check(rules, threshold)
    mode, threshold_s = checked.mode, checked.settings["threshold"]
    opened, rules = slurm.open_started(log, source, rules, quiet=json)
    tuned = tune(opened, days, points, threshold_s, threads, seed, youth, dialect=rules)
    facts = about(opened) | {"mode": mode, "dialect": dialect_of(rules).name}
    facts |= _facts(tuned, days, threshold_s, int(opened.jobs.estimate.max()))
    if out:
        write_text(json_of(facts), out)
    if json:
        show_json(facts)
        return
    print_text(f"{size_of(opened)}; {opened.cleaning}")
    print_text(f"{mode}; {text_of(rules)}")
    best = ", ".join(f"{name} {weight:g}" for name, weight in tuned.weights.items())
    print_text(
        f"best of {tuned.tried:,} vectors on the {tuned.jobs:,} jobs of the first half: {best}"
    )
    if tuned.refused:
        print_text(f"{tuned.refused:,} of a smaller mean let a job wait too long and were left out")
    print_text(f"in words: {in_words(tuned.policy)}")
    training = ", ".join(f"{name} {mean:,.2f}" for name, mean in tuned.training.items())
    order = "shortest first" if tuned.backfill else "in the order of the queue"
    print_text(f"mean bounded slowdown there, backfilled {order}: {training}")
    typer.echo(f"formula      {tuned.policy.expression}")
    print_text("what was tried, exactly:")
    expression = tuned.policy.expression
    command_line = repeated(
        log, opened, expression, source, tuned.backfill, threshold_s, dialect, slurm
    )
    typer.echo(f"    {command_line}")
    typer.echo("config line  under policies: in a configuration file; there it backfills in")
    typer.echo("             its own order, which is another scheduler than the one tried here")
    typer.echo(f"    {config_line(log, tuned.policy.expression, 'tuned')}")
    if out:
        site = dialect_of(rules).site
        points = f" --points {site.points}" if site else ""
        typer.echo(f"for Slurm    schedlab export-slurm {quote(str(out))}{points}")
    if tuned.test is None:
        warn(f"not checked: the second half has no whole window of {days} days")
        return
    print_text("on the second half, which it has not seen:")
    show_comparison(tuned.test)
    print_text(verdict(tuned.test, TUNED))


def _check(dialect: str | Dialect, threshold: str | None) -> Scheduling:
    """Check the settings; warn of policies that the dialect cannot run."""
    base = dialect_of(dialect)
    for name in PURE if base.slurm else ():
        if why := refusal(get(name)):
            warn(f"{get(name).label} is left out: dialect {base.name} {why}")
    backfill = None if base.is_slurm else BACKFILL
    options = SchedulingOptions(backfill_order=backfill, threshold=threshold)
    return options.check([PURE[0]], dialect)


def _facts(tuned: Tuned, days: int, threshold: int | None, longest: int) -> dict:
    """Return the results as a dict for JSON; longest is the log's longest estimate."""
    test = None
    if tuned.test is not None:
        test = tuned.test.table.join(tuned.test.tails).reset_index().to_dict(orient="records")
    return {
        "policy": tuned.policy.expression,
        "weights": tuned.weights,
        "vectors": tuned.tried,
        "days": days,
        "threshold": threshold,
        "backfill": tuned.backfill,
        "longest": longest,
        "training": {"jobs": tuned.jobs} | tuned.training,
        "test": test,
    }
