"""Compare the realized waits of runs whose searches have different budgets.

Unlike a search of one stored plan, a run is evaluated by its realized schedule, not by estimates.
"""

from collections.abc import Iterable, Mapping

import pandas as pd

from schedlab.core.intervals import RESAMPLES, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.studies.klusacek2016.sheet import PAPER

NAMES = {"wait": "mean wait", "slowdown": "mean slowdown"}
#: share of the largest budget's decrease that counts as enough
ENOUGH = 0.9
COLUMNS = ["log", "what", "iterations", "intervals", "mean", "to none", "to none low"]
COLUMNS += ["to none high", "to most", "to most low", "to most high"]


def realized_metrics(rows: Iterable[Mapping], runs: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return realized waits and slowdowns by the budget of the search."""
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


def sentence(table: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Return the remaining share of the wait by budget, and which budget gains most of it."""
    parts = []
    for log, waits in table[table["what"] == NAMES["wait"]].groupby("log", sort=False):
        ratios = waits[waits["iterations"] > 0].set_index("iterations")["to none"]
        part = (
            f"{names.get(str(log), log)}: with "
            f"{', '.join(f'{n:,}' for n in ratios.index)} iterations, "
            f"{', '.join(f'{ratio:.2f}' for ratio in ratios)} of the mean wait without a search"
        )
        if few := enough(ratios):
            part += f"; {few[0]:,} reach {few[1]:.0f} % of the decrease with {ratios.index[-1]:,}"
        parts.append(part)
    return f"Realized waits on busy intervals. {'. '.join(parts)}." if parts else ""


def enough(ratios: pd.Series) -> tuple[int, float] | None:
    """Return the fewest iterations that reach `ENOUGH`, and the share of the decrease in percent.

    `ratios` are means by iterations as a share of that without a search, the largest budget last.
    """
    if not len(ratios) or not ratios.iloc[-1] < 1:
        return None
    shares = (1 - ratios) / (1 - ratios.iloc[-1])
    few = shares.index[shares >= ENOUGH][0]
    return int(few), 100 * float(shares[few])
