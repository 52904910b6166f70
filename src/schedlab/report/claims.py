"""Claims: sentences of a paper, each with a test on the simulated results.

A sentence about windows (sequences, weeks, workloads) is tested on them and on resamples of them.
It holds if it is true of the windows and of at least 97.5 % of the resamples. It fails if it is
false of the windows and true of at most 2.5 % of the resamples. Otherwise it is undecided. All
parts of a sentence are tested on the same resample, so this share is their joint probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from schedlab.core.intervals import TAIL, chance_true, interval
from schedlab.report.verdicts import NOT_AVAILABLE, agrees, in_interval
from schedlab.report.words import as_sentences


class Outcome(StrEnum):
    """Outcome of the test of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    #: the interval of the result contains both answers
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, true: bool | None) -> Outcome:
        """Return the outcome of a test from whether its sentence is true; None means undecided."""
        return cls.UNDECIDED if true is None else cls.HOLDS if true else cls.FAILS


#: number of resamples of the windows for a claim
RESAMPLES = 1_000
#: with fewer windows (or blocks), even a sign test with complete agreement has p > 0.05
FEWEST = 6

#: the result in words and numbers, and whether it agrees with the paper; None: undecided
Found = tuple[str, bool | None]


@dataclass(frozen=True)
class Claim:
    """Sentence of a paper and its test.

    Parameters
    ----------
    text, where : str
        The sentence, and the section or other place where the paper states it.
    test : callable
        Maps evidence of the kind `on` to a `Found`.
    on : str
        Kind of evidence that the test takes; may be empty for papers with one kind.
    numbers : callable, optional
        For a sentence that consists of published numbers: maps evidence to pairs of the published
        and the computed number. Such a sentence holds if all computed numbers have the published
        digits; resamples are then not needed. Otherwise it fails if a published number lies
        outside the 95 % interval of the computed one, and is undecided if none does.
    """

    text: str
    where: str
    test: Callable[[Any], Found]
    on: str = ""
    numbers: Callable[[Any], Sequence[tuple[str, float]]] | None = None


@dataclass(frozen=True, eq=False)
class Sample:
    """Evidence from a sample of windows, and the same evidence from resamples of them.

    `count` is the number of windows, or of blocks of windows if neighbors are resampled together.
    `resampled` yields the evidence for resampled windows, `RESAMPLES` times; every call restarts.
    """

    evidence: Any
    count: int
    resampled: Callable[[], Iterable[Any]]


def all_of(sides: Iterable[bool | None]) -> bool | None:
    """Combine the parts of a sentence: false if a part is false, else open if a part is open.

    Examples
    --------
    >>> all_of([True, True]), all_of([True, None]), all_of([None, False])
    (True, None, False)
    """
    sides = list(sides)
    return False if False in sides else None if None in sides else True


def side_of(low: float, high: float, bound: float) -> bool | None:
    """Return whether an interval lies above a bound; None if the bound lies inside.

    An end equal to the bound does not exceed it.

    Examples
    --------
    >>> side_of(1, 2, 0), side_of(0, 2, 0), side_of(-2, 0, 0)
    (True, None, False)
    """
    return True if low > bound else False if high <= bound else None


def side_within(low: float, high: float, bounds: tuple[float, float]) -> bool | None:
    """Return whether an interval lies between two bounds; None if it contains one of them.

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

    With fewer than `FEWEST` windows every claim is undecided, except claims whose numbers all have
    their published digits. Each result has the text and the decision of a test. The text is that of
    the windows themselves, with the share of resamples for which the claim is true. For numbers
    without their published digits it has their intervals instead.
    """
    tested = [claim.test(sample.evidence) for claim in claims]
    # claims of published numbers that all have their digits need no resamples
    exact = [
        bool(claim.numbers) and all(agrees(*pair) for pair in claim.numbers(sample.evidence))
        for claim in claims
    ]
    few = sample.count < FEWEST
    results_by_claim: list[list] = [[] for _ in claims]
    for resample in () if few or all(exact) else sample.resampled():
        for claim, is_exact, results in zip(claims, exact, results_by_claim, strict=True):
            if claim.numbers:
                results.append([number for _, number in claim.numbers(resample)])
            elif not is_exact:
                results.append(bool(claim.test(resample)[1]))
    findings = []
    for claim, (sentence, holds), is_exact, results in zip(
        claims, tested, exact, results_by_claim, strict=True
    ):
        if is_exact:
            findings.append((sentence, True))
        elif few:
            findings.append((f"{sentence}; too few windows to decide", None))
        elif claim.numbers:
            findings.append(
                _of_numbers(sentence, claim.numbers(sample.evidence), np.array(results))
            )
        else:
            share = float(np.mean(results))
            finding = f"{sentence}; true of {100 * share:.1f}% of resamples"
            findings.append((finding, of_resamples(holds, np.array(results))))
    return findings


def of_resamples(holds: bool | None, true: np.ndarray) -> bool | None:
    """Decide a sentence from its truth on the windows and on each resample.

    Examples
    --------
    At most 24 of 999 resamples may disagree: twice 26 of 1,000 exceeds 5 %.

    >>> true = np.arange(999) >= 24
    >>> of_resamples(True, true), of_resamples(False, ~true), of_resamples(False, true)
    (True, False, None)
    >>> of_resamples(True, np.arange(999) >= 25)
    """
    if holds and chance_true(true) <= 2 * TAIL:
        return True
    return False if not holds and chance_true(~true) <= 2 * TAIL else None


def _of_numbers(sentence: str, pairs: Sequence[tuple[str, float]], resampled: np.ndarray) -> Found:
    """Decide a sentence of published numbers from resamples of the computed ones."""
    ends = [interval(column) for column in resampled.T]
    inside = [in_interval(printed, *end) for (printed, _), end in zip(pairs, ends, strict=True)]
    interval_texts = ", ".join(f"{low:.2f} to {high:.2f}" for low, high in ends)
    return f"{sentence}; 95% CI {interval_texts}", None if all(inside) else False


def check(
    claims: Iterable[Claim],
    evidence: Mapping[str, Mapping[str, Any]],
    shown: str,
    untested: str = NOT_AVAILABLE,
) -> pd.DataFrame:
    """Test every claim on every body of evidence.

    A `Sample` is decided by resamples (`decide`); other evidence by its test alone. Evidence is by
    name and kind; a claim whose kind is missing is not tested and gets the text `untested`. The
    result has a row per claim: claim, where, one column per name of evidence with its `Outcome`,
    and found (the result for the evidence `shown`).
    """
    claims = list(claims)
    bodies = {name: _test_claims(claims, kinds) for name, kinds in evidence.items()}
    rows = []
    for place, claim in enumerate(claims):
        results = {name: body[place] for name, body in bodies.items() if place in body}
        outcomes = {
            name: Outcome.of(results[name][1]).value if name in results else untested
            for name in evidence
        }
        where = f"section {claim.where}" if claim.where[0].isdigit() else claim.where
        row = {"claim": claim.text, "where": where, **outcomes}
        rows.append(row | {"found": results[shown][0] if shown in results else ""})
    return pd.DataFrame(rows)


def outcomes(results: Iterable[str], of: str = "claims") -> str:
    """Return how many tested claims hold, fail and are undecided; empty if none was tested.

    Examples
    --------
    >>> outcomes(["holds", "undecided", "fails", "undecided", "log not available"])
    '1 of 4 claims hold, 1 fails, 2 are undecided'
    """
    counts = Counter(results)
    holds, fails, undecided = (counts[outcome] for outcome in Outcome)
    if not holds + fails + undecided:
        return ""
    return (
        f"{holds} of {holds + fails + undecided} {of} hold, "
        f"{fails} fail{'s' * (fails == 1)}, {undecided} {'is' if undecided == 1 else 'are'} "
        "undecided"
    )


def count(checked: pd.DataFrame, of: str = "{claim}", listed: Sequence[str] = ("fails",)) -> str:
    """Return a text with how many claims hold, fail or are undecided, and list some of them.

    Columns of `checked`: claim, result (`Outcome` or why it was not tested) and found. `of` is a
    template for the name of a claim: column names in braces. Claims with the outcomes `listed` are
    listed.
    """
    text = outcomes(checked["result"])
    if not text:
        return "No claim was tested: nothing ran on the paper's logs."
    text += "."
    for outcome, start in (("fails", "Those that fail"), ("undecided", "Those that are undecided")):
        rows = checked[checked["result"] == outcome].to_dict("records")
        if rows and outcome in listed:
            failures = [f"{of.format(**row)} ({row['found']})" for row in rows]
            text += f" {as_sentences([f'{start}: {failures[0]}', *failures[1:]])}"
    return text


def _test_claims(claims: Sequence[Claim], kinds: Mapping[str, Any]) -> dict[int, Found]:
    """Return what each claim's test found, by position, for claims whose evidence is available."""
    results: dict[int, Found] = {}
    for kind, evidence in kinds.items():
        places = [place for place, claim in enumerate(claims) if claim.on == kind]
        kind_claims = [claims[place] for place in places]
        if isinstance(evidence, Sample):
            decided = decide(kind_claims, evidence)
        else:
            decided = [claim.test(evidence) for claim in kind_claims]
        results |= dict(zip(places, decided, strict=True))
    return results
