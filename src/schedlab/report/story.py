"""Story of a paper on the first page: one finding, further discoveries and its claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from schedlab.report.claims import Outcome, outcomes
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import filled

CLAIM_COLUMNS = ["claim", "where", "of", "result", "found"]
RESULTS = (*Outcome, NOT_AVAILABLE)
#: findings at the top of a paper's page
FINDINGS = 3


@dataclass(frozen=True)
class Bar:
    """Bar of a small chart: its label, its length and the text behind it."""

    label: str
    value: float
    shown: str


@dataclass(frozen=True)
class Discovery:
    """Result that the paper does not report, if `models` from models instead of the paper's data.

    The headline is one sentence with its numbers, the text an explanation of it. `bars` are the
    numbers, drawn on one scale from 0. The Snakemake rule makes them; `csv` is in the folder of the
    paper's figures. `section` is the anchor of their section or figure on the paper's pages.
    `of_finding`: it explains the finding of the paper, with the same numbers.
    """

    headline: str
    text: str
    bars: tuple[Bar, ...]
    rule: str
    csv: str
    section: str
    models: bool = False
    of_finding: bool = False

    @property
    def widest(self) -> float:
        """Length of the longest bar."""
        return max((bar.value for bar in self.bars), default=0.0) or 1.0


@dataclass(frozen=True)
class Teller:
    """Words of a story: the templates of a study's words.yaml under ``story``, which facts fill.

    There is a template ``finding``; a discovery has its headline, text, rule, csv and section.
    """

    words: Mapping[str, Any]

    def finding(self, **facts: Any) -> str:
        """Return the finding."""
        return filled(self.words["finding"], facts).strip()

    def discovery(
        self, name: str, bars: Iterable[Bar], models: bool = False, **facts: Any
    ) -> Discovery:
        """Return a discovery."""
        words = self.words[name]
        told = {key: filled(words[key], facts).strip() for key in ("headline", "text")}
        return Discovery(**{**words, **told}, bars=tuple(bars), models=models)


class Finding(NamedTuple):
    """Sentence with numbers from results, if `models` from models instead of the paper's data."""

    text: str
    models: bool = False


@dataclass(frozen=True)
class Story:
    """Content of the first page about a paper.

    The finding is one sentence with numbers from results; empty if there is no result yet. `claims`
    has the columns `CLAIM_COLUMNS`, from `claims_of`; no rows if the claims were not tested.
    `models`: for the finding, models ran instead of the paper's data.
    """

    finding: str = ""
    claims: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=CLAIM_COLUMNS))
    discoveries: tuple[Discovery, ...] = ()
    models: bool = False

    @property
    def findings(self) -> list[Finding]:
        """The finding, headlines of discoveries and the count of claims: three of them, if any."""
        first = [Finding(self.finding, self.models)] if self.finding else []
        headlines = [
            Finding(f"{each.headline}.", each.models)
            for each in self.discoveries
            if not each.of_finding
        ]
        claims = [Finding(f"{self.claim_counts}.")] if self.claim_counts else []
        kept = FINDINGS - len(claims)
        return [*[*first, *headlines][:kept], *claims]

    @property
    def claim_counts(self) -> str:
        """Outcomes of the claims in words, from `schedlab.report.claims.outcomes`."""
        return outcomes(self.claims["result"])

    @property
    def untested(self) -> int:
        """How many claims were not tested."""
        return int((self.claims["result"] == NOT_AVAILABLE).sum())


def claims_of(
    checked: pd.DataFrame, result: str = "result", of: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the claims of a paper with the columns and words that all papers share."""
    results = checked[result].replace("", NOT_AVAILABLE)
    if odd := set(results) - set(RESULTS):
        raise ValueError(f"claims: result {min(odd)!r} is none of {', '.join(RESULTS)}")
    evidence = checked[list(of)].agg(", ".join, axis=1) if of and len(checked) else ""
    return checked.assign(of=evidence, result=results)[CLAIM_COLUMNS]
