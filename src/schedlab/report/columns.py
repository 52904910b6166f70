"""Published tables whose columns rank their rows, beside ours.

Some columns were sorted without the names of their rows, which are those of the table's first
column. Their numbers are held against those that they are of, and column against column, sorted.
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

OWNER_COLUMNS = ["item", "column", "row", "owner"]
PRINTED, OWNED = "as printed", "by owner"


def read_owners(path: str | Path, item: str) -> pd.DataFrame:
    """Read whose the printed numbers of a table are where they stand in another's row.

    Raises
    ------
    ValueError
        The columns are not `OWNER_COLUMNS`, or the owners of a column are not the rows that their
        numbers stand in.
    """
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != OWNER_COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {OWNER_COLUMNS}")
    for (name, column), own in frame.groupby(["item", "column"], sort=False):
        if sorted(own["row"]) != sorted(own["owner"]):
            raise ValueError(
                f"{path}: line {own.index[0] + 2}: {name}, {column}: a number of each row must be "
                "one owner's"
            )
    return frame[frame["item"] == item].reset_index(drop=True)


def read_ours(path: str | Path, index: str) -> pd.DataFrame:
    """Read a table of ours, its rows named by the column `index`."""
    table = pd.read_csv(path, keep_default_na=False, dtype={index: str})
    return table.set_index(index, drop=False)


def owned(published: pd.DataFrame, owners: pd.DataFrame) -> pd.DataFrame:
    """Return the printed table with every number in its owner's row.

    Parameters
    ----------
    published : DataFrame of str
        From `schedlab.report.comparison.read_published`.
    owners : DataFrame
        From `read_owners`.
    """
    table = published.copy()
    for column, own in owners.groupby("column"):
        table.loc[own["owner"], column] = published.loc[own["row"], column].to_numpy()
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
    owners: pd.DataFrame,
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
    owners : DataFrame
        From `read_owners`.
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
        Columns row (whose the number is), column, published, printed_as (the row that it stands in,
        where that is another's), ours, ratio, kendall (of the column; nan of facts and where rows
        are missing), verdict and reason.
    """
    table = owned(published, owners)
    stands = owners.set_index(["owner", "column"])["row"]
    rows = []
    for column in table:
        compared = [row for row in table.index if row not in missing]
        values = ours.loc[compared, column].astype(float) if compared else pd.Series(dtype=float)
        ranked = ordered and len(compared) == len(table)
        holds = ranked and same_order(table[column], values)
        tau = kendall(table[column], values) if ranked else np.nan
        for row, printed in table[column].items():
            entry = {"row": row, "column": column, "published": printed}
            entry["printed_as"] = stands.get((row, column), "")
            if why := missing.get(row):
                entry |= {"ours": ours.at[row, column] if row in ours.index else NOT_AT_HAND}
                entry |= dict.fromkeys(("ratio", "kendall"), np.nan)
                rows.append(entry | {"verdict": NOT_AT_HAND, "reason": why})
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
            rows.append(entry)
    return pd.DataFrame(rows)


def rank_columns(
    published: pd.DataFrame, owners: pd.DataFrame, ours: pd.DataFrame, missing: Mapping[str, str]
) -> pd.DataFrame:
    """Rank correlation of a table's rows with the printed ones, column by column.

    Parameters
    ----------
    published, owners, ours
        As for `compare_columns`.
    missing : mapping of row to str
        From `why_missing`; with any row missing nothing is ranked.

    Returns
    -------
    DataFrame
        Columns column, printed (as printed, or by owner where a column was sorted without names),
        equal (how many numbers match, column against column, each sorted: names aside), kendall
        (tau-b), spearman, published_order, our_order (smallest number first).
    """
    by_owner, rows = owned(published, owners), []
    for column in published:
        ways = {PRINTED: published}
        if column in set(owners["column"]):
            ways[OWNED] = by_owner
        for name, table in ways.items():
            printed = table[column].astype(float)
            entry = {"column": column, "printed": name, "equal": pd.NA}
            entry |= {"kendall": np.nan, "spearman": np.nan}
            entry |= {"published_order": order_of(printed), "our_order": NOT_AT_HAND}
            if not missing:
                values = ours.loc[printed.index, column].astype(float)
                entry["equal"] = sum(
                    map(agrees, table.loc[printed.sort_values().index, column], sorted(values))
                )
                entry["kendall"] = kendall(printed, values)
                entry["spearman"] = round(spearmanr(printed, values).statistic, 4)
                entry["our_order"] = order_of(values)
            rows.append(entry)
    return pd.DataFrame(rows)
