"""Tuning a mixed policy for a log of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import check_scheduling
from schedlab.cli.compare import show_comparison
from schedlab.cli.learn import config_line
from schedlab.cli.log import about, mistakes_in_one_line, open_log, size_of
from schedlab.cli.output import json_of, show_json, warn
from schedlab.durations import optional_seconds
from schedlab.io import write_text
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.slurm import refusal
from schedlab.workbench.results import RECORDED
from schedlab.workbench.tuned import BACKFILL, DAYS, POINTS, PURE, TUNED, Tuned, tune


def tune_policy(
    log: o.LogPath,
    processors: o.Processors = None,
    rules: o.Rules = o.DEFAULT_RULES,
    default_limit: o.DefaultLimit = None,
    drop_wide: o.DropWide = False,
    days: Annotated[int, typer.Option(min=1, help="Length of a window.")] = DAYS,
    points: Annotated[
        int, typer.Option(min=3, help="Points of a dimension of the grid of weights.")
    ] = POINTS,
    threshold: o.Threshold = None,
    dialect: o.Dialect = "full",
    threads: o.Threads = 1,
    seed: Annotated[int, typer.Option(help="Another number resamples other windows.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Write what was found as JSON too, for export-slurm.")
    ] = None,
    json: o.AsJson = False,
) -> None:
    """Tune a mixed policy on the first half of a log, and see on the second whether it pays."""
    with mistakes_in_one_line():
        patience = optional_seconds(threshold, "--threshold")
        mode = _check(dialect, patience)
        opened = open_log(log, processors, rules, default_limit, drop_wide, quiet=json)
        found = tune(opened, days, points, patience, threads, seed, dialect)
        facts = about(opened) | {"mode": mode, "dialect": dialect}
        facts |= _facts(found, days, patience, int(opened.jobs.estimate.max()))
        if out:
            write_text(json_of(facts), out)
        if json:
            show_json(facts)
            return
        typer.echo(f"{size_of(opened)}; {opened.cleaning}")
        typer.echo(f"{mode}; {dialect} dialect")
        best = ", ".join(f"{name} {weight:g}" for name, weight in found.weights.items())
        typer.echo(
            f"best of {found.tried:,} vectors on {found.windows} windows of {days} days of the "
            f"first half: {best}"
        )
        training = ", ".join(f"{name} {mean:,.2f}" for name, mean in found.training.items())
        order = "shortest first" if found.backfill else "in the order of the queue"
        typer.echo(f"mean bounded slowdown there, backfilled {order}: {training}")
        typer.echo(f"formula      {found.policy.expression}")
        typer.echo("config line  under policies: in a configuration file")
        typer.echo(f"    {config_line(log, found.policy.expression, 'tuned')}")
        if out:
            typer.echo(f"for Slurm    schedlab export-slurm {out}")
        if found.test is None:
            warn(f"not checked: the second half has no whole window of {days} days")
            return
        typer.echo("on the second half, which it has not seen:")
        show_comparison(found.test)
        typer.echo(verdict(found))


def _check(dialect: str, threshold: int | None) -> str:
    """Check the settings; return which jobs have reservations, in words."""
    base = dialect_of(dialect)
    for name in PURE if base.slurm else ():
        if why := refusal(get(name)):
            warn(f"{get(name).label} is left out: dialect {base.name} {why}")
    backfill = None if base.slurm else BACKFILL
    return check_scheduling([PURE[0]], backfill=backfill, threshold=threshold, dialect=dialect).mode


def verdict(found: Tuned) -> str:
    """Say whether tuning pays: against what was fixed beforehand, and the best with hindsight."""
    table = found.test.table.drop(index=RECORDED, errors="ignore")
    first, best = table.index[0], table["mean"].drop(TUNED).idxmin()
    said = []
    for label, words in ((first, "chosen beforehand"), (best, "the best of the others here")):
        row = found.test.against(label).loc[TUNED]
        ends = f"{row['low']:.2f} to {row['high']:.2f}"
        said.append(f"{row['ratio']:.2f} times ({ends}) {label}, {words}: {row['verdict']}")
    return f"{TUNED}: {'; '.join(dict.fromkeys(said))}"


def _facts(found: Tuned, days: int, threshold: int | None, longest: int) -> dict:
    """Return what was found as JSON has it; longest is the log's longest estimate."""
    test = None
    if found.test is not None:
        test = found.test.table.reset_index().to_dict(orient="records")
    return {
        "policy": found.policy.expression,
        "weights": found.weights,
        "vectors": found.tried,
        "days": days,
        "threshold": threshold,
        "backfill": found.backfill,
        "longest": longest,
        "training": {"windows": found.windows} | found.training,
        "test": test,
    }
