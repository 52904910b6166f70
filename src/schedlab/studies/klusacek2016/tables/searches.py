"""Compare searches of stored plans with Random Search and with longer searches.

All searches use the same plans and numbers of iterations, so differences are paired by plan. Plans
of one day are similar, so intervals come from resampled days, each with all of its plans. Days are
few, so these intervals may be too narrow.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from schedlab.core.intervals import (
    RESAMPLES,
    chance_above,
    chance_below,
    holm,
    interval,
    resampled_places,
)
from schedlab.core.streams import generator
from schedlab.studies.klusacek2016.searches import PLAIN
from schedlab.studies.klusacek2016.sheet import PAPER

DAY = 24 * 3600
#: minimum number of days: with fewer, all are on one side of 0 by chance in over 5 % of cases
DAYS = 6
#: smallest difference in gain that counts on one plan: 0.1 % of one criterion
WORTH = 0.001
CRITERIA = ("wait", "slowdown", "fairness")
GAIN = ("gain", "gain_low", "gain_high")
DIFFERENCE = ("difference", "difference_low", "difference_high")
#: columns of the tables by rule and by budget
COMPARED = ("plans", "iterations", "rule", "kept", *CRITERIA, *GAIN, *DIFFERENCE)
COMPARED += ("p", "better", "worse")
BY_BUDGET = ("plans", "iterations", "kept", *GAIN, "share", "share_low", "share_high", "reached")


class Estimate(NamedTuple):
    """An estimate with its 95 % interval and the two-sided p-value of the null hypothesis 0."""

    middle: float
    low: float
    high: float
    p: float


def ratio(over: pd.Series, under: pd.Series | float, day: pd.Series) -> Estimate:
    """Estimate a ratio of sums, or a mean, with an interval from resampled days."""
    sums = pd.DataFrame({"over": over, "under": under}).groupby(day).sum().to_numpy(float)
    total_over, total_under = sums.sum(axis=0)
    if not total_under:
        return Estimate(np.nan, np.nan, np.nan, np.nan)
    middle = total_over / total_under
    if len(sums) < DAYS:
        return Estimate(middle, -np.inf, np.inf, 1.0)
    places = resampled_places(len(sums), RESAMPLES, generator(PAPER, "days"))
    resampled_sums = sums[places].sum(axis=1)
    over, under = resampled_sums[resampled_sums[:, 1] != 0].T
    resampled = over / under
    p = min(chance_below(resampled, 0), chance_above(resampled, 0))
    return Estimate(middle, *interval(resampled), p)


def compare_searches(searches: pd.DataFrame) -> pd.DataFrame:
    """Compare every search with Random Search, for each number of iterations."""
    rows = []
    by_iterations = _of_plans(searches).groupby(["plans", "iterations"], sort=False)
    for (kind, iterations), group in by_iterations:
        plain = group[group["rule"] == PLAIN].set_index("plan")["gain"]
        for rule, mine in group.groupby("rule", sort=False):
            mine = mine.set_index("plan")
            more = mine["gain"] - plain
            row = {"plans": kind, "iterations": iterations, "rule": rule, "kept": len(mine)}
            row |= {name: mine[name].mean() for name in CRITERIA}
            row |= _cells("gain", ratio(mine["gain"], 1, mine["day"]))
            counts = {"better": "", "worse": ""}
            if rule != PLAIN:
                gap = ratio(more, 1, mine["day"])
                row |= _cells("difference", gap) | {"p": gap.p}
                counts = {"better": (more > WORTH).sum(), "worse": (more < -WORTH).sum()}
            rows.append(row | counts)
    return pd.DataFrame(rows, columns=COMPARED).astype({"p": "float64"})


def by_rule(table: pd.DataFrame, paper_budget: int) -> pd.DataFrame:
    """Return the comparison at the paper's budget and at the longest one.

    These are rows of `table`, from `compare_searches`; ``p`` is Holm-adjusted over all of them.
    """
    selected = table[table["iterations"].isin([paper_budget, table["iterations"].max()])].copy()
    tested = selected["p"].notna()
    selected.loc[tested, "p"] = holm(selected.loc[tested, "p"].to_numpy())
    return selected.reset_index(drop=True)


def by_budget(searches: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of Random Search for every number of iterations."""
    plain, rows = _of_plans(searches[searches["rule"] == PLAIN]), []
    longest = plain[plain["iterations"] == plain["iterations"].max()]
    longest = longest.set_index(["plans", "plan"])["gain"]
    for (kind, iterations), mine in plain.groupby(["plans", "iterations"], sort=False):
        mine = mine.set_index("plan")
        most = longest[kind]
        share = ratio(100 * mine["gain"], most, mine["day"])
        rows.append(
            {"plans": kind, "iterations": iterations, "kept": len(mine)}
            | _cells("gain", ratio(mine["gain"], 1, mine["day"]))
            | _cells("share", share)
            | {"reached": int((most - mine["gain"] <= WORTH).sum())}
        )
    return pd.DataFrame(rows, columns=BY_BUDGET)


def _of_plans(searches: pd.DataFrame) -> pd.DataFrame:
    """Return means over seeds by kind, iterations, rule and plan; criteria as decreases in %."""
    keys = ["plans", "iterations", "rule", "plan"]
    means = searches.groupby(keys, sort=False)[[*CRITERIA, "gain", "time"]].mean().reset_index()
    begun = means[means["iterations"] == 0].set_index(["plans", "rule", "plan"])[list(CRITERIA)]
    later = means[means["iterations"] > 0].copy()
    before = begun.loc[pd.MultiIndex.from_frame(later[["plans", "rule", "plan"]])]
    # no criterion is 0 if jobs are planned
    later[list(CRITERIA)] = 100 * (1 - later[list(CRITERIA)].to_numpy() / before.to_numpy())
    return later.assign(day=later["time"] // DAY)


def _cells(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.middle, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


NAMES = {"wait": "mean wait", "slowdown": "mean slowdown"}
#: share of the largest budget's decrease that counts as enough
ENOUGH = 0.9
COLUMNS = ["log", "what", "iterations", "intervals", "mean", "to none", "to none low"]
COLUMNS += ["to none high", "to most", "to most low", "to most high"]


def realized_metrics(rows: Iterable[Mapping], runs: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return waits and slowdowns of realized schedules by the budget of the search."""
    by_log: dict[str, dict[int, pd.DataFrame]] = {}
    for row, ran in zip(rows, runs, strict=True):
        by_log.setdefault(row["label"], {})[row["iterations"]] = ran
    records = []
    for log, budgets in by_log.items():
        if any(ran.empty for ran in budgets.values()):
            continue
        for measure, what in NAMES.items():
            means = {n: ran.groupby("piece")[measure].mean() for n, ran in budgets.items()}
            table = pd.DataFrame(means).to_numpy()
            stream = generator(PAPER, "budgets", log, measure)
            resampled = table[resampled_places(len(table), RESAMPLES, stream)].mean(axis=1)
            for place, n in enumerate(means):
                row = {"log": log, "what": what, "iterations": n, "intervals": len(table)}
                row["mean"] = float(table[:, place].mean())
                for name, base in (("to none", 0), ("to most", max(means))):
                    base_place = list(means).index(base)
                    row[name] = float(table[:, place].mean() / table[:, base_place].mean())
                    ends = interval(resampled[:, place] / resampled[:, base_place])
                    row[f"{name} low"], row[f"{name} high"] = ends
                records.append(row)
    return pd.DataFrame(records, columns=COLUMNS)


def waits_of(table: pd.DataFrame, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the remaining shares of the wait by budget, and which budget gains most of it."""
    waits = table[(table["what"] == NAMES["wait"]) & (table["iterations"] > 0)]
    ratios_of = waits.set_index("iterations").groupby("log", sort=False)["to none"]
    return [
        {"log": names.get(str(log), log), "ratios": ratios, "few": enough(ratios)}
        for log, ratios in ratios_of
    ]


def enough(ratios: pd.Series) -> tuple[int, float] | None:
    """Return the fewest iterations that reach `ENOUGH`, and the share of the decrease in percent.

    `ratios` are means by iterations as a share of that without a search, the largest budget last.
    """
    if not len(ratios) or not ratios.iloc[-1] < 1:
        return None
    shares = (1 - ratios) / (1 - ratios.iloc[-1])
    few = shares.index[shares >= ENOUGH][0]
    return int(few), 100 * float(shares[few])
