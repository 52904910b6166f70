"""What the first page tells of a paper: one sentence, what was found beyond it, its claims."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.report.claims import Outcome
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Sequence

CLAIM_COLUMNS = ["claim", "where", "of", "result", "found"]
RESULTS = (*Outcome, NOT_AT_HAND)


@dataclass(frozen=True)
class Bar:
    """A bar of a small chart: what it is of, how long, and what is written behind it."""

    label: str
    value: float
    shown: str


@dataclass(frozen=True)
class Discovery:
    """Something that was found and that the paper does not say.

    Parameters
    ----------
    headline, text : str
        One sentence with its numbers, and how it is meant.
    bars : tuple of Bar
        The numbers, to be drawn on one scale from 0.
    rule, csv : str
        The rule that makes them, and the file beside the paper's figures that has them.
    models : bool
        Whether models ran in the place of the paper's data.
    """

    headline: str
    text: str
    bars: tuple[Bar, ...]
    rule: str
    csv: str
    models: bool = False

    @property
    def widest(self) -> float:
        """The longest bar."""
        return max((bar.value for bar in self.bars), default=0.0) or 1.0


@dataclass(frozen=True)
class Story:
    """What the first page tells of a paper.

    Parameters
    ----------
    finding : str
        One sentence, its numbers from results; empty where there is nothing to tell yet.
    claims : DataFrame
        Columns `CLAIM_COLUMNS`, from `claims_of`; no rows where a paper's were not made.
    discoveries : tuple of Discovery
        What the paper does not say.
    models : bool
        Whether models ran in the place of the paper's data for what `finding` says.
    """

    finding: str = ""
    claims: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=CLAIM_COLUMNS))
    discoveries: tuple[Discovery, ...] = ()
    models: bool = False

    @property
    def held(self) -> tuple[int, int]:
        """How many claims hold, and how many were tested to an answer."""
        result = self.claims["result"]
        return int((result == Outcome.HOLDS).sum()), int(
            result.isin([Outcome.HOLDS, Outcome.FAILS]).sum()
        )


def claims_of(
    checked: pd.DataFrame, result: str = "result", of: Sequence[str] = ()
) -> pd.DataFrame:
    """Bring the claims of a paper to the columns and words that all of them share.

    Parameters
    ----------
    checked : DataFrame of str
        The paper's claims, with the columns claim, where and found.
    result : str
        The column that says whether a claim holds; an empty cell is of one that was not tested.
    of : sequence of str
        The columns that say what it was held against.

    Returns
    -------
    DataFrame
        Columns `CLAIM_COLUMNS`; result is one of `RESULTS`.

    Raises
    ------
    ValueError
        A result is none of the words that papers use.
    """
    results = checked[result].replace("", NOT_AT_HAND)
    if odd := set(results) - set(RESULTS):
        raise ValueError(f"claims: result {min(odd)!r} is none of {', '.join(RESULTS)}")
    told = checked[list(of)].agg(", ".join, axis=1) if of and len(checked) else ""
    return pd.DataFrame(
        {
            "claim": checked["claim"],
            "where": checked["where"],
            "of": told,
            "result": results,
            "found": checked["found"],
        },
        columns=CLAIM_COLUMNS,
    )
