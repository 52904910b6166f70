"""Table 1: by how much Plan-RS changes mean wait and slowdown on busy pieces of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.papers.klusacek2016.measures import ORIG, PLAN
from schedlab.report.comparison import ratio_of, reason_for
from schedlab.report.verdicts import DIFFERS, MATCH, NOT_AT_HAND, agrees, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedlab.papers.klusacek2016.evidence import Evidence

#: columns of the printed table, and what they are the change of
CHANGES = {"WT": "wait", "SD": "slowdown"}
#: which of our sets stands beside one of the paper's whose log is not to be had
BESIDE = {f"Zewura set {number}": f"wagap set {number}" for number in range(1, 5)}


def table1(sets: Iterable[Evidence]) -> pd.DataFrame:
    """Return a row per set.

    Returns
    -------
    DataFrame
        set, ran_on, queues (of Orig-BF), jobs, seeds (of Plan-RS); for wait in s and bounded
        slowdown: the means of both schedulers, the change in per cent (WT, SD) and the ends of its
        95 % interval over the seeds. A change is nan where nobody waits under Orig-BF.
    """
    return pd.DataFrame([_row(one) for one in sets])


def _row(one: Evidence) -> dict:
    head = {"set": one.row["label"], "ran_on": one.row["source"], "queues": one.row["queues"]}
    if not len(one):
        return head | {"jobs": 0, "seeds": 0}
    row = head | {"jobs": len(one), "seeds": len(one.runs[PLAN])}
    for short, measure in CHANGES.items():
        change, low, high = one.change(measure)
        row |= {
            f"{measure} Orig-BF": one.mean(ORIG, measure),
            f"{measure} Plan-RS": one.mean(PLAN, measure),
            short: change,
            f"{short} low": low,
            f"{short} high": high,
        }
    return row


def compare_table1(
    printed: pd.DataFrame, sets: Iterable[Evidence], reasons: pd.DataFrame
) -> pd.DataFrame:
    """Hold Table 1 against ours.

    Parameters
    ----------
    printed : DataFrame
        Changes in per cent as printed, a row per set, the columns of `CHANGES`.
    sets : iterable of Evidence
        Ours, by label; sets of the Zewura log have those of `BESIDE` beside them, and are not held
        against them.
    reasons : DataFrame
        From `schedlab.report.comparison.read_reasons`.

    Returns
    -------
    DataFrame
        set, column, ran_on, published, ours, low, high, ratio, verdict, reason. Every printed
        change is an order of two schedulers: it holds where ours goes the same way.
    """
    ours = {one.row["label"]: one for one in sets}
    rows = []
    for label in printed.index:
        own = ours.get(BESIDE.get(label, label))
        for short, measure in CHANGES.items():
            value = printed.loc[label, short]
            source = "" if own is None else own.row["source"]
            head = {"set": label, "column": short, "ran_on": source}
            change = own.change(measure) if own else (np.nan,) * 3
            comparable = bool(own) and label not in BESIDE and own.held
            rows.append(head | _compared(value, change, comparable, (label, short), reasons))
    return pd.DataFrame(rows)


def _compared(
    printed: str, change: tuple, comparable: bool, place: tuple[str, str], reasons: pd.DataFrame
) -> dict:
    """Return the cells of one number."""
    ours, low, high = change
    found = {"published": printed, "ours": ours, "low": low, "high": high}
    found["ratio"] = np.nan if np.isnan(ours) else ratio_of(printed, ours)
    if not comparable:
        return found | {"verdict": NOT_AT_HAND, "reason": ""}
    if np.isnan(ours):
        return found | {"verdict": DIFFERS, "reason": "nobody waits under Orig-BF"}
    verdict = verdict_of(agrees(printed, ours), holds=ours * float(printed) > 0)
    why = reason_for(reasons, "*", *place, printed, ours) if verdict != MATCH else ""
    return found | {"verdict": verdict, "reason": why}
