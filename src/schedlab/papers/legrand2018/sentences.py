"""What online learners came to, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    import pandas as pd


def verdict(regrets: pd.DataFrame, label: str) -> str:
    """Say in a sentence what the learners of a trace came to.

    Parameters
    ----------
    regrets : DataFrame
        From `schedlab.tuning.online.regret`.
    label : str
        The trace.
    """
    if regrets.empty:
        return f"{label}: {NOT_AT_HAND}."
    best = regrets.loc[regrets["sum"].idxmin()]
    policy = best["best_fixed"].upper()
    share = 100 * best["regret_fixed"] / (best["sum"] - best["regret_fixed"])
    gap = best["sum"] / (best["sum"] - best["regret_optimum"])
    ahead = regrets[regrets["regret_fixed"] < 0]["learner"]
    if ahead.empty:
        away = f"is {share:.1f}% above it" if share > 0 else "equals it"
        said = (
            f"no learner does better than {policy}, the best fixed policy; the nearest, "
            f"{best['learner']}, {away}"
        )
    else:
        said = (
            f"{len(ahead)} of {len(regrets)} learners do better than {policy}, the best fixed "
            f"policy ({'; '.join(ahead)}); the best, {best['learner']}, is {-share:.1f}% below it"
        )
    return f"{label}: {said}, and {gap:.2f} times the sum of each period's best weights."
