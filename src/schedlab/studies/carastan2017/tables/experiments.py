"""Table 4 as data frames, in full precision: the experiments' results, and their medians."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.studies.carastan2017.names import POLICY_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable

SEQUENCE_COLUMNS = ["experiment", "dialect", "policy", "piece", "jobs", "avebsld"]


def sheet_frame(experiments: Iterable, source: str = "logs") -> pd.DataFrame:
    """Rows of the experiment sheet as a data frame, indexed by experiment.

    Parameters
    ----------
    experiments : iterable of schedlab.studies.carastan2017.sheet.Experiment
        Rows of the sheet, in its order.
    source : {"logs", "models"}
        What the experiments ran on. On models the label says so and `stand_in` is true, unless
        the model draws the very jobs that the paper used.

    Returns
    -------
    DataFrame
        The sheet's columns, `row` (the paper's row text), `label` (as it is to be shown) and
        `stand_in` (bool: a model ran in the place of what the paper used).
    """
    frame = pd.DataFrame([asdict(experiment) for experiment in experiments])
    frame = frame.assign(
        row=frame["label"],
        stand_in=(source == "models") & (frame["source"] != frame["standin"]) & ~frame["drawn"],
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
