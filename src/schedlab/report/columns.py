"""Comparison of published tables whose columns rank their rows with computed ones.

Some published columns were sorted without their row names, which are in the first column of the
table. Such numbers are compared with the row that owns them, and also column by column, both
sorted.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from schedlab.report.comparison import compare_table, order_of
from schedlab.report.verdicts import NOT_AVAILABLE, agrees, kendall

OWNER_COLUMNS = ["item", "column", "row", "owner"]
PRINTED, OWNED = "as printed", "by owner"


def read_owners(path: str | Path, item: str) -> pd.DataFrame:
    """Read which row owns each published number that appears in another row.

    Raises ValueError if the columns are not `OWNER_COLUMNS`, or the owners of a column are not the
    rows that contain its numbers.
    """
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != OWNER_COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {OWNER_COLUMNS}")
    for (name, column), group in frame.groupby(["item", "column"], sort=False):
        if sorted(group["row"]) != sorted(group["owner"]):
            raise ValueError(
                f"{path}: line {group.index[0] + 2}: {name}, {column}: a number of each row must "
                "be one owner's"
            )
    return frame[frame["item"] == item].reset_index(drop=True)


def read_ours(path: str | Path, index: str) -> pd.DataFrame:
    """Read a computed table; the column `index` names its rows."""
    table = pd.read_csv(path, keep_default_na=False, dtype={index: str})
    return table.set_index(index, drop=False)


def move_to_owners(published: pd.DataFrame, owners: pd.DataFrame) -> pd.DataFrame:
    """Return the published table with every number in the row that owns it."""
    table = published.copy()
    for column, group in owners.groupby("column"):
        table.loc[group["owner"], column] = published.loc[group["row"], column].to_numpy()
    return table


def why_missing(table: pd.DataFrame, published: pd.DataFrame) -> dict[str, str]:
    """Return why computed rows cannot be compared with the paper's, for such rows only.

    The computed table has the columns trace and ran_on; its index names the rows.
    """
    reasons = {row: "nothing to run" for row in published.index}
    for row in published.index.intersection(table.index):
        cells = table.loc[row]
        if cells["trace"] != cells["ran_on"]:
            reasons[row] = f"ran on the model {cells['ran_on']}, not on {cells['trace']}"
        elif not cells[list(published)].eq(NOT_AVAILABLE).any():
            del reasons[row]
    return reasons


def compare_columns(
    published: pd.DataFrame,
    owners: pd.DataFrame,
    computed: pd.DataFrame,
    missing: Mapping[str, str],
    reasons: pd.DataFrame,
    ordered: bool,
) -> pd.DataFrame:
    """Compare every published number with the computed one and give a verdict.

    `computed` has at least the rows and columns of `published`. If `ordered`, the rows are
    policies, which each column ranks; facts have no ranking.

    Columns: row (that owns the number), column, published, printed_as (the row in which the number
    appears, if it is another one), computed, ratio, kendall (of the column; nan for facts and if
    rows are missing), verdict and reason.
    """
    stands = owners.set_index(["owner", "column"])["row"]
    rows = compare_table(
        move_to_owners(published, owners),
        computed,
        reasons,
        ("row", "column"),
        missing=missing,
        lines="columns",
        ranked=ordered,
        more=lambda *place: {"printed_as": stands.get(place, "")},
    )
    return rows[[*rows.columns[:3], "printed_as", *rows.columns.drop("printed_as")[3:]]]


def rank_columns(
    published: pd.DataFrame,
    owners: pd.DataFrame,
    computed: pd.DataFrame,
    missing: Mapping[str, str],
) -> pd.DataFrame:
    """Compute the rank correlation of a table's rows with the published ones, column by column.

    Parameters are as for `compare_columns`; if any row is missing, nothing is ranked. The columns
    are:

    - column, kendall (tau-b), spearman.
    - printed: as printed, or by owner if a column was sorted without names.
    - equal: how many numbers match if both columns are sorted, ignoring names.
    - published_order, our_order: smallest number first.
    """
    by_owner, rows = move_to_owners(published, owners), []
    for column in published:
        ways = {PRINTED: published}
        if column in set(owners["column"]):
            ways[OWNED] = by_owner
        for name, table in ways.items():
            printed = table[column].astype(float)
            entry = {"column": column, "printed": name, "equal": pd.NA}
            entry |= {"kendall": np.nan, "spearman": np.nan}
            entry |= {"published_order": order_of(printed), "our_order": NOT_AVAILABLE}
            if not missing:
                values = computed.loc[printed.index, column].astype(float)
                entry["equal"] = sum(
                    map(agrees, table.loc[printed.sort_values().index, column], sorted(values))
                )
                entry["kendall"] = kendall(printed, values)
                entry["spearman"] = round(spearmanr(printed, values).statistic, 4)
                entry["our_order"] = order_of(values)
            rows.append(entry)
    return pd.DataFrame(rows)
