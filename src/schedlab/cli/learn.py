"""Learning a policy from a log of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import pandas as pd
import typer

from schedlab.cli import options as o
from schedlab.cli.checks import check_scheduling
from schedlab.cli.log import about, mistakes_in_one_line, open_log, size_of
from schedlab.cli.output import show_json, show_table, warn
from schedlab.learning.regimes import REGIMES, YARDSTICKS
from schedlab.learning.regression import COEFFICIENTS, form_of
from schedlab.workbench.learned import (
    LEARNED,
    RESAMPLES,
    TRIALS,
    TUPLES,
    Learned,
    learn,
    tried,
    verdict,
)

if TYPE_CHECKING:
    from schedlab.learning.transfer import Replicates

SHOWN = 4


def learn_policy(
    log: o.LogPath,
    processors: o.Processors = None,
    tuples: Annotated[int, typer.Option(min=1, help="Tuples of 48 jobs to learn from.")] = TUPLES,
    trials: Annotated[
        int, typer.Option(min=1024, help="Permutations of each tuple's last 32 jobs.")
    ] = TRIALS,
    dialect: o.Dialect = "full",
    threads: Annotated[int, typer.Option(min=1, help="Tuples, then windows, at a time.")] = 1,
    seed: Annotated[int, typer.Option(help="Another number draws other tuples.")] = 0,
    rules: o.Rules = o.DEFAULT_RULES,
    default_limit: o.DefaultLimit = None,
    drop_wide: o.DropWide = False,
    json: o.AsJson = False,
) -> None:
    """Learn a policy from the first half of a log, and see on the second half whether it pays."""
    with mistakes_in_one_line():
        mode = check_scheduling([*YARDSTICKS], dialect=dialect).mode
        opened = open_log(log, processors, rules, default_limit, drop_wide, quiet=json)
        found = learn(opened, tuples, trials, threads, seed)
        best = found.fits.iloc[0]
        form, coefficients = form_of(best), best[COEFFICIENTS].to_numpy(dtype=float)
        latex = form.latex(coefficients)
        checked, why = None, ""
        try:
            checked = tried(opened, found, threads, seed, dialect)
        except ValueError as error:
            why = str(error)
        if json:
            facts = {"mode": mode, "dialect": dialect} | _facts(found, latex, checked, why)
            show_json(about(opened) | facts)
            return
        typer.echo(f"{size_of(opened)}; {opened.cleaning}")
        _say_draws(found, tuples)
        _show_fits(found.fits)
        typer.echo(
            f"the fit rests on about {found.effective:,.0f} of {found.tasks:,} tasks: it "
            "weighs them by run time × processors"
        )
        typer.echo(f"\nformula      {best['formula']}")
        typer.echo(f"LaTeX        {latex}")
        typer.echo("config line  under policies: in a configuration file")
        typer.echo(f"    {config_line(log, found.policy)}")
        if checked is None:
            warn(f"\nnot checked on the second half: {why}")
            return
        if dialect != "full":
            typer.echo(f"\nthe regime with backfilling: {mode}; {dialect} dialect")
        _say_checked(checked)


def config_line(log: Path, policy: str, how: str = "learned") -> str:
    """Return the line of a configuration file that names the policy after its log."""
    stem = re.sub(r"(\.swf|\.parquet)?(\.gz)?$", "", log.name.lower())
    return f'{how}_{re.sub(r"[^a-z0-9]+", "_", stem).strip("_")}: "{policy}"'


def _say_draws(found: Learned, wanted: int) -> None:
    """Print how many tuples say something."""
    drawn = found.draws
    typer.echo(
        f"{len(drawn.tuples):,} of {drawn.drawn:,} tuples of the first half ({found.early:,} jobs) "
        f"say something about policies; {drawn.share_dropped:.1%} do not: no job has to wait in "
        "them"
    )
    if len(drawn.tuples) < wanted:
        typer.secho(f"{wanted:,} were wanted: do not trust the policy far", fg="yellow", err=True)


def _show_fits(fits: pd.DataFrame) -> None:
    """Print the best functions."""
    rows = [
        (fit.formula, fit.rank, f"{fit.rank_error:.6f}") for fit in fits.head(SHOWN).itertuples()
    ]
    show_table("Best of 400 functions", ("function", "rank", "error"), rows)


def _medians(found: Replicates) -> dict[str, dict[str, float]]:
    """Return the median over the windows by policy and regime."""
    return {
        name: {one.label: found.median(one.name, LEARNED, name) for one in REGIMES}
        for name in found.trained()
    }


def _say_checked(found: Replicates) -> None:
    """Print how the policy does on the half of the log that it was not learned from."""
    medians = _medians(found)
    rows = [(name, *(f"{value:,.2f}" for value in own.values())) for name, own in medians.items()]
    count = found.count(REGIMES[0].name, LEARNED)
    title = f"Median bounded slowdown of {count} windows of 15 days of the second half"
    show_table(title, ("policy", *(regime.label for regime in REGIMES)), rows)
    for regime in REGIMES:
        typer.echo(f"{regime.label}: {verdict(found, regime.name)}")
    typer.echo(
        f"intervals: 95 %, {RESAMPLES:,} resamples of the windows; the policy that other tuples "
        "(--seed) would have given is not in them"
    )


def _facts(found: Learned, latex: str, checked: Replicates | None, why: str) -> dict:
    """Return what was found as JSON has it; `why` nothing was checked."""
    test = None
    if checked is not None:
        test = {
            "windows": checked.count(REGIMES[0].name, LEARNED),
            "median_bounded_slowdown": _medians(checked),
            "verdicts": {one.label: verdict(checked, one.name) for one in REGIMES},
        }
    return {
        "policy": found.policy,
        "latex": latex,
        "functions": found.fits.head(SHOWN)[["formula", "policy", "rank", "rank_error"]].to_dict(
            orient="records"
        ),
        "tuples": len(found.draws.tuples),
        "tuples_drawn": found.draws.drawn,
        "jobs_learned_from": found.early,
        "tasks": found.tasks,
        "effective_tasks": found.effective,
        "test": test,
        "not_tested": why or None,
    }
