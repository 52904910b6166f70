"""What a paper says in words, held against what was simulated: sentences with a test each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

HOLDS, FAILS = "holds", "fails"
#: of a sentence between whose truth and untruth the interval of what was measured does not decide
UNDECIDED = "undecided"

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
    """

    text: str
    where: str
    test: Callable[[Any], Found]
    on: str = ""


def check(
    claims: Iterable[Claim],
    evidence: Mapping[str, Mapping[str, Any]],
    shown: str,
    words: tuple[str, str] = (HOLDS, FAILS),
    untested: str = "",
) -> pd.DataFrame:
    """Hold every claim against every body of evidence.

    Parameters
    ----------
    claims : iterable of Claim
        The claims.
    evidence : mapping of str to mapping of str to object
        By name, what there is of each kind; a claim whose kind is not there is not tested.
    shown : str
        The evidence whose findings are shown.
    words : tuple of str
        What is said of a claim that holds, and of one that does not; the third is `UNDECIDED`.
    untested : str
        What is said of one that was not tested.

    Returns
    -------
    DataFrame
        A row per claim: claim, where, a column per name of evidence with one of these words, and
        found.
    """
    yes, no = words
    word_of = {True: yes, False: no, None: UNDECIDED}
    rows = []
    for claim in claims:
        found = {
            name: claim.test(kinds[claim.on])
            for name, kinds in evidence.items()
            if claim.on in kinds
        }
        said = {
            name: word_of[None if found[name][1] is None else bool(found[name][1])]
            if name in found
            else untested
            for name in evidence
        }
        where = f"section {claim.where}" if claim.where[0].isdigit() else claim.where
        row = {"claim": claim.text, "where": where, **said}
        rows.append(row | {"found": found[shown][0] if shown in found else ""})
    return pd.DataFrame(rows)
