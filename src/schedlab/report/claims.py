"""What a paper says in words, held against what was simulated: sentences with a test each.

A sentence about windows (sequences, weeks, workloads) is tested on them and on resamples of them.
It holds if it is true of the windows and of at least 97.5 % of the resamples. It fails if it is
false of the windows and true of at most 2.5 % of the resamples. Otherwise it is undecided. All
parts of a sentence are tested on the same resample, so this share is their joint probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from schedlab.core.intervals import TAIL, chance_true, interval
from schedlab.report.verdicts import NOT_AT_HAND, agrees, in_interval


class Outcome(StrEnum):
    """What becomes of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    #: the interval of what was measured has both answers within
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, true: bool | None) -> Outcome:
        """Return the outcome of a test: whether its sentence is true; None: undecided."""
        return cls.UNDECIDED if true is None else cls.HOLDS if true else cls.FAILS


#: how often windows are drawn anew for a claim
RESAMPLES = 1_000
#: with fewer windows, or blocks of them, even a sign test that all agree on has p > 0.05
FEWEST = 6

#: what was found, in words and numbers, and whether it is as the paper says; None: undecided
Found = tuple[str, bool | None]


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper and its test.

    Parameters
    ----------
    text, where : str
        What is said, and in which section, or where else.
    test : callable
        From evidence of the kind `on` to what was found.
    on : str
        Kind of evidence that the test takes; papers with one kind need not name it.
    numbers : callable, optional
        Of a sentence that consists of printed numbers: from evidence to pairs of the printed and
        the computed number. Such a sentence holds if all have the printed digits, which no resample
        has. If not, it fails if a printed number lies outside the 95 % interval of the computed
        one, and is undecided otherwise.
    """

    text: str
    where: str
    test: Callable[[Any], Found]
    on: str = ""
    numbers: Callable[[Any], Sequence[tuple[str, float]]] | None = None


@dataclass(frozen=True, eq=False)
class Sample:
    """Evidence from windows that could have been others, and the same evidence from resamples.

    Parameters
    ----------
    evidence : object
        What a test takes, of the windows as they are.
    count : int
        How many windows there are, or blocks of them where neighbours are drawn together.
    resampled : callable
        Yields the same evidence of windows drawn anew, `RESAMPLES` times; every call starts anew.
    """

    evidence: Any
    count: int
    resampled: Callable[[], Iterable[Any]]


def all_of(sides: Iterable[bool | None]) -> bool | None:
    """Decide a sentence of several parts: a false part decides alone, an open one leaves it open.

    Examples
    --------
    >>> all_of([True, True]), all_of([True, None]), all_of([None, False])
    (True, None, False)
    """
    sides = list(sides)
    return False if False in sides else None if None in sides else True


def side_of(low: float, high: float, bound: float) -> bool | None:
    """Return whether an interval lies above a bound; None where it has the bound within.

    An end that is the bound itself does not exceed it.

    Examples
    --------
    >>> side_of(1, 2, 0), side_of(0, 2, 0), side_of(-2, 0, 0)
    (True, None, False)
    """
    return True if low > bound else False if high <= bound else None


def side_within(low: float, high: float, bounds: tuple[float, float]) -> bool | None:
    """Return whether an interval lies between two bounds; None where it has one of them within.

    Examples
    --------
    >>> side_within(1, 2, (0, 3)), side_within(-1, 2, (0, 3)), side_within(4, 5, (0, 3))
    (True, None, False)
    """
    least, most = bounds
    if least <= low and high <= most:
        return True
    return False if high < least or low > most else None


def decide(claims: Sequence[Claim], sample: Sample) -> list[Found]:
    """Test claims on windows and on resamples of them.

    Parameters
    ----------
    claims : sequence of Claim
        All take the evidence of the sample.
    sample : Sample
        The windows. Of fewer than `FEWEST` nothing is decided, but that numbers have their printed
        digits.

    Returns
    -------
    list of Found
        What each test says of the windows as they are, with the share of resamples of which it is
        true, or the intervals of numbers that have not their printed digits; and the decision.
    """
    said = [claim.test(sample.evidence) for claim in claims]
    exact = [_has_digits(claim, sample.evidence) for claim in claims]
    few = sample.count < FEWEST
    drawn: list[list] = [[] for _ in claims]
    for one in () if few or all(exact) else sample.resampled():
        for claim, known, results in zip(claims, exact, drawn, strict=True):
            if claim.numbers:
                results.append([number for _, number in claim.numbers(one)])
            elif not known:
                results.append(bool(claim.test(one)[1]))
    found = []
    for claim, (words, holds), known, results in zip(claims, said, exact, drawn, strict=True):
        if known:
            found.append((words, True))
        elif few:
            found.append((f"{words}; too few windows to decide", None))
        elif claim.numbers:
            found.append(_of_numbers(words, claim.numbers(sample.evidence), np.array(results)))
        else:
            share = float(np.mean(results))
            said_of = f"{words}; true of {100 * share:.1f}% of resamples"
            found.append((said_of, of_resamples(holds, np.array(results))))
    return found


def of_resamples(holds: bool | None, true: np.ndarray) -> bool | None:
    """Decide a sentence from whether it is true of the windows, and of which resamples.

    Examples
    --------
    Of 999 resamples 24 may say otherwise, not 25: twice 26 of 1,000 exceed 5 %.

    >>> true = np.arange(999) >= 24
    >>> of_resamples(True, true), of_resamples(False, ~true), of_resamples(False, true)
    (True, False, None)
    >>> of_resamples(True, np.arange(999) >= 25)
    """
    if holds and chance_true(true) <= 2 * TAIL:
        return True
    return False if not holds and chance_true(~true) <= 2 * TAIL else None


def _has_digits(claim: Claim, evidence: Any) -> bool:
    """Return whether a sentence consists of printed numbers, and all have their digits."""
    return bool(claim.numbers) and all(agrees(*pair) for pair in claim.numbers(evidence))


def _of_numbers(words: str, pairs: Sequence[tuple[str, float]], drawn: np.ndarray) -> Found:
    """Decide a sentence of printed numbers from resamples of the computed ones."""
    ends = [interval(column) for column in drawn.T]
    inside = [in_interval(printed, *end) for (printed, _), end in zip(pairs, ends, strict=True)]
    shown = ", ".join(f"{low:.2f} to {high:.2f}" for low, high in ends)
    return f"{words}; 95% CI {shown}", None if all(inside) else False


def check(
    claims: Iterable[Claim],
    evidence: Mapping[str, Mapping[str, Any]],
    shown: str,
    untested: str = NOT_AT_HAND,
) -> pd.DataFrame:
    """Hold every claim against every body of evidence.

    A `Sample` is decided by resamples (`decide`); other evidence by its test alone.

    Parameters
    ----------
    claims : iterable of Claim
        The claims.
    evidence : mapping of str to mapping of str to object
        By name, what there is of each kind; a claim whose kind is not there is not tested.
    shown : str
        The evidence whose findings are shown.
    untested : str
        What is said of one that was not tested.

    Returns
    -------
    DataFrame
        A row per claim: claim, where, a column per name of evidence with its `Outcome`, and found.
    """
    claims = list(claims)
    bodies = {name: _found(claims, kinds) for name, kinds in evidence.items()}
    rows = []
    for place, claim in enumerate(claims):
        found = {name: body[place] for name, body in bodies.items() if place in body}
        said = {
            name: Outcome.of(found[name][1]).value if name in found else untested
            for name in evidence
        }
        where = f"section {claim.where}" if claim.where[0].isdigit() else claim.where
        row = {"claim": claim.text, "where": where, **said}
        rows.append(row | {"found": found[shown][0] if shown in found else ""})
    return pd.DataFrame(rows)


def count(checked: pd.DataFrame, of: str = "{claim}", listed: Sequence[str] = ("fails",)) -> str:
    """Say how many claims hold, how many fail and how many are undecided, and which.

    Parameters
    ----------
    checked : DataFrame
        Columns claim, result (`Outcome` or why it was not tested) and found.
    of : str
        What a claim is called: names of columns in braces.
    listed : sequence of str
        The outcomes whose claims are listed.
    """
    said = checked[checked["result"].isin(list(Outcome))]
    if said.empty:
        return "No claim was tested: nothing ran on the paper's logs."
    counts = said["result"].value_counts().reindex(list(Outcome), fill_value=0)
    text = (
        f"{counts[Outcome.HOLDS]} of {len(said)} claims hold, {counts[Outcome.FAILS]} fail, "
        f"{counts[Outcome.UNDECIDED]} are undecided."
    )
    for outcome, start in (("fails", "Those that fail"), ("undecided", "Those that are undecided")):
        own = said[said["result"] == outcome].to_dict("records")
        if own and outcome in listed:
            told = "; ".join(f"{of.format(**row)} ({row['found']})" for row in own)
            text += f" {start}: {told}."
    return text


def _found(claims: Sequence[Claim], kinds: Mapping[str, Any]) -> dict[int, Found]:
    """Return what is found of each claim, by its place, whose kind of evidence there is."""
    found: dict[int, Found] = {}
    for kind, evidence in kinds.items():
        places = [place for place, claim in enumerate(claims) if claim.on == kind]
        own = [claims[place] for place in places]
        if isinstance(evidence, Sample):
            decided = decide(own, evidence)
        else:
            decided = [claim.test(evidence) for claim in own]
        found |= dict(zip(places, decided, strict=True))
    return found
