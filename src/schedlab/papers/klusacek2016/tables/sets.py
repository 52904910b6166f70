"""Table 1: by how much Plan-RS changes mean wait and slowdown on busy pieces of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.intervals import RESAMPLES, interval, resampled_places
from schedlab.papers.klusacek2016.evidence import changed
from schedlab.papers.klusacek2016.measures import NAMES, ORIG, PLAN
from schedlab.papers.klusacek2016.periods import changes
from schedlab.papers.klusacek2016.sheet import PAPER
from schedlab.report.comparison import ratio_of, reason_for
from schedlab.report.verdicts import (
    CONSISTENT,
    DIFFERS,
    MATCH,
    NOT_AT_HAND,
    agrees,
    in_interval,
    verdict_of,
)
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from schedlab.papers.klusacek2016.evidence import Evidence

#: columns of the printed table, and what they are the change of
CHANGES = {"WT": "wait", "SD": "slowdown"}
NOTE = (
    "WT, SD: by how many per cent Plan-RS changes mean wait and mean bounded slowdown of Orig-BF; "
    "low and high: 95 % interval of the mean over the seeds."
)
TABLE1 = ["set", "ran_on", "intervals", "queues", "factor", "jobs", "seeds"] + [
    column
    for short, measure in CHANGES.items()
    for column in (
        *(f"{measure} {name}" for name in NAMES.values()),
        *(short, f"{short} low", f"{short} high"),
    )
]
READINGS = ["set", "ran_on", "intervals", "queues", "factor", "jobs", "seeds"] + [
    f"{short}{end}" for short in CHANGES for end in ("", " low", " high")
]
OVER_PERIODS = [
    "log",
    "column",
    "intervals",
    "change",
    "median low",
    "median high",
    "better",
    "low",
    "high",
]
#: which of our sets stands beside one of the paper's whose log is not to be had
BESIDE = {f"Zewura set {number}": f"wagap set {number}" for number in range(1, 5)}


def over_periods(periods: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Say what many busy intervals of each log give.

    Parameters
    ----------
    periods : mapping of str to DataFrame
        From `schedlab.papers.klusacek2016.periods.run_periods`, by log.

    Returns
    -------
    DataFrame
        log, column, intervals in which anybody waits, the median change over them in per cent and
        the ends of its 95 % interval (median low, median high; nan of one alone), in how many of
        them Plan-RS is better, and between what 95 % of the changes lie (low, high; nan of fewer
        than 39).
    """
    rows = []
    for log, runs in periods.items():
        for short, measure in CHANGES.items():
            found = changes(runs, measure) if len(runs) else np.empty(0)
            row = {"log": log, "column": short, "intervals": len(found)}
            if len(found):
                row["change"] = float(np.median(found))
                row["better"] = int((found < 0).sum())
            if len(found) > 1:
                stream = generator(PAPER, "periods", log, measure)
                places = resampled_places(len(found), RESAMPLES, stream)
                row["median low"], row["median high"] = interval(np.median(found[places], axis=1))
            ends = interval(found)
            row["low"], row["high"] = ends if np.isfinite(ends[0]) else (np.nan, np.nan)
            rows.append(row)
    return pd.DataFrame(rows, columns=OVER_PERIODS)


def table1(sets: Iterable[Evidence]) -> pd.DataFrame:
    """Return a row per set.

    Returns
    -------
    DataFrame
        set, ran_on, intervals, queues (of Orig-BF) and factor of its row, jobs, seeds (of Plan-RS);
        for wait in s and bounded slowdown: the means of both schedulers, the change in per cent
        (WT, SD) and the ends of its 95 % interval over the seeds. A change is nan where nobody
        waits under Orig-BF.
    """
    return pd.DataFrame([_row(one) for one in sets], columns=TABLE1)


def _row(one: Evidence) -> dict:
    row = one.row
    head = {"set": row["label"], "ran_on": row["source"], "intervals": row["intervals"]}
    head |= {"queues": row["queues"], "factor": row["factor"]}
    if not len(one):
        return head | {"jobs": 0, "seeds": 0}
    found = head | {"jobs": len(one), "seeds": len(one.runs[PLAN])}
    for short, measure in CHANGES.items():
        change, low, high = one.change(measure)
        found |= {
            f"{measure} Orig-BF": one.mean(ORIG, measure),
            f"{measure} Plan-RS": one.mean(PLAN, measure),
            short: change,
            f"{short} low": low,
            f"{short} high": high,
        }
    return found


def readings(rows: Iterable[Mapping], runs: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return a row per reading of Table 1 and set.

    Parameters
    ----------
    rows : iterable of mapping
        What is told of each reading: experiment, label, source, intervals, queues and factor.
    runs : iterable of DataFrame
        Of each, from `schedlab.papers.klusacek2016.periods.run_periods`; no rows where the log is
        not at hand.

    Returns
    -------
    DataFrame
        As `table1`, without the means of both schedulers.
    """
    found = []
    for row, ran in zip(rows, runs, strict=True):
        cells = {"ran_on": row["source"], "intervals": row["intervals"]}
        cells |= {"queues": row["queues"], "factor": row["factor"]}
        for piece, own in ran.groupby("piece"):
            before, after = own[own["scheduler"] == ORIG], own[own["scheduler"] == PLAN]
            reading = {"set": f"{row['label']} {piece}", **cells}
            reading |= {"jobs": int(own["jobs"].iloc[0]), "seeds": len(after)}
            for short, measure in CHANGES.items():
                key = (row["experiment"], piece, measure)
                ends = changed(before[measure].mean(), after[measure].to_numpy(), *key)
                # where nobody waits, no order changes a slowdown of 1
                ends = ends if before["wait"].mean() else (np.nan,) * 3
                reading |= dict(zip((short, f"{short} low", f"{short} high"), ends, strict=True))
            found.append(reading)
    return pd.DataFrame(found, columns=READINGS)


def compare_table1(
    printed: pd.DataFrame,
    sets: Iterable[Evidence],
    periods: Mapping[str, pd.DataFrame],
    reasons: pd.DataFrame,
) -> pd.DataFrame:
    """Hold Table 1 against ours.

    Parameters
    ----------
    printed : DataFrame
        Changes in per cent as printed, a row per set, the columns of `CHANGES`.
    sets : iterable of Evidence
        Ours, by label; sets of the Zewura log have those of `BESIDE` beside them, and are not held
        against them.
    periods : mapping of str to DataFrame
        As of `over_periods`: which intervals of the logs the paper took is not known.
    reasons : DataFrame
        From `schedlab.report.comparison.read_reasons`.

    Returns
    -------
    DataFrame
        set, column, ran_on, published, ours, low, high, ratio, verdict, reason. Between low and
        high lie 95 % of the changes over many busy intervals of the log. Every printed change is an
        order of two schedulers: it holds where ours goes the same way.
    """
    ours = {one.row["label"]: one for one in sets}
    ends = over_periods(periods).set_index(["log", "column"])[["low", "high"]]
    rows = []
    for label in printed.index:
        own = ours.get(BESIDE.get(label, label))
        for short, measure in CHANGES.items():
            value = printed.loc[label, short]
            log = "" if own is None else own.row["source"]
            found = {"published": value, "ours": np.nan, "low": np.nan, "high": np.nan}
            if own:
                found["ours"] = own.change(measure)[0]
            if (log, short) in ends.index:
                found["low"], found["high"] = ends.loc[(log, short)]
            comparable = bool(own) and label not in BESIDE and own.held
            said = _compared(found, comparable, (label, short), reasons)
            rows.append({"set": label, "column": short, "ran_on": log} | found | said)
    return pd.DataFrame(rows)


def _compared(
    found: Mapping, comparable: bool, place: tuple[str, str], reasons: pd.DataFrame
) -> dict:
    """Return ratio, verdict and reason of one number."""
    printed, ours = found["published"], found["ours"]
    ratio = np.nan if np.isnan(ours) else ratio_of(printed, ours)
    if not comparable:
        return {"ratio": ratio, "verdict": NOT_AT_HAND, "reason": ""}
    if np.isnan(ours):
        return {"ratio": ratio, "verdict": DIFFERS, "reason": "nobody waits under Orig-BF"}
    inside = not np.isnan(found["low"]) and in_interval(printed, found["low"], found["high"])
    verdict = verdict_of(agrees(printed, ours), ours * float(printed) > 0, inside)
    why = "" if verdict in (MATCH, CONSISTENT) else reason_for(reasons, "*", *place, printed, ours)
    return {"ratio": ratio, "verdict": verdict, "reason": why}
