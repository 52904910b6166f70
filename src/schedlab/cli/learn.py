"""Learning a policy from a log of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import pandas as pd
import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line, open_log, size_of
from schedlab.cli.output import show_table
from schedlab.intervals import interval
from schedlab.jobs import Jobs
from schedlab.learning.regimes import FEWEST_WINDOWS, REGIMES, SPLIT, YARDSTICKS
from schedlab.learning.regression import COEFFICIENTS, distinct, fit_exact, form_of
from schedlab.learning.scores import score_distribution
from schedlab.learning.sites import Draws, draw_contended, effective_tasks, first_half
from schedlab.learning.transfer import Replicates, answer, policies_of, yardsticks
from schedlab.learning.tuples import TASKS
from schedlab.learning.windows import measure
from schedlab.policies import get
from schedlab.traces.splitting import split

SHOWN = 4
RESAMPLES = 1000
LEARNED = "learned"
FIXED = "f1"
VERDICTS = {"yes": "it pays", "no": "it does not pay", "open": "whether it pays stays open"}


def learn_policy(
    log: o.LogPath,
    processors: o.Processors = None,
    tuples: Annotated[int, typer.Option(min=1, help="Tuples of 48 jobs to learn from.")] = 256,
    trials: Annotated[
        int, typer.Option(min=1024, help="Permutations of each tuple's last 32 jobs.")
    ] = 65536,
    threads: Annotated[int, typer.Option(min=1, help="Tuples, then windows, at a time.")] = 1,
    seed: Annotated[int, typer.Option(help="Another number draws other tuples.")] = 0,
    rules: o.Rules = o.DEFAULT_RULES,
    default_limit: o.DefaultLimit = None,
    drop_wide: o.DropWide = False,
) -> None:
    """Learn a policy from the first half of a log, and see on the second half whether it pays."""
    with mistakes_in_one_line():
        opened = open_log(log, processors, rules, default_limit, drop_wide)
        frame, processors = opened.frame, opened.processors
        typer.echo(f"{size_of(opened)}; {opened.cleaning}")
        early = first_half(Jobs.from_frame(frame))
        if len(early) < TASKS:
            raise ValueError(
                f"{log}: {len(early)} of {len(frame)} jobs are in the first half of the log by "
                f"time; a tuple takes {TASKS}"
            )
        key = ("learn", seed)
        drawn = draw_contended(early, processors, tuples, *key, "places")
        if not drawn.tuples:
            raise ValueError(
                f"{log}: in none of {drawn.drawn:,} tuples drawn does a job wait on "
                f"{processors:,} processors: there is nothing to learn; is --processors right?"
            )
        _say_draws(drawn, tuples, len(early))
        with TemporaryDirectory() as folder:
            part = Path(folder, "scores.part")
            scores = score_distribution(
                drawn.tuples, processors, trials, "uniform", key, part, threads
            )
        fits = distinct(fit_exact(scores))
        fits = fits[fits["policy"] != ""]
        _show_fits(fits)
        typer.echo(
            f"the fit rests on about {effective_tasks(scores):,.0f} of {len(scores):,} tasks: it "
            "weighs them by run time × processors"
        )
        best = fits.iloc[0]
        form, coefficients = form_of(best), best[COEFFICIENTS].to_numpy(dtype=float)
        typer.echo(f"\nformula      {best['formula']}")
        typer.echo(f"LaTeX        {form.latex(coefficients)}")
        typer.echo("config line  under policies: in a configuration file")
        typer.echo(f"    {config_line(log, best['policy'])}")
        _check(frame, fits, processors, threads, key)


def config_line(log: Path, policy: str, how: str = "learned") -> str:
    """Return the line of a configuration file that names the policy after its log."""
    stem = re.sub(r"(\.swf|\.parquet)?(\.gz)?$", "", log.name.lower())
    return f'{how}_{re.sub(r"[^a-z0-9]+", "_", stem).strip("_")}: "{policy}"'


def _say_draws(drawn: Draws, wanted: int, jobs: int) -> None:
    """Print how many tuples say something."""
    typer.echo(
        f"{len(drawn.tuples):,} of {drawn.drawn:,} tuples of the first half ({jobs:,} jobs) say "
        f"something about policies; {drawn.share_dropped:.1%} do not: no job has to wait in them"
    )
    if len(drawn.tuples) < wanted:
        typer.secho(f"{wanted:,} were wanted: do not trust the policy far", fg="yellow", err=True)


def _show_fits(fits: pd.DataFrame) -> None:
    """Print the best functions."""
    rows = [
        (fit.formula, fit.rank, f"{fit.rank_error:.6f}") for fit in fits.head(SHOWN).itertuples()
    ]
    show_table("Best of 400 functions", ("function", "rank", "error"), rows)


def _check(
    frame: pd.DataFrame, fits: pd.DataFrame, processors: int, threads: int, key: tuple
) -> None:
    """Print how the policy does on the half of the log that it was not learned from."""
    try:
        windows = split(frame, SPLIT)
    except ValueError as error:
        typer.secho(f"\nnot checked on the second half: {error}", fg="yellow", err=True)
        return
    learned = policies_of(LEARNED, fits)
    measured = measure([*YARDSTICKS, *learned["policy"]], windows, processors, threads)
    policies = pd.concat([yardsticks(), learned])
    found = Replicates(policies, {LEARNED: measured}, RESAMPLES, (*key, "windows"))
    count = windows["piece"].nunique()
    rows = []
    for name in found.trained():
        medians = (found.median(regime.name, LEARNED, name) for regime in REGIMES)
        rows.append((name, *(f"{median:,.2f}" for median in medians)))
    title = f"Median bounded slowdown of {count} windows of 15 days of the second half"
    show_table(title, ("policy", *(regime.label for regime in REGIMES)), rows)
    for regime in REGIMES:
        typer.echo(f"{regime.label}: {_verdict(found, regime.name, count)}")
    typer.echo(
        f"intervals: 95 %, {RESAMPLES:,} resamples of the windows; the policy that other tuples "
        "(--seed) would have given is not in them"
    )


def _verdict(found: Replicates, regime: str, windows: int) -> str:
    """Say whether the policy pays, and from which numbers."""
    said, resampled = [], []
    for names, words in (
        (YARDSTICKS, "the best of the others, chosen with hindsight"),
        ((FIXED,), f"{get(FIXED).label}, chosen beforehand"),
    ):
        ratio = found.median(regime, LEARNED, LEARNED) / found.best_of(regime, LEARNED, names)
        resampled.append(found.ratios(regime, LEARNED, LEARNED, names))
        low, high = interval(resampled[-1])
        said.append(f"{ratio:.2f} times ({low:.2f} to {high:.2f}) {words}")
    if windows < FEWEST_WINDOWS:
        return f"{'; '.join(said)}: {windows} windows are too few to say whether it pays"
    return f"{'; '.join(said)}: {VERDICTS[answer(*resampled)]}"
