"""Published tables whose columns rank their rows, beside ours.

Some printed numbers stand in the wrong row: under a threshold FCFS cannot be another than without.
They are marked as suspect with the row they seem to be exchanged with, and their column is compared
both ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from schedlab.report.comparison import ANY, order_of, ratio_of, reason_for
from schedlab.report.verdicts import (
    MATCH,
    NOT_AT_HAND,
    agrees,
    kendall,
    same_order,
    verdict_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SUSPECT_COLUMNS = ["item", "column", "row", "exchanged_with", "why"]
PRINTED, EXCHANGED = "as printed", "exchanged"


def read_suspects(path: str | Path, item: str) -> pd.DataFrame:
    """Read which printed numbers of a table seem to stand in each other's rows.

    Raises
    ------
    ValueError
        The columns are not `SUSPECT_COLUMNS`.
    """
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != SUSPECT_COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {SUSPECT_COLUMNS}")
    return frame[frame["item"] == item].reset_index(drop=True)


def read_ours(path: str | Path, index: str) -> pd.DataFrame:
    """Read a table of ours, its rows named by the column `index`."""
    table = pd.read_csv(path, keep_default_na=False, dtype={index: str})
    return table.set_index(index, drop=False)


def exchange(published: pd.DataFrame, suspects: pd.DataFrame) -> pd.DataFrame:
    """Return the printed table with its suspect numbers in each other's rows.

    Parameters
    ----------
    published : DataFrame of str
        From `schedlab.report.comparison.read_published`.
    suspects : DataFrame
        From `read_suspects`.
    """
    table = published.copy()
    for suspect in suspects.itertuples():
        one, other = [suspect.row, suspect.exchanged_with], [suspect.exchanged_with, suspect.row]
        table.loc[one, suspect.column] = published.loc[other, suspect.column].to_numpy()
    return table


def why_missing(table: pd.DataFrame, published: pd.DataFrame) -> dict[str, str]:
    """Say why rows of ours cannot be held against the paper's; nothing of those that can.

    Parameters
    ----------
    table : DataFrame
        Ours, with the columns trace and ran_on; its index names the rows.
    published : DataFrame of str
        From `schedlab.report.comparison.read_published`.
    """
    reasons = {row: "nothing to run" for row in published.index}
    for row in published.index.intersection(table.index):
        own = table.loc[row]
        if own["trace"] != own["ran_on"]:
            reasons[row] = f"ran on the model {own['ran_on']}, not on {own['trace']}"
        elif not own[list(published)].eq(NOT_AT_HAND).any():
            del reasons[row]
    return reasons


def compare_columns(
    published: pd.DataFrame,
    suspects: pd.DataFrame,
    ours: pd.DataFrame,
    missing: Mapping[str, str],
    reasons: pd.DataFrame,
    ordered: bool,
) -> pd.DataFrame:
    """Every printed number beside ours, with a verdict.

    Parameters
    ----------
    published : DataFrame of str
        From `schedlab.report.comparison.read_published`.
    suspects : DataFrame
        From `read_suspects`.
    ours : DataFrame
        Our numbers, with rows and columns of these names and perhaps others.
    missing : mapping of row to str
        From `why_missing`.
    reasons : DataFrame
        From `schedlab.report.comparison.read_reasons`.
    ordered : bool
        Whether the rows are policies, which each column ranks; facts have no order to hold.

    Returns
    -------
    DataFrame
        Columns row, column, published, ours, ratio, kendall (of the column; nan of facts and
        where rows are missing), verdict, reason, exchanged and verdict_exchanged; the last two are
        for columns with suspect numbers, with these in each other's rows.
    """
    other = exchange(published, suspects)
    rows = []
    for column in published:
        compared = [row for row in published.index if row not in missing]
        values = ours.loc[compared, column].astype(float) if compared else pd.Series(dtype=float)
        ranked = ordered and len(compared) == len(published)
        holds, holds_exchanged = (
            ranked and same_order(table[column], values) for table in (published, other)
        )
        tau = kendall(published[column], values) if ranked else np.nan
        suspect = column in set(suspects["column"])
        for row, printed in published[column].items():
            entry = {"row": row, "column": column, "published": printed}
            if why := missing.get(row):
                entry |= {"ours": ours.at[row, column] if row in ours.index else NOT_AT_HAND}
                entry |= dict.fromkeys(("ratio", "kendall"), np.nan)
                entry |= {"verdict": NOT_AT_HAND, "reason": why}
                rows.append(entry | {"exchanged": "", "verdict_exchanged": ""})
                continue
            value = float(values[row])
            verdict = verdict_of(agrees(printed, value), holds)
            entry |= {
                "ours": ours.at[row, column],
                "ratio": ratio_of(printed, value),
                "kendall": tau,
                "verdict": verdict,
            }
            known = (reasons, ANY, row, column, printed, value)
            entry["reason"] = reason_for(*known) if verdict != MATCH else ""
            swapped = other.at[row, column]
            entry["exchanged"] = swapped if swapped != printed else ""
            entry["verdict_exchanged"] = (
                verdict_of(agrees(swapped, value), holds_exchanged) if suspect else ""
            )
            rows.append(entry)
    return pd.DataFrame(rows)


def rank_columns(
    published: pd.DataFrame, suspects: pd.DataFrame, ours: pd.DataFrame, missing: Mapping[str, str]
) -> pd.DataFrame:
    """Rank correlation of a table's rows with the printed ones, column by column.

    Parameters
    ----------
    published, suspects, ours
        As for `compare_columns`.
    missing : mapping of row to str
        From `why_missing`; with any row missing nothing is ranked.

    Returns
    -------
    DataFrame
        Columns column, printed (as printed, or exchanged where numbers are suspect), kendall
        (tau-b), spearman, published_order, our_order (smallest number first).
    """
    ways = [(PRINTED, published, list(published))]
    ways.append((EXCHANGED, exchange(published, suspects), list(suspects["column"].unique())))
    rows = []
    for column in published:
        for name, table, columns in ways:
            if column not in columns:
                continue
            printed = table[column].astype(float)
            entry = {"column": column, "printed": name, "kendall": np.nan, "spearman": np.nan}
            entry |= {"published_order": order_of(printed), "our_order": NOT_AT_HAND}
            if not missing:
                values = ours.loc[printed.index, column].astype(float)
                entry["kendall"] = kendall(printed, values)
                entry["spearman"] = round(spearmanr(printed, values).statistic, 4)
                entry["our_order"] = order_of(values)
            rows.append(entry)
    return pd.DataFrame(rows)
