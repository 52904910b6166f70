"""State in sentences whether Random Search beats other searches, and the effect of its budget.

The paper states that Random Search often beats simulated annealing and tabu search (section 3.3).
"""

from typing import Any

import numpy as np
import pandas as pd

from schedlab.core.intervals import LEVEL
from schedlab.report.words import joined
from schedlab.studies.klusacek2016.searches import LEAST, PLAIN
from schedlab.studies.klusacek2016.tables.searches import DAY, DAYS, WORTH

NO_PLANS = f"No plans: the log is not available, or never has {LEAST} jobs planned."
#: percent of the gain of the longest search
SHARES = (90, 99)


def kept_of(searches: pd.DataFrame) -> str:
    """Return how many plans of each kind there are, of how many days and with how many jobs."""
    plans = searches.assign(day=searches["time"] // DAY).groupby("plans", sort=False)
    counts = [
        f"{own['plan'].nunique()} plans {kind} (of {own['day'].nunique()} days, "
        f"{own['planned'].min()} to {own['planned'].max()} jobs)"
        for kind, own in plans
    ]
    return joined(counts) if counts else "no plans"


def facts_of(rules: pd.DataFrame, budget: pd.DataFrame, paper_budget: int) -> dict[str, Any]:
    """Return how the searches compare at both budgets, and what the paper's budget misses."""
    tested = rules[rules["p"].notna()]
    return {
        "plain": PLAIN,
        "paper_budget": paper_budget,
        "longest": budget["iterations"].max(),
        "worth": WORTH,
        "finite": np.isfinite,
        "no_plans": NO_PLANS,
        "shares": budget[budget["iterations"] == paper_budget].to_dict("records"),
        "compared": [
            {"plans": kind, "iterations": iterations, **_compare_searches(rows)}
            for (kind, iterations), rows in rules.groupby(["plans", "iterations"], sort=False)
        ],
        "tested": len(tested),
        "differ": int(((tested["difference_low"] > 0) | (tested["difference_high"] < 0)).sum()),
        "significant": int((tested["p"] <= 1 - LEVEL).sum()),
        "differing": int(differs(tested).sum()),
        "few": DAYS if np.isinf(tested["difference_low"].astype(float)).any() else 0,
        "steps": {
            kind: {share: own.loc[own["share"] >= share, "iterations"].min() for share in SHARES}
            for kind, own in budget.groupby("plans", sort=False)
        },
    }


def differs(rules: pd.DataFrame) -> pd.Series:
    """Whether a search differs from Random Search: significant after Holm, and large enough."""
    return (rules["p"] <= 1 - LEVEL) & (rules["difference"].astype(float).abs() > WORTH)


def _compare_searches(rules: pd.DataFrame) -> dict[str, Any]:
    others = rules[rules["rule"] != PLAIN]
    different, more = differs(others), others["difference"].astype(float) > 0
    sides = {
        "beats": different & ~more,
        "is beaten by": different & more,
        "is indistinguishable from": ~different,
    }
    named = {
        verb: [f"{row.rule} ({row.difference:+z.4f})" for row in others[side].itertuples()]
        for verb, side in sides.items()
    }
    rows = others.assign(differs=different).to_dict("records")
    return {"own": rules[rules["rule"] == PLAIN].iloc[0], "named": named, "others": rows}
