"""Summary of souza2020 for the first page: arithmetic of its tables, and results on a model."""

from collections.abc import Mapping

import pandas as pd

from schedlab.report.claims import Outcome
from schedlab.report.comparison import unexplained
from schedlab.report.story import Bar, Story, Teller, claims_of
from schedlab.report.verdicts import MATCH
from schedlab.studies.souza2020.tables.runs import BLANKS


def story(tables: Mapping[str, pd.DataFrame], models: bool, say: Teller) -> Story:
    """Return what follows from the published Table 1, and the first claim if it is decided."""
    followed, claims = tables["arithmetic_comparison"], tables["claims"]
    rows = followed[followed["item"] != BLANKS]
    counts = {
        item: (int((own["verdict"] == MATCH).sum()), len(own))
        for item, own in rows.groupby("item", sort=False)
    }
    equal = sum(matches for matches, _ in counts.values())
    first = claims[:1]
    decided = first[first["result"].isin([Outcome.HOLDS, Outcome.FAILS])]
    facts = {"equal": equal, "count": len(rows), "unknown": unexplained(rows).sum()}
    bars = (
        Bar(item, 100 * matches / all_, f"{matches} of {all_}")
        for item, (matches, all_) in counts.items()
    )
    return Story(
        finding=say.finding(claim="".join(decided["found"]), **facts),
        claims=claims_of(claims),
        discoveries=(say.discovery("arithmetic", bars, **facts),),
    )
