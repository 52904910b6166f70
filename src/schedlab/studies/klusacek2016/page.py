"""Build the text of the report pages from the tables of klusacek2016."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.files.stand_ins import is_stand_in, short_name
from schedlab.report.claims import outcomes
from schedlab.report.story import Bar, Discovery, Story, Teller, claims_of
from schedlab.studies.klusacek2016.beyond import differs
from schedlab.studies.klusacek2016.tables.searches import ENOUGH, NAMES, enough

# Columns of Table 1: the changes of mean wait and mean slowdown.
WAIT, SLOWDOWN = "WT", "SD"
# Minimum number of busy intervals for a log to be counted on the first page.
FEWEST = 20
# The budget of the paper's searches, and the search that the paper uses.
ITERATIONS, SEARCH = "300", "Random Search"


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Return the variables with which the page shows the claims."""
    checked = tables["claims"]
    experiments = list(dict.fromkeys(checked["experiment"]))
    wide = checked.pivot(index=["claim", "where"], columns="experiment", values="result")
    wide = wide.reindex(pd.MultiIndex.from_frame(checked[["claim", "where"]].drop_duplicates()))
    rows = wide[experiments].fillna("").reset_index()
    return {
        "claim_rows": rows.to_dict("records"),
        "claim_columns": {"claim": "Claim", "where": "Where"}
        | {name: name for name in experiments},
        "claim_counts": claim_counts(checked),
    }


def claim_counts(checked: pd.DataFrame) -> dict[str, str]:
    """Return the outcomes of claims in words: of all, and of each experiment with a test."""
    groups = {"all experiments": checked["result"]}
    groups |= dict(iter(checked.groupby("experiment", sort=False)["result"]))
    return {name: count for name, results in groups.items() if (count := outcomes(results))}


def story(tables: Mapping[str, pd.DataFrame], models: bool, say: Teller) -> Story:
    """Summarize the paper for the first page."""
    search = _describe_search(tables["beyond_search"], models, say)
    waits = _describe_waits(tables["beyond_waits"], models, say)
    return Story(
        finding=_summarize_intervals(tables["table1_periods"], say),
        claims=claims_of(tables["claims"], of=["experiment"]),
        discoveries=tuple(filter(None, [search, waits])),
        models=models,
    )


def _summarize_intervals(periods: pd.DataFrame, say: Teller) -> str:
    """Return in how many busy intervals of each log planning lowers mean wait and slowdown.

    A log counts if the 95 % interval of its median change is below 0.
    """
    enough = periods[pd.to_numeric(periods["intervals"]) >= FEWEST]
    enough = periods if enough.empty else enough
    lower = enough[pd.to_numeric(enough["median high"]) < 0]
    columns = {"change": "change", "low": "median low", "high": "median high"}

    def sentences(column: str) -> list[list[dict[str, str]]]:
        own = lower[lower["column"] == column]
        changes = [
            {name: _percent(row[cell]) for name, cell in columns.items()}
            | {"log": short_name(row["log"]), "better": row["better"]}
            | {"intervals": row["intervals"]}
            for row in own.to_dict("records")
        ]
        # models, with longer names, have a sentence each
        return [[one] for one in changes] if any(map(is_stand_in, own["log"])) else [changes]

    return say.finding(waits=sentences(WAIT), slowdowns=sentences(SLOWDOWN))


def _percent(value: str) -> str:
    return f"{float(value):.0f}".replace("-", "−")


def _describe_search(searches: pd.DataFrame, models: bool, say: Teller) -> Discovery | None:
    """Return in how many comparisons the paper's search differs; if in none, within which limit.

    Comparisons that are not significant are a result only if their intervals have ends.
    """
    at_budget = searches[(searches["iterations"] == ITERATIONS) & searches["gain"].ne("")]
    compared = at_budget[at_budget["rule"] != SEARCH]
    names = ["p", "difference", "difference_low", "difference_high"]
    numbers = compared.reindex(columns=names).apply(pd.to_numeric, errors="coerce")
    if numbers["p"].isna().all():
        return None
    count = int(differs(numbers).sum())
    limit = numbers[["difference_low", "difference_high"]].abs().to_numpy().max()
    if not count and not np.isfinite(limit):
        return None
    fresh = at_budget[at_budget["plans"] == at_budget["plans"].iloc[-1]]
    gains = pd.to_numeric(fresh["gain"])
    bars = (
        Bar(rule, max(gain, 0.0), f"{gain:.3f}")
        for rule, gain in zip(fresh["rule"], gains, strict=True)
    )
    facts = {"different": count, "compared": len(compared), "limit": limit}
    facts |= {"iterations": ITERATIONS, "plans": fresh["plans"].iloc[0]}
    return say.discovery("search", bars, models, **facts)


def _describe_waits(waits: pd.DataFrame, models: bool, say: Teller) -> Discovery | None:
    own = waits[waits["what"] == NAMES["wait"]]
    numbers = own.assign(
        ratio=pd.to_numeric(own["to none"]), iterations=own["iterations"].astype(int)
    )
    searched = numbers[numbers["iterations"] > 0].set_index("iterations")
    reached = {
        short_name(log): few
        for log, ratios in searched.groupby("log", sort=False)["ratio"]
        if (few := enough(ratios))
    }
    if not reached:
        return None
    bars = (
        Bar(f"{log}, {few:,}", share, f"{share:.0f} %") for log, (few, share) in reached.items()
    )
    facts = {"enough": f"{100 * ENOUGH:.0f}"}
    facts |= {"takes": [f"{few:,} on {log}" for log, (few, _) in reached.items()]}
    facts |= {"budgets": [f"{budget:,}" for budget in sorted(set(searched.index))]}
    return say.discovery("waits", bars, models, **facts)
