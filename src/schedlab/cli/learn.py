"""Learning a policy from your log."""

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.checks import SchedulingOptions
from schedlab.cli.compare import show_comparison, verdict
from schedlab.cli.log import LogInput, about, command, size_of
from schedlab.cli.output import print_text, show_json, show_table, warn
from schedlab.cli.slurm import SlurmOptions, text_of
from schedlab.comparison.comparing import Comparison
from schedlab.comparison.learned_policy import (
    LEARNED,
    OTHERS,
    TRIALS,
    TUPLES,
    Learned,
    compare_learned,
    learn,
)
from schedlab.files.io import PACKED
from schedlab.queue.dialect_cells import dialect_of
from schedlab.workbench.log import Log

SHOWN = 4


@command
def learn_policy(
    log: o.LogPath,
    tuples: Annotated[int, typer.Option(min=1, help="Tuples of 48 jobs to learn from.")] = TUPLES,
    trials: Annotated[
        int, typer.Option(min=1024, help="Permutations of each tuple's last 32 jobs.")
    ] = TRIALS,
    dialect: o.Dialect = "full",
    threads: Annotated[int, typer.Option(min=1, help="Tuples, then windows, at a time.")] = 1,
    seed: Annotated[int, typer.Option(help="Another number draws other tuples.")] = 0,
    youth: o.Youth = False,
    *,
    source: LogInput,
    slurm: SlurmOptions,
    json: o.AsJson = False,
) -> None:
    """Learn a policy from the first half of a log, and see on the second half whether it pays."""
    rules = slurm.dialect(dialect, source)
    mode = SchedulingOptions().check([*OTHERS], rules).mode
    opened, rules = slurm.open_started(log, source, rules, quiet=json)
    learned = learn(opened, tuples, trials, threads, seed, youth)
    best = learned.fits.iloc[0]
    checked, why = None, ""
    try:
        checked = compare_learned(opened, learned, threads, seed, rules)
    except ValueError as error:
        why = str(error)
    if json:
        facts = {"mode": mode, "dialect": dialect_of(rules).name} | _facts(learned, checked, why)
        show_json(about(opened) | facts)
        return
    print_text(f"{size_of(opened)}; {opened.cleaning}")
    _print_draws(learned, tuples)
    fits = learned.fits.head(SHOWN).itertuples()
    rows = [(fit.formula, fit.rank, f"{fit.rank_error:.6f}") for fit in fits]
    show_table("Best of 400 functions", ("function", "rank", "error"), rows)
    print_text(
        f"the fit rests on about {learned.effective:,.0f} of {learned.tasks:,} tasks: it "
        "weighs them by run time × processors"
    )
    typer.echo(f"\nformula      {best['formula']}")
    typer.echo(f"LaTeX        {learned.latex}")
    if learned.refused:
        print_text(f"{learned.refused:,} functions put younger jobs first and were left out")
    print_text("what was tried, exactly:")
    command_line = repeated(log, opened, learned.policy, source, dialect=dialect, slurm=slurm)
    typer.echo(f"    {command_line}")
    print_text("config line  under policies: in a configuration file")
    typer.echo(f"    {config_line(log, learned.policy)}")
    if checked is None:
        warn(f"\nnot checked on the second half: {why}")
        return
    print_text(f"{mode}; {text_of(rules)}")
    print_text("on the second half, which it has not seen:")
    show_comparison(checked)
    print_text(verdict(checked, LEARNED))


def repeated(
    path: Path,
    log: Log,
    policy: str,
    source: LogInput,
    backfill: str | None = None,
    threshold: int | None = None,
    dialect: str = "full",
    slurm: SlurmOptions | None = None,
) -> str:
    """Return the command that repeats the simulation, including the order of backfilling.

    `policy` is an expression; `backfill` is by default the queue order; `threshold` is in seconds.
    """
    of_site = slurm.words() if slurm else []
    # an expression may begin with a minus, which would look like an option
    words = ["schedlab", "simulate", str(path), f"--policy={policy}", *of_site]
    if not of_site:
        words += ["--processors", str(log.processors)]
    if backfill is not None:
        words += ["--backfill-order", backfill]
    if threshold is not None:
        words += ["--threshold", f"{threshold}s"]
    if dialect != "full":
        words += ["--dialect", dialect]
    return shlex.join([*words, *source.words()])


def config_line(log: Path, policy: str, how: str = "learned") -> str:
    """Return a line of a configuration file that names the policy after its log."""
    stem = re.sub(rf"(\.swf|\.parquet)?({PACKED})?$", "", log.name.lower())
    return f'{how}_{re.sub(r"[^a-z0-9]+", "_", stem).strip("_")}: "{policy}"'


def _print_draws(learned: Learned, requested: int) -> None:
    """Print how many tuples are contended."""
    draws = learned.draws
    print_text(
        f"{len(draws.tuples):,} of {draws.drawn:,} tuples of the first half "
        f"({learned.early:,} jobs) say something about policies; {draws.share_dropped:.1%} do not: "
        "no job has to wait in them"
    )
    if len(draws.tuples) < requested:
        warn(f"{requested:,} were wanted: do not trust the policy far")


def _facts(learned: Learned, checked: Comparison | None, why: str) -> dict:
    """Return the results as a dict for JSON; `why` is the reason if there was no test."""
    test = None
    if checked is not None:
        rows = checked.table.join(checked.tails).reset_index().to_dict(orient="records")
        test = {"windows": len(checked.windows), "results": rows}
        test["verdict"] = verdict(checked, LEARNED)
    return {
        "policy": learned.policy,
        "latex": learned.latex,
        "functions": learned.fits.head(SHOWN)[["formula", "policy", "rank", "rank_error"]].to_dict(
            orient="records"
        ),
        "tuples": len(learned.draws.tuples),
        "tuples_drawn": learned.draws.drawn,
        "jobs_learned_from": learned.early,
        "tasks": learned.tasks,
        "effective_tasks": learned.effective,
        "test": test,
        "not_tested": why or None,
    }
