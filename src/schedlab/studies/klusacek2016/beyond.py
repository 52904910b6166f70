"""State in sentences whether Random Search beats other searches, and the effect of its budget.

The paper states that Random Search often beats simulated annealing and tabu search (section 3.3).
"""

import numpy as np
import pandas as pd

from schedlab.core.intervals import LEVEL
from schedlab.report.words import as_sentences, joined
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


def headline(rules: pd.DataFrame, budget: pd.DataFrame, paper_budget: int) -> str:
    """Return which searches Random Search beats at the paper's budget, and the gain it misses."""
    if budget.empty:
        return NO_PLANS
    at_budget, longest = rules[rules["iterations"] == paper_budget], budget["iterations"].max()
    parts = [
        f"On plans {kind} it {_compare_searches(one)}."
        for kind, one in at_budget.groupby("plans", sort=False)
    ]
    shares = [
        f"{_share(row)} on plans {row.plans}"
        for row in budget[budget["iterations"] == paper_budget].itertuples()
    ]
    return (
        f"{PLAIN} is compared with other searches at {paper_budget:,} iterations. "
        f"{' '.join(parts)} "
        f"It gains {joined(shares)} of its gain with {longest:,} iterations. Gains are by "
        "estimates, without further arrivals."
    )


def sentences(rules: pd.DataFrame, budget: pd.DataFrame, paper_budget: int) -> list[str]:
    """Return how the searches compare at both budgets, and what the paper's budget misses."""
    lines = []
    for (kind, iterations), rows in rules.groupby(["plans", "iterations"], sort=False):
        plain = rows[rows["rule"] == PLAIN].iloc[0]
        compared = rows[rows["rule"] != PLAIN]
        pairs = zip(compared.itertuples(), differs(compared), strict=True)
        parts = [_difference(row, other) for row, other in pairs]
        gains = _with_ends(f"{plain['gain']:.3f}", _ends(plain["gain_low"], plain["gain_high"]))
        head = f"Plans {kind}, {iterations:,} iterations: {PLAIN} gains {gains}"
        lines.append(as_sentences([head, *parts]))
    if not lines:
        return []
    kinds = [own for _, own in budget.groupby("plans", sort=False)]
    return [*lines, chance(rules), *(_remaining_gain(own, paper_budget) for own in kinds)]


def chance(rules: pd.DataFrame) -> str:
    """Return how many comparisons differ, and how many remain after Holm's correction."""
    tested = rules[rules["p"].notna()]
    differ = int(((tested["difference_low"] > 0) | (tested["difference_high"] < 0)).sum())
    significant = tested["p"] <= 1 - LEVEL
    few = bool(np.isinf(tested["difference_low"]).any())
    return (
        f"{differ} of {len(tested)} comparisons have a 95 % interval that excludes 0; one in "
        f"twenty may by chance. After Holm's correction, {int(significant.sum())} are significant, "
        f"{int(differs(tested).sum())} of them with a difference of more than {WORTH}."
        + (f" Plans of fewer than {DAYS} days have no intervals, so none is significant." * few)
    )


def differs(rules: pd.DataFrame) -> pd.Series:
    """Whether a search differs from Random Search: significant after Holm, and large enough."""
    return (rules["p"] <= 1 - LEVEL) & (rules["difference"].astype(float).abs() > WORTH)


def _remaining_gain(budget: pd.DataFrame, paper_budget: int) -> str:
    row = budget[budget["iterations"] == paper_budget].iloc[0]
    reached = (
        f"Plans {row['plans']}, {PLAIN}: with {paper_budget:,} iterations, the remaining gain is "
        f"at most {WORTH} in {row['reached']} of {row['kept']} plans"
    )
    steps = {share: budget.loc[budget["share"] >= share, "iterations"].min() for share in SHARES}
    takes = [
        f"{share} % of the longest search's gain takes {step:,} iterations"
        for share, step in steps.items()
        if not np.isnan(step)
    ]
    return as_sentences([reached, *takes])


def _compare_searches(rules: pd.DataFrame) -> str:
    compared = rules[rules["rule"] != PLAIN]
    different, more = differs(compared), compared["difference"].astype(float) > 0
    sides = {
        "beats": different & ~more,
        "is beaten by": different & more,
        "is indistinguishable from": ~different,
    }
    parts = [
        f"{verb} {joined([_label_of(row) for row in compared[side].itertuples()])}"
        for verb, side in sides.items()
        if side.any()
    ]
    plain = rules.loc[rules["rule"] == PLAIN, "gain"].iloc[0]
    return f"gains {plain:.3f} and {', '.join(parts)}"


def _label_of(row: tuple) -> str:
    return f"{row.rule} ({row.difference:+z.4f})"


def _difference(row: tuple, is_different: bool) -> str:
    verb = "gains more" if row.difference > 0 else "gains less"
    verb = verb if is_different else "is indistinguishable from it"
    ends = [f"{row.difference:+z.4f}", *_ends(row.difference_low, row.difference_high, "+z.4f")]
    counts = f"better in {row.better}, worse in {row.worse} of {row.kept} plans"
    return f"{row.rule} {verb} ({', '.join(ends)}; {counts})"


def _share(row: tuple) -> str:
    if np.isnan(row.share):
        return "nothing (no gain is possible)"
    return _with_ends(f"{row.share:.0f} %", _ends(row.share_low, row.share_high, ".0f"))


def _ends(low: float, high: float, form: str = ".3f") -> list[str]:
    return [f"{low:{form}} to {high:{form}}"] if np.isfinite(low) else []


def _with_ends(middle: str, ends: list[str]) -> str:
    return " ".join([middle, *(f"({one})" for one in ends)])
