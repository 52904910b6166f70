"""Compute Table 1: the change of mean wait and slowdown by Plan-RS on busy intervals of logs."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import RESAMPLES, interval, resampled_places, tail
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.report.comparison import ANY, compare_number, not_compared, ratio_of, read_published
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.report.verdicts import DIFFERS, REJECTED
from schedlab.studies.klusacek2016.evidence import NAMES, ORIG, PLAN, Evidence, mean_change
from schedlab.studies.klusacek2016.inputs import (
    Facts,
    Frames,
    count_sets,
    facts_of_readings,
    given,
    results_of,
)
from schedlab.studies.klusacek2016.sheet import PAPER, SHOWN_FOR


def changes(periods: pd.DataFrame, measure: str) -> np.ndarray:
    """Return the change of a metric from Orig-BF to Plan-RS in percent, in each interval.

    Values are means over the seeds. Intervals in which no job waits under Orig-BF are left out.
    """
    if periods.empty:
        return np.empty(0)
    waits = periods.pivot_table(index="piece", columns="scheduler", values="wait")
    values = periods.pivot_table(index="piece", columns="scheduler", values=measure)
    values = values[waits[ORIG] > 0]
    return (100 * (values[PLAN] / values[ORIG] - 1)).to_numpy()


def fisher(pair: np.ndarray, drawn_intervals: np.ndarray) -> float:
    """Return -2 times the sum of the logarithms of the tails of an interval's changes."""
    return -2 * sum(np.log(tail(*one)) for one in zip(pair, drawn_intervals.T, strict=True))


def joint_tail(printed: Mapping[str, np.ndarray], many: Mapping[str, np.ndarray]) -> float:
    """Return the joint tail of all published numbers, under one reading of the experiment.

    The paper took two intervals of each log and does not state which. The null hypothesis: they are
    drawn at random, without replacement, from the contended intervals that ran in schedlab. The
    statistic is Fisher's, of two-sided tails of all numbers among the intervals. Its distribution
    is exact: it covers every choice of as many intervals of each log, whose wait and slowdown stay
    together. The joint tail is the share of choices whose statistic is at least the published one.

    By log: changes of the published intervals, shape (m, k), and of those that ran, shape (n, k).
    The result is nan if a log has no more intervals than are published.
    """
    observed, sums = 0.0, np.zeros(1)
    for log, pairs in printed.items():
        intervals = many.get(log, np.empty((0, 2)))
        if len(intervals) <= len(pairs):
            return np.nan
        observed += sum(fisher(pair, intervals) for pair in pairs)
        statistics = np.array(
            [fisher(intervals[k], np.delete(intervals, k, axis=0)) for k in range(len(intervals))]
        )
        chosen = np.array(list(combinations(range(len(intervals)), len(pairs))))
        sums = (sums[:, None] + statistics[chosen].sum(axis=1)).ravel()
    return (np.count_nonzero(sums >= observed - 1e-9) + 1) / (len(sums) + 1)


def all_fall(printed: Mapping[str, np.ndarray], many: Mapping[str, np.ndarray]) -> float:
    """Return the probability that every change of the drawn intervals of each log is below 0."""
    chance = 1.0
    for log, pairs in printed.items():
        intervals = many.get(log, np.empty((0, 2)))
        if len(intervals) < len(pairs):
            return np.nan
        fall = int((intervals < 0).all(axis=1).sum())
        for k in range(len(pairs)):
            chance *= max(fall - k, 0) / (len(intervals) - k)
    return chance


#: columns of the published table, and the metric whose change each gives
CHANGES = {"WT": "wait", "SD": "slowdown"}
TABLE1 = ["set", "ran_on", "intervals", "queues", "factor", "jobs", "seeds"] + [
    column
    for short, measure in CHANGES.items()
    for column in (
        *(f"{measure} {name}" for name in NAMES.values()),
        *(short, f"{short} low", f"{short} high"),
    )
]
SWITCHES = ["intervals", "queues", "factor", "cycle", "iterations", "scope"]
READINGS = ["set", "ran_on", *SWITCHES, "jobs", "seeds"] + [
    f"{short}{end}" for short in CHANGES for end in ("", " low", " high")
]
OVER_PERIODS = ["log", "column", "intervals", "change", "median low", "median high", "better"]
OVER_PERIODS += ["low", "high"]


@item("table1_readings", "table1_joint", section="Table 1", rule="make_plans_readings")
def make_readings(
    rows: Annotated[Facts, given(facts_of_readings)],
    runs: Annotated[Frames, results_of("periods", "periods", "readings", read=read_parquet)],
    counts: Annotated[Mapping[str, int], given(count_sets)],
    published: Annotated[str, From(resource("published.tsv"), str)],
) -> dict[str, Table]:
    """Return Table 1 under other readings, and the joint test of the published numbers."""
    together = joint(read_published(published, "table1"), rows, runs)
    return {
        "table1_readings": Table(readings(rows, runs, counts)),
        "table1_joint": Table(together, 3),
    }


def over_periods(periods: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Summarize the changes over many busy intervals of each log, from `periods.run_periods`."""
    rows = []
    for log, runs in periods.items():
        for short, measure in CHANGES.items():
            values = changes(runs, measure) if len(runs) else np.empty(0)
            row = {"log": log, "column": short, "intervals": len(values)}
            if len(values):
                row["change"] = float(np.median(values))
                row["better"] = int((values < 0).sum())
            if len(values) > 1:
                stream = generator(PAPER, "periods", log, measure)
                places = resampled_places(len(values), RESAMPLES, stream)
                row["median low"], row["median high"] = interval(np.median(values[places], axis=1))
            ends = interval(values)
            row["low"], row["high"] = ends if np.isfinite(ends[0]) else (np.nan, np.nan)
            rows.append(row)
    return pd.DataFrame(rows, columns=OVER_PERIODS)


def table1(sets: Iterable[Evidence]) -> pd.DataFrame:
    """Return Table 1, one row per set."""
    return pd.DataFrame([_row(one) for one in sets], columns=TABLE1)


def _row(evidence: Evidence) -> dict:
    row = evidence.row
    head = {"set": row["label"], "ran_on": row["source"], "intervals": row["intervals"]}
    head |= {"queues": row["queues"], "factor": row["factor"]}
    if not len(evidence):
        return head | {"jobs": 0, "seeds": 0}
    cells = head | {"jobs": len(evidence), "seeds": len(evidence.runs[PLAN])}
    for short, measure in CHANGES.items():
        change, low, high = evidence.change(measure)
        cells |= {
            f"{measure} Orig-BF": evidence.mean(ORIG, measure),
            f"{measure} Plan-RS": evidence.mean(PLAN, measure),
            short: change,
            f"{short} low": low,
            f"{short} high": high,
        }
    return cells


def readings(
    rows: Iterable[Mapping], runs: Iterable[pd.DataFrame], sets: Mapping[str, int]
) -> pd.DataFrame:
    """Return Table 1 under other readings, one row per reading and set."""
    records = []
    for row, ran in zip(rows, runs, strict=True):
        cells = {"ran_on": row["source"]} | {name: row[name] for name in SWITCHES}
        for piece, piece_runs in ran[ran["piece"] <= sets[row["source"]]].groupby("piece"):
            before, after = (piece_runs[piece_runs["scheduler"] == one] for one in (ORIG, PLAN))
            reading = {"set": f"{row['label']} {piece}", **cells}
            reading |= {"jobs": int(piece_runs["jobs"].iloc[0]), "seeds": len(after)}
            for short, measure in CHANGES.items():
                key = (row["experiment"], piece, measure)
                ends = mean_change(before[measure].mean(), after[measure].to_numpy(), *key)
                # if no job waits, the slowdown is 1 under every order
                ends = ends if before["wait"].mean() else (np.nan,) * 3
                reading |= dict(zip((short, f"{short} low", f"{short} high"), ends, strict=True))
            records.append(reading)
    return pd.DataFrame(records, columns=READINGS)


def pairs_of(ran: pd.DataFrame) -> np.ndarray:
    """Return the changes of wait and slowdown of each interval in which jobs wait, shape (n, 2)."""
    return np.stack([changes(ran, measure) for measure in CHANGES.values()], axis=1)


def printed_pairs(printed: pd.DataFrame, logs: Iterable[str]) -> dict[str, np.ndarray]:
    """Return the published changes by log, with the sets in the order of the table."""
    values = printed[list(CHANGES)].astype(float)
    return {log: values[[log in label for label in values.index]].to_numpy() for log in logs}


def joint(
    printed: pd.DataFrame, rows: Iterable[Mapping], runs: Iterable[pd.DataFrame]
) -> pd.DataFrame:
    """Test all published numbers of the available logs jointly under each reading."""
    pairs_by_reading: dict[tuple, dict[str, np.ndarray]] = {}
    for row, ran in zip(rows, runs, strict=True):
        switches = tuple(row[name] for name in SWITCHES)
        pairs_by_reading.setdefault(switches, {})[row["source"]] = pairs_of(ran)
    labels = " ".join(printed.index)
    table = []
    for switches, many in pairs_by_reading.items():
        values = printed_pairs(printed, [log for log in many if log in labels])
        if not values:
            continue
        row = dict(zip(SWITCHES, switches, strict=True))
        for log in values:
            pairs = many[log]
            row[f"{log} intervals"] = len(pairs)
            for place, short in enumerate(CHANGES):
                row[f"{log} {short}"] = np.median(pairs[:, place]) if len(pairs) else np.nan
            row[f"{log} both fall"] = 100 * (pairs < 0).all(axis=1).mean() if len(pairs) else np.nan
        row |= {"all fall": all_fall(values, many), "joint tail": joint_tail(values, many)}
        table.append(row)
    last = ["all fall", "joint tail"]
    names = [name for row in table for name in row if name not in (*SWITCHES, *last)]
    return pd.DataFrame(table, columns=[*SWITCHES, *dict.fromkeys(names), *last])


def compare_table1(
    printed: pd.DataFrame,
    sets: Iterable[Evidence],
    periods: Mapping[str, pd.DataFrame],
    reasons: pd.DataFrame,
) -> pd.DataFrame:
    """Compare the published Table 1 with the computed one."""
    computed = {one.row["label"]: one for one in sets}
    spans = over_periods(periods).set_index(["log", "column"])[["low", "high"]]
    many = {log: pairs_of(runs) for log, runs in periods.items()}
    published_logs = [log for log in many if any(log in label for label in printed.index)]
    pairs = printed_pairs(printed, published_logs)
    together = joint_tail(pairs, many) if pairs else np.nan
    rows = []
    for label in printed.index:
        evidence = computed.get(SHOWN_FOR.get(label, label))
        for short, measure in CHANGES.items():
            value = printed.loc[label, short]
            log = "" if evidence is None else evidence.row["source"]
            cells = {"published": value, "computed": np.nan, "low": np.nan, "high": np.nan}
            cells |= {"tail": np.nan, "joint": np.nan}
            if log in published_logs and label not in SHOWN_FOR and len(many[log]):
                cells["tail"] = tail(float(value), many[log][:, list(CHANGES).index(short)])
                cells["joint"] = together
            ends = evidence.change(measure) if evidence else (np.nan,) * 3
            cells["computed"] = ends[0]
            if (log, short) in spans.index:
                cells["low"], cells["high"] = spans.loc[(log, short)]
            comparable = bool(evidence) and label not in SHOWN_FOR and evidence.on_log
            same = has_sign(float(value), ends)
            outcome = _outcome_of(cells, comparable, same, (label, short), reasons)
            rows.append({"set": label, "column": short, "ran_on": log} | cells | outcome)
    return pd.DataFrame(rows)


def has_sign(printed: float, change: tuple[float, float, float]) -> bool:
    """Whether a change and its interval over the seeds have the sign of the published change.

    >>> has_sign(-18.8, (-5, -9, -1)), has_sign(-18.8, (-5, -9, 1)), has_sign(-18.8, (5, 1, 9))
    (True, False, False)
    """
    value, low, high = change
    ends = (low, high) if np.isfinite(low) else (value, value)
    return all(end * printed > 0 for end in ends)


def _outcome_of(
    cells: Mapping, comparable: bool, same: bool, place: tuple[str, str], reasons: pd.DataFrame
) -> dict:
    """Return ratio, verdict and reason of one number; `same` comes from `has_sign`."""
    printed, computed = cells["published"], cells["computed"]
    ratio = np.nan if np.isnan(computed) else ratio_of(printed, computed)
    if not comparable:
        return not_compared(ratio=ratio)
    if np.isnan(computed):
        return {"ratio": ratio, "verdict": DIFFERS, "reason": "no job waits under Orig-BF"}
    inside = same and cells["joint"] >= REJECTED
    return compare_number(printed, computed, reasons, (ANY, *place), same, inside)
