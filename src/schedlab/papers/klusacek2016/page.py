"""What the page of klusacek2016 makes of its tables: claims side by side."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.papers.klusacek2016.claims import NO, YES

if TYPE_CHECKING:
    from collections.abc import Mapping


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Make what the page shows of the claims.

    Parameters
    ----------
    tables : mapping of item to DataFrame
        Every cell the text that stands in the .csv: claims.

    Returns
    -------
    dict
        claim_rows (dicts: claim, where, and a cell per experiment), claim_columns (their headings)
        and claims_said (how many hold).
    """
    checked = tables["claims"]
    experiments = list(dict.fromkeys(checked["experiment"]))
    wide = checked.pivot(index=["claim", "where"], columns="experiment", values="holds")
    wide = wide.reindex(pd.MultiIndex.from_frame(checked[["claim", "where"]].drop_duplicates()))
    rows = wide[experiments].fillna("").reset_index()
    return {
        "claim_rows": rows.to_dict("records"),
        "claim_columns": {"claim": "Claim", "where": "Where"}
        | {name: name for name in experiments},
        "claims_said": claims_said(checked),
    }


def claims_said(checked: pd.DataFrame) -> str:
    """Say how many of the claims hold, experiment by experiment.

    Examples
    --------
    >>> claims_said(pd.DataFrame({"experiment": ["a", "a", "b"], "holds": ["yes", "no", "yes"]}))
    'Of what the paper says in words 1 of 2 hold with a, 1 of 1 with b.'
    """
    said = []
    for experiment, own in checked.groupby("experiment", sort=False):
        counts = Counter(own["holds"])
        if tested := counts[YES] + counts[NO]:
            said.append(f"{counts[YES]} of {tested} {'hold ' if not said else ''}with {experiment}")
    if not said:
        return "Nothing of what the paper says in words was tested: nothing ran on a log."
    return f"Of what the paper says in words {', '.join(said)}."
