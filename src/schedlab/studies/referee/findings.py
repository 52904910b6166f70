"""The referee's findings, in sentences that depend on the results."""

import pandas as pd

from schedlab.core.metrics import REFEREE, shown_in
from schedlab.report.words import number_of
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, REAL, SLURM

PUBLISHED = (
    "Published Slurm simulators deviate by 1.7 % to 7.3 % from the machine that they imitate"
)


def findings(summaries: pd.DataFrame) -> str:
    """Return how far the simulators deviate from a real Slurm, and the spread of its runs.

    The table is from `metrics.evaluate_windows`. Deviations are absolute deviations of means over
    runs: their mean over windows and orders, with the largest in brackets; likewise spreads.
    """
    logs, orders = (
        number_of(summaries[name].nunique(), word)
        for name, word in (("log", "window"), ("setting", "order"))
    )
    metrics = shown_in(REFEREE)
    computed = summaries[summaries["scheduler"] == SLURM]
    slurm = " and ".join(
        f"{far(summaries, SLURM, name)} in {metrics[name].label}" for name in metrics
    )
    easy, conservative = (
        " and ".join(far(summaries, how, name) for name in metrics) for how in (EASY, CONSERVATIVE)
    )
    spread = " and ".join(spreads(summaries, name) for name in metrics)
    inside = ", and ".join(
        f"{within(computed[f'{name}_inside'])} by {metrics[name].label}" for name in metrics
    )
    return (
        f"On {logs} under {orders}, the dialect slurm deviates from a real Slurm by {slurm}. "
        f"Textbook EASY deviates by {easy}, textbook conservative backfilling by {conservative}. "
        f"Repetitions on the real Slurm differ by {spread}. The dialect is {inside}. {PUBLISHED}."
    )


def far(summaries: pd.DataFrame, how: str, name: str) -> str:
    """Return the mean and the largest absolute deviation of a simulator in %, as text."""
    off = summaries.loc[summaries["scheduler"] == how, f"{name}_deviation"].abs()
    return f"{off.mean():.1f} % (at most {off.max():.1f} %)"


def spreads(summaries: pd.DataFrame, name: str) -> str:
    """Return the mean and the largest spread of the real runs in %, as text."""
    spread = summaries.loc[summaries["scheduler"] == REAL, f"{name}_spread"]
    return f"{spread.mean():.1f} % (at most {spread.max():.1f} %)"


def within(inside: pd.Series) -> str:
    """Return how often a simulator is within the spread of the real runs, as text."""
    if inside.all():
        return f"within that spread in all of {number_of(len(inside), 'case')}"
    if not inside.any():
        return f"outside of that spread in all of {number_of(len(inside), 'case')}"
    return f"within that spread in {inside.sum()} of {number_of(len(inside), 'case')}"


def ranking_sentence(rankings: pd.DataFrame) -> str:
    """Return on how many windows each simulator ranks the orders as the real Slurm does."""
    logs = number_of(rankings["log"].nunique(), "window")
    same = rankings[rankings["same"]].groupby("scheduler").size()
    counts = ", ".join(
        f"{words} on {same.get(how, 0)}"
        for how, words in (
            (SLURM, "the dialect slurm"),
            (EASY, "textbook EASY"),
            (CONSERVATIVE, "textbook conservative backfilling"),
        )
    )
    real = rankings[rankings["scheduler"] == REAL]
    return (
        f"Same ranking by mean wait as the real Slurm, of {logs}: {counts}. Repetitions on the "
        f"real Slurm agree with their mean in {real['agreeing'].sum()} of {real['runs'].sum()} "
        "runs."
    )
