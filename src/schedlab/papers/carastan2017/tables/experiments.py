"""Tables 2, 4 and 5 and the boxes of figures 4 to 9 as data frames, in full precision."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.cbook import boxplot_stats

from schedlab.io import read_parquet
from schedlab.report.tables import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from schedlab.traces.swf import SwfLog

# The paper's columns, in its order and under its names, by the names of the policy registry.
POLICY_COLUMNS = {
    "fcfs": "FCFS",
    "wfp3": "WFP",
    "unicef": "UNI",
    "spt": "SPT",
    "f4": "F4",
    "f3": "F3",
    "f2": "F2",
    "f1": "F1",
}
# The policies that are learned here, in the order of the paper's own.
LEARNED_COLUMNS = ("L4", "L3", "L2", "L1")
TABLE2_POLICIES = ("fcfs", "spt", "wfp3", "unicef")
SEQUENCE_COLUMNS = ["experiment", "dialect", "policy", "piece", "jobs", "avebsld"]
TABLE5_COLUMNS = ["year", "cpus", "jobs", "utilisation", "duration"]
SECONDS_A_MONTH = 365.25 * 86400 / 12


def sheet_frame(experiments: Iterable, source: str = "logs") -> pd.DataFrame:
    """Rows of the experiment sheet as a data frame, indexed by experiment.

    Parameters
    ----------
    experiments : iterable of schedlab.papers.carastan2017.sheet.Experiment
        Rows of the sheet, in its order.
    source : {"logs", "models"}
        What the experiments ran on. On models the label says so and `stand_in` is true.

    Returns
    -------
    DataFrame
        The sheet's columns, `row` (the paper's row text), `label` (as it is to be shown) and
        `stand_in` (bool: a model ran in the place of what the paper used).
    """
    frame = pd.DataFrame([asdict(experiment) for experiment in experiments])
    frame = frame.assign(
        row=frame["label"],
        stand_in=(source == "models") & (frame["source"] != frame["standin"]),
    )
    shown = frame["row"] + " [model stand-in: " + frame["standin"].astype(str) + "]"
    frame["label"] = frame["row"].where(~frame["stand_in"], shown)
    return frame.set_index("experiment", drop=False).rename_axis(None)


def read_sequences(sheet: pd.DataFrame, paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the per-sequence results of every experiment of `sheet`.

    Parameters
    ----------
    sheet : DataFrame
        From `sheet_frame`.
    paths : iterable of path-like
        Files ``{experiment}.parquet``; those of other experiments are left alone, several of one
        experiment, each with other policies, follow each other.

    Returns
    -------
    DataFrame
        Columns experiment, dialect, policy, piece, jobs, avebsld; an experiment whose log is not
        at hand has no rows.

    Raises
    ------
    ValueError
        The file of an experiment of the sheet is not among `paths`, or lacks a column.
    """
    files = {}
    for path in map(Path, paths):
        files.setdefault(path.stem, []).append(path)
    if absent := [name for name in sheet.index if name not in files]:
        raise ValueError(f"no result file for experiment {absent[0]!r} of the sheet")
    frames = []
    for path in [path for name in sheet.index for path in files[name]]:
        frame = read_parquet(path)
        if lacking := [column for column in SEQUENCE_COLUMNS if column not in frame]:
            raise ValueError(f"{path}: column {lacking[0]!r} is missing")
        frames.append(frame[SEQUENCE_COLUMNS])
    filled = [frame for frame in frames if len(frame)]
    if not filled:
        return pd.DataFrame(columns=SEQUENCE_COLUMNS)
    return pd.concat(filled, ignore_index=True)


def medians(sheet: pd.DataFrame, sequences: pd.DataFrame, own: Iterable[str] = ()) -> pd.DataFrame:
    """Median over the sequences of AVEbsld: Table 4 as numbers.

    Parameters
    ----------
    sheet : DataFrame
        From `sheet_frame`.
    sequences : DataFrame
        From `read_sequences`.
    own : iterable of str, optional
        Names of further policies, a reader's or learned, that get columns after the paper's.

    Returns
    -------
    DataFrame of float64
        One row per experiment of `sheet`, the eight columns of the paper; nan where the log is
        not at hand.

    References
    ----------
    carastan2017, section 4.2 and Table 4.
    """
    table = sequences.pivot_table(
        index="experiment", columns="policy", values="avebsld", aggfunc="median", observed=True
    )
    columns = [*POLICY_COLUMNS, *own]
    table = table.reindex(index=sheet.index, columns=columns).astype(float)
    return table.rename(columns=POLICY_COLUMNS).rename_axis(index=None, columns=None)


def table4(sheet: pd.DataFrame, values: pd.DataFrame) -> pd.DataFrame:
    """Table 4 under the paper's row texts; `values` as from `medians`.

    Cells of a row whose log is not at hand hold the text `NOT_AT_HAND`.
    """
    table = values.astype(object).where(values.notna(), NOT_AT_HAND)
    table.insert(0, "experiment", sheet["label"])
    return table.reset_index(drop=True)


def row_group(
    sheet: pd.DataFrame, sequences: pd.DataFrame, own: Iterable[str] = ()
) -> pd.DataFrame:
    """Table 4 of a row group that is ours, such as the generated workloads.

    As `table4`, with the columns dialect and sequences (how many the medians are over): its rows
    are of both dialects, and of ten and of a thousand sequences. `own` as for `medians`.
    """
    table = table4(sheet, medians(sheet, sequences, own))
    counts = sequences.groupby("experiment")["piece"].nunique()
    table.insert(1, "dialect", sheet["dialect"].to_numpy())
    table.insert(2, "sequences", counts.reindex(sheet.index, fill_value=0).to_numpy())
    return table


def table2(registry: Mapping) -> pd.DataFrame:
    """Table 2, the ad-hoc policies, from the registry that the experiments use.

    Parameters
    ----------
    registry : mapping of str to Policy
        ``schedlab.policies.REGISTRY``.
    """
    rows = [registry[name] for name in TABLE2_POLICIES]
    return pd.DataFrame(
        {
            "name": ["FCFS", "SPT", "WFP3", "UNICEF"],
            "function": [policy.expression for policy in rows],
        }
    )


def log_facts(name: str, log: SwfLog) -> dict:
    """One row of Table 5, measured on a raw log.

    Parameters
    ----------
    name : str
        Name of the log as the paper gives it.
    log : SwfLog
        The log as read; its header says the machine's size and when second 0 was.

    Returns
    -------
    dict
        log, year (of the first submission), cpus, jobs, utilisation (percent: processor seconds
        of all jobs with known run time and processors over machine size times the span from the
        first submission to the last end), duration (months from first to last submission).
        Values are `NOT_AT_HAND` when there are no jobs.
    """
    jobs = log.jobs
    if jobs.empty:
        return {"log": name} | dict.fromkeys(TABLE5_COLUMNS, NOT_AT_HAND)
    ran = jobs[(jobs["runtime"] > 0) & (jobs["procs"] > 0)]
    processors = log.header.integer("MaxProcs")
    first, last = jobs["submit"].min(), jobs["submit"].max()
    end = (ran["submit"] + ran["wait"].clip(lower=0) + ran["runtime"]).max()
    work = float(ran["runtime"] @ ran["procs"])
    return {
        "log": name,
        "year": pd.Timestamp(log.header.integer("UnixStartTime") + first, unit="s").year,
        "cpus": processors,
        "jobs": len(jobs),
        "utilisation": 100 * work / (processors * float(end - first)),
        "duration": float(last - first) / SECONDS_A_MONTH,
    }


def boxes(sheet: pd.DataFrame, sequences: pd.DataFrame, own: Iterable[str] = ()) -> pd.DataFrame:
    """Return what a boxplot figure draws: one row per experiment and policy.

    Parameters
    ----------
    sheet, sequences, own
        As for `medians`; one of `own` that was not run has no box.

    Returns
    -------
    DataFrame
        Columns experiment, panel (letter), title, dialect, policy (the paper's name), n, q1,
        median, q3, whisker_low, whisker_high (Tukey: the outermost values within 1.5 times the
        box's height), outliers and values (floats joined by ";"; values are in the order of the
        sequences). Experiments whose log is not at hand have one row with n = 0.
    """
    own = tuple(own)
    shown = POLICY_COLUMNS | {name: name for name in own}
    rows = []
    for name, experiment in sheet.iterrows():
        head = {
            "experiment": name,
            "panel": experiment["figure"][-1],
            "title": experiment["label"],
            "dialect": experiment["dialect"],
        }
        run = sequences[sequences["experiment"] == name].sort_values("piece")
        if run.empty:
            rows.append(head | {"policy": "", "n": 0})
        for policy, label in shown.items() if len(run) else ():
            values = run.loc[run["policy"] == policy, "avebsld"].to_numpy(dtype=float)
            if len(values) or policy not in own:
                rows.append(head | {"policy": label} | _box(values))
    return pd.DataFrame(rows)


def _box(values: np.ndarray) -> dict:
    """Quartiles, Tukey whiskers and outliers of `values`."""
    stats = boxplot_stats(values, whis=1.5)[0]
    return {
        "n": len(values),
        "q1": stats["q1"],
        "median": stats["med"],
        "q3": stats["q3"],
        "whisker_low": stats["whislo"],
        "whisker_high": stats["whishi"],
        "outliers": _joined(np.sort(stats["fliers"])),
        "values": _joined(values),
    }


def _joined(values: Iterable[float]) -> str:
    return ";".join(f"{value:.6f}" for value in values)
