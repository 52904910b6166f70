"""Sentences on the results of online learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.core.intervals import LEVEL
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.legrand2018.online import (
    BLOCK,
    EQUAL,
    FEWEST,
    HIGHER,
    LOWER,
    UNDECIDED,
    WEIGHTS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from schedlab.studies.legrand2018.online import Ranges

VERDICTS = {
    LOWER: "it does better",
    HIGHER: "it does worse",
    EQUAL: "they are the same in every week",
    UNDECIDED: "which of them does better is undecided",
}


def verdict(learners: pd.DataFrame, label: str, ranges: Ranges) -> str:
    """Return three sentences on the results of the learners of a trace.

    They name the learner with the lowest sum over the training weeks, and in hindsight the one that
    is best on the testing weeks. `learners` is from `online.compare`, `label` the name of the
    trace.
    """
    if learners.empty:
        return f"{label}: {NOT_AVAILABLE}."
    chosen = learners[learners["chosen"]].iloc[0]
    best = learners.loc[learners["sum"].idxmin()]
    optimum = chosen["sum"] - chosen["regret_optimum"]
    after = (
        "the same learner has the lowest sum with hindsight as well"
        if best["learner"] == chosen["learner"]
        else f"with hindsight the lowest sum is that of {best['learner']}, "
        f"{best['sum'] / chosen['sum']:.2f} times that"
    )
    return (
        f"{label}: {chosen['learner']}, the learner with the lowest sum over the training weeks "
        f"{_weeks(ranges.train)}, has over the testing weeks {_weeks(ranges.test)} "
        f"{chosen['ratio']:.2f} times {_interval(chosen)} the sum of {_fixed(chosen)}: "
        f"{_outcome(chosen)}. {_all_learners(learners)} The sum of the learner chosen by the "
        "training "
        f"weeks is {chosen['sum'] / optimum:.2f} times that of each week's best weights; {after}."
    )


def how(resamples: int) -> str:
    """Return a sentence on how the intervals are computed."""
    return (
        f"Intervals are over {resamples:,} resamples of the testing weeks, drawn in blocks of "
        f"{BLOCK} because neighbours depend on each other; the learners of a trace meet the same "
        "resamples."
    )


def _weeks(first_and_last: tuple[int, int]) -> str:
    """Return a range of weeks as text."""
    return "{}–{}".format(*first_and_last)


def _interval(learner: pd.Series) -> str:
    """Return the interval of a ratio in brackets."""
    if learner["periods"] < FEWEST:
        return "(no interval)"
    return f"({LEVEL:.0%} interval over weeks {learner['low']:.2f} to {learner['high']:.2f})"


def _fixed(learner: pd.Series) -> str:
    """Return the description of a learner's reference."""
    if learner["chooses"] == WEIGHTS:
        return "the fixed weights that were best over the same training weeks"
    policy = learner["fixed"].upper()
    return f"{policy}, the fixed policy that was best over the same training weeks"


def _outcome(learner: pd.Series) -> str:
    """Return which of the two does better."""
    if learner["periods"] < FEWEST:
        return f"{learner['periods']} weeks are too few to say which of them does better"
    return VERDICTS[learner["outcome"]]


def _all_learners(learners: pd.DataFrame) -> str:
    """Return which learners do better than their fixed references, and which significantly."""
    count = len(learners)
    if learners["periods"].iloc[0] < FEWEST:
        return "The other learners are undecided as well."
    better, worse, same, open_ = (
        _names(learners.loc[learners["outcome"] == word, "learner"])
        for word in (LOWER, HIGHER, EQUAL, UNDECIDED)
    )
    sure = _names(learners.loc[learners["adjusted"].isin([LOWER, HIGHER]), "learner"])
    return (
        f"Of {count} learners, each against the fixed policy or weights of its own kind, better: "
        f"{better}; worse: {worse}; the same: {same}; undecided: {open_}. Were none any different, "
        f"{(1 - LEVEL) * count:.2g} of these {count} verdicts would be wrong on average; left "
        f"after Holm's correction: {sure}."
    )


def _names(learners: Iterable[str]) -> str:
    """Join names that may contain commas."""
    return " / ".join(learners) or "none"
