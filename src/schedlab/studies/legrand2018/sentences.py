"""Sentences on the results of online learners."""

from collections.abc import Iterable

import pandas as pd

from schedlab.core.intervals import LEVEL
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import number_of
from schedlab.studies.legrand2018.online import (
    BLOCK,
    EQUAL,
    FEWEST,
    HIGHER,
    LOWER,
    UNDECIDED,
    WEIGHTS,
    Ranges,
)

VERDICTS = {
    LOWER: "the learner is better",
    HIGHER: "the learner is worse",
    EQUAL: "both are equal in every week",
    UNDECIDED: "the comparison is undecided",
}


def verdict(learners: pd.DataFrame, label: str, ranges: Ranges) -> str:
    """Return sentences on the results of the learners of a trace."""
    if learners.empty:
        return f"{label}: {NOT_AVAILABLE}."
    chosen = learners[learners["chosen"]].iloc[0]
    best = learners.loc[learners["sum"].idxmin()]
    optimum = chosen["sum"] - chosen["regret_optimum"]
    name = chosen["learner"]
    in_hindsight = (
        f"In hindsight {name} has the lowest sum of all learners."
        if best["learner"] == name
        else f"In hindsight {best['learner']} has the lowest sum, "
        f"{best['sum'] / chosen['sum']:.2f} times that of {name}."
    )
    return (
        f"{label}: {name} has the lowest sum over the training weeks ({_weeks(ranges.train)}). "
        f"Over the testing weeks ({_weeks(ranges.test)}), its sum is {chosen['ratio']:.2f} times "
        f"that of {_reference_of(chosen)} ({_interval(chosen)}): {_outcome(chosen)}. "
        f"{_all_learners(learners)} The sum of {name} is {chosen['sum'] / optimum:.2f} times that "
        f"of each week's best weights. {in_hindsight}"
    )


def how(resamples: int) -> str:
    """Return sentences on how the intervals are computed."""
    return (
        f"Intervals: {resamples:,} bootstrap resamples of the testing weeks, in blocks of {BLOCK} "
        "because neighboring weeks depend on each other. All learners of a trace share the "
        "resamples."
    )


def _weeks(first_and_last: tuple[int, int]) -> str:
    """Return a range of weeks as text."""
    return "{}–{}".format(*first_and_last)


def _interval(learner: pd.Series) -> str:
    """Return the interval of a ratio."""
    if learner["periods"] < FEWEST:
        return "no interval"
    return f"{LEVEL:.0%} CI {learner['low']:.2f} to {learner['high']:.2f}"


def _reference_of(learner: pd.Series) -> str:
    """Return the description of a learner's reference."""
    if learner["chooses"] == WEIGHTS:
        return "the best fixed weights of the training weeks"
    return f"{learner['fixed'].upper()}, the best fixed policy of the training weeks"


def _outcome(learner: pd.Series) -> str:
    """Return which of the two does better."""
    if learner["periods"] < FEWEST:
        return f"{learner['periods']} weeks are too few for a verdict"
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
        f"{number_of(count, 'learner')} compared with the fixed choice of the same kind. "
        f"Better: {better}. Worse: {worse}. Equal: {same}. Undecided: {open_}. "
        f"Significant after Holm's correction: {sure}. If no learner differed, on average "
        f"{(1 - LEVEL) * count:.2g} of {count} verdicts would be wrong."
    )


def _names(learners: Iterable[str]) -> str:
    """Join names that may contain commas."""
    return " / ".join(learners) or "none"
