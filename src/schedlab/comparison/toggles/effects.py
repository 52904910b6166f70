"""Effects of a toggle on numbers: kept digits, ratios, rankings of policies, best policies."""

import numpy as np
import pandas as pd

from schedlab.comparison.toggles.runs import ABOUT
from schedlab.report.verdicts import agrees, kendall

EFFECTS = [
    *("numbers", "moved", "matching", "kept", "gained"),
    *("median_percent", "largest_percent", "largest_at", "factor"),
    *("orders", "reordered", "kendall", "winners"),
]
#: numbers whose relative difference is at most this count as equal
EQUAL = 1e-9


def effect_of_toggle(changes: pd.DataFrame) -> dict[str, object]:
    """Compute the effect of one toggle on numbers.

    `changes` has a toggle's rows from `schedlab.comparison.toggles.runs.run_toggles`, at least one.
    The keys of the result are:

    - numbers: how many numbers there are; moved: how many of them change,
    - matching: how many have their published digits in the unchanged row, kept: how many of
      these still have them, gained: how many others get them,
    - median_percent, largest_percent: of the absolute change, in per cent of the number in the
      unchanged row; largest_at: the number with the largest change,
    - factor: the median distance as a ratio, at least 1; a third and threefold are equally
      far,
    - orders: how many rows or columns have at least two policies; reordered: how many of them
      get another order; kendall: the mean of Kendall's tau-b with the order in the unchanged
      row (nan without orders); winners: how many get another best policy.
    """
    ratio = (changes["value"] / changes["base"]).to_numpy(float)
    change = 100 * np.abs(ratio - 1)
    printed = changes["printed"] != ""
    before, after = (_agree(changes, printed, column) for column in ("base", "value"))
    most = changes.iloc[int(np.argmax(change))]
    at = " ".join(filter(None, [most["experiment"], most["column"], most["policy"].upper()]))
    return {
        "numbers": len(changes),
        "moved": int((change > 100 * EQUAL).sum()),
        "matching": int(before.sum()),
        "kept": int((before & after).sum()),
        "gained": int((after & ~before).sum()),
        "median_percent": float(np.median(change)),
        "largest_percent": float(change.max()),
        "largest_at": at if change.max() > 100 * EQUAL else "",
        "factor": float(np.exp(np.median(np.abs(np.log(ratio))))),
    } | _orders(changes)


def _agree(changes: pd.DataFrame, printed: pd.Series, column: str) -> np.ndarray:
    cells = zip(changes["printed"], changes[column], printed, strict=True)
    return np.array(
        [bool(is_published) and agrees(text, value) for text, value, is_published in cells]
    )


def _orders(changes: pd.DataFrame) -> dict[str, object]:
    """Compare how each row or column ranks its policies, and which policy is best."""
    orders = [group for _, group in changes.groupby(["experiment", "column"]) if len(group) > 1]
    taus = [kendall(group["base"], group["value"]) for group in orders]
    return {
        "orders": len(orders),
        "reordered": sum(tau < 1 for tau in taus),
        "kendall": float(np.mean(taus)) if taus else float("nan"),
        "winners": sum(not _best(group, "base") & _best(group, "value") for group in orders),
    }


def _best(group: pd.DataFrame, column: str) -> set[str]:
    least = group[column].min() * (1 + EQUAL)
    return set(group.loc[group[column] <= least, "policy"])


def summary(changes: pd.DataFrame) -> pd.DataFrame:
    """Return a row per toggle, the one with the largest effect first.

    Columns are `ABOUT` and `EFFECTS`, sorted by factor, then by the largest change. If a toggle
    changes several values, from and to list each of them once.
    """
    rows = []
    for _, group in changes.groupby("toggle", sort=False):
        about = group[ABOUT].iloc[0].to_dict()
        pairs = group[["from", "to"]].drop_duplicates()
        about |= {side: " / ".join(dict.fromkeys(pairs[side])) for side in ("from", "to")}
        rows.append(about | effect_of_toggle(group))
    table = pd.DataFrame(rows, columns=[*ABOUT, *EFFECTS])
    return table.sort_values(
        ["factor", "largest_percent"], ascending=False, kind="stable", ignore_index=True
    )


def ratios(changes: pd.DataFrame) -> pd.DataFrame:
    """Return every number with its ratio to the number in the unchanged row, for the figure."""
    return changes.assign(ratio=changes["value"] / changes["base"])
