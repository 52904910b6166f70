"""Claims: sentences of a paper, each a row of its claims.tsv, tested on the simulated results.

A row names a statistic of the study, a function from evidence to facts. The condition `holds_if`
compares facts with bounds, and the template `found` shows them.

A sentence about windows (sequences, weeks, workloads) is tested on them and on resamples of them.
It holds if it is true of the windows and of at least 97.5 % of the resamples. It fails if it is
false of the windows and true of at most 2.5 % of the resamples. Otherwise it is undecided. All
parts of a sentence are tested on the same resample, so this share is their joint probability.
"""

from __future__ import annotations

import logging
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml

from schedlab.core.intervals import TAIL, chance_true, interval
from schedlab.report.comparison import read_tsv
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE, agrees, in_interval
from schedlab.report.words import as_sentences

#: number of resamples of the windows for a claim
RESAMPLES = 1_000
#: with fewer windows (or blocks), even a sign test with complete agreement has p > 0.05
FEWEST = 6
CLAIM_COLUMNS = ["claim", "where", "on", "unit", "statistic", "arguments", "holds_if", "found"]
PARTS = "parts"

#: the result in words and numbers, and whether it agrees with the paper; None: undecided
Found = tuple[str, bool | None]
#: values by name; `PARTS` may have further facts of each part, and every part meets the condition
Facts = Mapping[str, Any]


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


class Interval(NamedTuple):
    """Mean with the ends of its 95 % interval, which are infinite if a single value has none."""

    mean: float
    low: float
    high: float


def all_of(sides: Iterable[bool | None]) -> bool | None:
    """Combine the parts of a sentence: false if a part is false, else open if a part is open.

    >>> all_of([True, True]), all_of([True, None]), all_of([None, False])
    (True, None, False)
    """
    sides = list(sides)
    return False if False in sides else None if None in sides else True


def side_of(low: float, high: float, bound: float) -> bool | None:
    """Return whether an interval lies above a bound; None if the bound lies inside.

    An end equal to the bound does not exceed it.

    >>> side_of(1, 2, 0), side_of(0, 2, 0), side_of(-2, 0, 0)
    (True, None, False)
    """
    return True if low > bound else False if high <= bound else None


def side_within(low: float, high: float, bounds: tuple[float, float]) -> bool | None:
    """Return whether an interval lies between two bounds; None if it contains one of them.

    >>> side_within(1, 2, (0, 3)), side_within(-1, 2, (0, 3)), side_within(4, 5, (0, 3))
    (True, None, False)
    """
    least, most = bounds
    if least <= low and high <= most:
        return True
    return False if high < least or low > most else None


def below(change: tuple[float, float, float], bound: float) -> bool | None:
    """Return whether a change lies below a bound; None if its interval does not decide.

    >>> below((-5, -9, -1), 0), below((-5, -9, 1), 0), below((4, 1, 9), 0)
    (True, None, False)

    A single run has no interval and decides alone; if the value was 0 before, the result is
    undecided:

    >>> below((-5, float("-inf"), float("inf")), 0), below((float("nan"),) * 3, 0)
    (True, None)
    """
    change, low, high = change
    if np.isnan(change):
        return None
    if not np.isfinite(low):
        low = high = change
    if high < bound:
        return True
    return False if low > bound or low == high else None


def _opposite(side: bool | None) -> bool | None:
    return None if side is None else not side


def _exceeds(value: Interval, bound: float) -> bool | None:
    return side_of(value.low, value.high, bound)


def _is_less(value: Interval, bound: float) -> bool | None:
    return side_of(-value.high, -value.low, -bound)


def _is_above(change: Interval, bound: float) -> bool | None:
    return below(Interval(-change.mean, -change.high, -change.low), -bound)


def _is_within(value: float | Interval, bounds: str) -> bool | None:
    low, high = map(float, bounds.split(" to "))
    ends = (value.low, value.high) if isinstance(value, Interval) else (value, value)
    return side_within(*ends, (low, high))


#: comparisons of a number, and of an interval, with a bound
_ORDER: dict[str, tuple[Callable, Callable]] = {
    ">": (operator.gt, _exceeds),
    "<=": (operator.le, lambda value, bound: _opposite(_exceeds(value, bound))),
    "<": (operator.lt, _is_less),
    ">=": (operator.ge, lambda value, bound: _opposite(_is_less(value, bound))),
}
#: comparisons of a change; an end of its interval that equals the bound leaves it open
_CHANGES: dict[str, Callable] = {
    "below": below,
    "above": _is_above,
    "at most": lambda change, bound: below(change, bound + 1e-9),
}
#: comparisons with the bound as text; "are" and "include" ignore the order of names
_TEXTS: dict[str, Callable] = {
    "within": _is_within,
    "prints": lambda value, published: agrees(published, value),
    "is": lambda value, name: value == name,
    "are": lambda names, bound: set(names) == set(bound.split(", ")),
    "include": lambda names, bound: set(names) >= set(bound.split(", ")),
    "begin with": lambda names, bound: list(names)[: bound.count(", ") + 1] == bound.split(", "),
    "=": lambda value, number: value == float(number),
}
_RELATIONS = (*_CHANGES, *_TEXTS, *sorted(_ORDER, key=len, reverse=True))
_CONDITION = re.compile(rf"(any )?(.+?)(?: ({'|'.join(map(re.escape, _RELATIONS))}) (.+))?")
_REPEATED = re.compile(r"\[(.*?)(?:\|(.*?))?\]")


class Condition(NamedTuple):
    """Relation of a fact and a bound: a number, a text or another fact.

    Without a relation the fact itself is true, false or None. If `of_any`, one part is enough.
    """

    fact: str
    relation: str
    bound: str
    of_any: bool = False

    @classmethod
    def read(cls, text: str) -> Condition:
        """Read a condition such as ``ratio <= 0.55``."""
        of_any, fact, relation, bound = _CONDITION.fullmatch(text).groups(default="")
        return cls(fact, relation, bound, bool(of_any))

    def of(self, facts: Facts) -> bool | None:
        """Return whether it is true of facts and of each part; None if that is open."""
        sides = [self._of_part({**facts, **part}) for part in facts.get(PARTS, [{}])]
        if self.of_any:
            return _opposite(all_of(map(_opposite, sides)))
        return all_of(sides)

    def _of_part(self, facts: Facts) -> bool | None:
        if self.fact not in facts:
            raise ValueError(f"holds_if: no fact {self.fact!r} among {', '.join(facts)}")
        value = facts[self.fact]
        if value is None or not self.relation:
            return value
        if relation := _TEXTS.get(self.relation):
            side = relation(value, facts.get(self.bound, self.bound))
        else:
            bound = facts[self.bound] if self.bound in facts else float(self.bound)
            if relation := _CHANGES.get(self.relation):
                side = relation(value, bound)
            else:
                side = _ORDER[self.relation][isinstance(value, Interval)](value, bound)
        return None if side is None else bool(side)


@dataclass(frozen=True)
class Claim:
    """Sentence of a paper, where it states it, and its test.

    `statistic` maps evidence of the kind `on`, and `arguments`, to `Facts`; arguments are facts as
    well. The sentence holds if all conditions are true. The relation ``prints`` compares with
    published digits: such a sentence holds if all computed numbers have them; resamples are then
    not needed. Otherwise it fails if a published number lies outside the 95 % interval of the
    computed one, and is undecided if none does. `found` is the template of the result: what is in
    brackets is repeated for each part, with a comma or the text after ``|`` between the parts. `on`
    may be empty for papers with one kind of evidence. `unit` is what is resampled, or what the
    interval of the statistic is computed over.
    """

    text: str
    where: str
    statistic: Callable[..., Facts]
    conditions: Sequence[Condition]
    found: str
    on: str = ""
    unit: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def test(self, evidence: Any) -> Found:
        """Return the result as text, and whether the sentence is true of this evidence."""
        facts = self._facts(evidence)
        parts = facts.get(PARTS, ())

        def repeat(match: re.Match[str]) -> str:
            return (match[2] or ", ").join(match[1].format(**{**facts, **part}) for part in parts)

        return _REPEATED.sub(repeat, self.found).format(**facts), self._is_true(facts)

    def is_true(self, evidence: Any) -> bool | None:
        """Return whether the sentence is true of this evidence; None if that is open."""
        return self._is_true(self._facts(evidence))

    def _facts(self, evidence: Any) -> Facts:
        return {**self.arguments, **self.statistic(evidence, **self.arguments)}

    def _is_true(self, facts: Facts) -> bool | None:
        return all_of(condition.of(facts) for condition in self.conditions)

    def numbers(self, evidence: Any) -> list[tuple[str, float]]:
        """Return pairs of published and computed numbers, if the sentence has such."""
        printed = [each for each in self.conditions if each.relation == "prints"]
        facts = self._facts(evidence) if printed else {}
        return [(each.bound, facts[each.fact]) for each in printed]


def read_claims(path: str | Path, statistics: ModuleType) -> list[Claim]:
    """Read the claims of a paper, whose statistics are functions of a module.

    The file is TSV with the columns `CLAIM_COLUMNS`. Raises ValueError if a column is missing, or a
    row's statistic or arguments are wrong.
    """
    claims = []
    for line, row in enumerate(read_tsv(path, CLAIM_COLUMNS).to_dict("records"), start=2):
        function = getattr(statistics, row["statistic"], None)
        if getattr(function, "__module__", "") != statistics.__name__:
            raise ValueError(
                f"{path}: line {line}: statistic: no function {row['statistic']!r} in "
                f"{statistics.__name__}"
            )
        try:
            arguments = yaml.safe_load(f"{{{row['arguments']}}}")
        except yaml.YAMLError as error:
            raise ValueError(
                f"{path}: line {line}: arguments: {row['arguments']!r} is no YAML"
            ) from error
        conditions = [Condition.read(text) for text in row["holds_if"].split(" and ")]
        place = (row["claim"], row["where"], function, conditions, row["found"])
        claims.append(Claim(*place, row["on"], row["unit"], arguments))
    return claims


@dataclass(frozen=True, eq=False)
class Sample:
    """Evidence from a sample of windows, and the same evidence from resamples of them.

    `count` is the number of windows, or of blocks of windows if neighbors are resampled together.
    `resampled` yields the evidence for resampled windows, `RESAMPLES` times; every call restarts.
    """

    evidence: Any
    count: int
    resampled: Callable[[], Iterable[Any]]


class StandIn(NamedTuple):
    """Evidence from a model in place of a log: its results are shown, and decide no claim."""

    evidence: Any


def decide(claims: Sequence[Claim], sample: Sample) -> list[Found]:
    """Test claims on windows and on resamples of them.

    With fewer than `FEWEST` windows every claim is undecided, except claims whose numbers all have
    their published digits. Each result has the text and the decision of a test. The text is that of
    the windows themselves, with the share of resamples for which the claim is true. For numbers
    without their published digits it has their intervals instead.
    """
    tested = [claim.test(sample.evidence) for claim in claims]
    numbers = [claim.numbers(sample.evidence) for claim in claims]
    # claims of published numbers that all have their digits need no resamples
    exact = [bool(pairs) and all(agrees(*pair) for pair in pairs) for pairs in numbers]
    few = sample.count < FEWEST
    results_by_claim: list[list] = [[] for _ in claims]
    for resample in () if few or all(exact) else sample.resampled():
        for claim, pairs, is_exact, results in zip(
            claims, numbers, exact, results_by_claim, strict=True
        ):
            if pairs:
                results.append([number for _, number in claim.numbers(resample)])
            elif not is_exact:
                results.append(bool(claim.is_true(resample)))
    findings = []
    for (sentence, holds), pairs, is_exact, results in zip(
        tested, numbers, exact, results_by_claim, strict=True
    ):
        if is_exact:
            findings.append((sentence, True))
        elif few:
            findings.append((f"{sentence}; too few windows to decide", None))
        elif pairs:
            findings.append(_of_numbers(sentence, pairs, np.array(results)))
        else:
            share = float(np.mean(results))
            finding = f"{sentence}; true of {100 * share:.1f}% of resamples"
            findings.append((finding, of_resamples(holds, np.array(results))))
    return findings


def of_resamples(holds: bool | None, true: np.ndarray) -> bool | None:
    """Decide a sentence from its truth on the windows and on each resample.

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
    claims: Sequence[Claim],
    evidence: Mapping[str, Mapping[str, Any] | None],
    shown: Mapping[str, str],
    untested: str = NOT_AVAILABLE,
) -> pd.DataFrame:
    """Test every claim on every body of evidence.

    A `Sample` is decided by resamples (`decide`); other evidence by its test alone, and a `StandIn`
    not at all. Evidence is by name and kind, None if a log is not available. A claim whose kind is
    missing is not tested and gets the text `untested`. The result has a row per claim: claim,
    where, one column per name of evidence with its `Outcome`, and the columns `shown` with the
    result for an evidence.
    """
    bodies = {name: _test_claims(claims, kinds or {}) for name, kinds in evidence.items()}
    rows = []
    for place, claim in enumerate(claims):
        where = f"section {claim.where}" if claim.where[0].isdigit() else claim.where
        row = {"claim": claim.text, "where": where}
        for name, kinds in evidence.items():
            row[name] = bodies[name].get(
                place, ("", untested if kinds is not None else NOT_AVAILABLE)
            )[1]
        for column, name in shown.items():
            row[column] = bodies[name].get(place, ("", ""))[0]
        rows.append(row)
    return pd.DataFrame(rows)


def check_results(
    claims: Sequence[Claim], kinds: Mapping[str, Any] | None, about: Mapping[str, str]
) -> pd.DataFrame:
    """Test every claim on one body of evidence, None if its log is not available.

    Columns: those of `about`, which are the same in every row, claim, where, found, result.
    """
    checked = check(claims, {"result": kinds}, {"found": "result"})
    return checked.assign(**about)[[*about, "claim", "where", "found", "result"]]


def _test_claims(claims: Sequence[Claim], kinds: Mapping[str, Any]) -> dict[int, tuple[str, str]]:
    """Return result and outcome of each claim, by position, whose evidence is available."""
    results: dict[int, tuple[str, str]] = {}
    for kind, evidence in kinds.items():
        places = [place for place, claim in enumerate(claims) if claim.on == kind]
        kind_claims = [claims[place] for place in places]
        stands_in = isinstance(evidence, StandIn)
        if isinstance(evidence, Sample):
            decided = decide(kind_claims, evidence)
        else:
            body = evidence.evidence if stands_in else evidence
            decided = [claim.test(body) for claim in kind_claims]
        for place, (text, holds) in zip(places, decided, strict=True):
            results[place] = (text, NOT_AVAILABLE if stands_in else Outcome.of(holds).value)
    return results


def outcomes(results: Iterable[str], of: str = "claims") -> str:
    """Return how many tested claims hold, fail and are undecided; empty if none was tested.

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


def count(checked: pd.DataFrame, listed: Sequence[str] = ("fails",)) -> str:
    """Return a text with how many claims hold, fail or are undecided, and list some of them.

    The first column of a result is named with each claim; those with the outcomes `listed` are
    listed.
    """
    text = outcomes(checked["result"])
    if not text:
        return "No claim was tested: nothing ran on the paper's logs."
    text += "."
    names = list(dict.fromkeys([checked.columns[0], "claim"]))
    for outcome, start in (("fails", "Those that fail"), ("undecided", "Those that are undecided")):
        rows = checked[checked["result"] == outcome].to_dict("records")
        if rows and outcome in listed:
            claims = [f"{', '.join(row[name] for name in names)} ({row['found']})" for row in rows]
            text += f" {as_sentences([f'{start}: {claims[0]}', *claims[1:]])}"
    return text


def counted(
    checked: pd.DataFrame, listed: Sequence[str] = ("fails",)
) -> dict[str, tuple[Table, str]]:
    """Return the item of claims: a table with the count below its note, and the count as text."""
    summary = count(checked, listed)
    logging.info(summary)
    return {"claims": (Table(checked, more=summary), summary)}
