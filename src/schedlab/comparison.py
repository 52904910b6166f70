"""Published numbers beside ours: ratio, verdict and reason, and rank correlation of policies."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, rankdata, spearmanr

from schedlab.tables import (
    NOT_AT_HAND,
    POLICY_COLUMNS,
    medians,
    read_sequences,
    sheet_frame,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MATCH = "match"
ORDERING_HOLDS = "ordering holds"
DIFFERS = "differs"
VERDICTS = (MATCH, ORDERING_HOLDS, DIFFERS, NOT_AT_HAND)
UNEXPLAINED = "unexplained"

PUBLISHED_COLUMNS = ["item", "row", "column", "value", "where"]
REASON_COLUMNS = ["item", "dialect", "row", "column", "reason"]
ANY = "*"
# The items of the sheet whose rows are held against Table 4, one a dialect.
TABLE4_ITEMS = ("table4", "table4_full")


def read_published(path: str | Path, item: str) -> pd.DataFrame:
    """Read the printed numbers of one table or figure.

    Parameters
    ----------
    path : path-like
        TSV with the columns item, row, column, value, where; values keep their printed digits.
    item : str
        Such as ``table4``.

    Returns
    -------
    DataFrame of str
        One row per row of the item, one column per column of the item, both in printed order.

    Raises
    ------
    ValueError
        A column is missing, the item has no rows, or a number stands there twice.
    """
    frame = _read_tsv(path, PUBLISHED_COLUMNS)
    frame = frame[frame["item"] == item]
    if frame.empty:
        raise ValueError(f"{path}: no numbers of item {item!r}")
    if (again := frame[frame.duplicated(["row", "column"])]).size:
        raise ValueError(f"{path}: line {again.index[0] + 2}: {item} has this number already")
    table = frame.pivot(index="row", columns="column", values="value")
    table = table.reindex(index=frame["row"].unique(), columns=frame["column"].unique())
    return table.rename_axis(index=None, columns=None)


def read_reasons(path: str | Path, item: str) -> pd.DataFrame:
    """Read why numbers of `item` differ: columns dialect, row, column (``*`` = any), reason."""
    frame = _read_tsv(path, REASON_COLUMNS)
    return frame[frame["item"] == item].reset_index(drop=True)


def read_table4(
    published: str | Path, experiments: Iterable, simulations: Iterable[str | Path], source: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read what `compare_table4` and `rank_table4` hold against each other.

    Parameters
    ----------
    published : path-like
        As for `read_published`.
    experiments : iterable of schedlab.experiments.Experiment
        Rows of the sheet; those of other items than table4 and table4_full are left alone.
    simulations : iterable of path-like
        As for `schedlab.tables.read_sequences`.
    source : {"logs", "models"}
        What the experiments ran on.

    Returns
    -------
    published, sheet, values : DataFrame
        The arguments of these names.
    """
    sheet = sheet_frame(experiments, TABLE4_ITEMS, source)
    values = medians(sheet, read_sequences(sheet, simulations))
    return read_published(published, "table4"), sheet, values


def _read_tsv(path: str | Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != columns:
        raise ValueError(f"{path}: line 1: columns must be {columns}, are {list(frame.columns)}")
    return frame


def reason_for(reasons: pd.DataFrame, dialect: str, row: str, column: str) -> str:
    """First reason that names this dialect, row and column, else `UNEXPLAINED`."""
    for entry in reasons.itertuples(index=False):
        wanted = ((entry.dialect, dialect), (entry.row, row), (entry.column, column))
        if all(pattern in (ANY, given) for pattern, given in wanted):
            return entry.reason
    return UNEXPLAINED


def truncate(value: float, decimals: int) -> Decimal:
    """Cut `value` to `decimals` digits after the point, without rounding.

    The value is first rounded to nine decimals, so that a sum that falls short of a whole number
    only by floating point is not cut to the digit below.

    Examples
    --------
    >>> truncate(3630.6678, 2)
    Decimal('3630.66')
    """
    step = Decimal(1).scaleb(-decimals)
    return Decimal(f"{value:.9f}").quantize(step, rounding=ROUND_DOWN)


def agrees(printed: str, ours: float, slack: int = 1) -> bool:
    """Whether `ours`, cut to the printed digits, is within `slack` units of the last of them.

    Table 4 is printed cut in its first two rows and rounded in the others; one unit of slack
    covers both.

    Examples
    --------
    >>> agrees("3630.66", 3630.6678)
    True
    >>> agrees("17.32", 16.24)
    False
    """
    published = Decimal(printed)
    decimals = -published.as_tuple().exponent
    unit = Decimal(1).scaleb(-decimals)
    return abs(truncate(ours, decimals) - published) <= slack * unit


def same_order(published: pd.Series, ours: pd.Series) -> bool:
    """Whether two rows rank the policies alike."""
    return bool(np.array_equal(rankdata(published.astype(float)), rankdata(ours.astype(float))))


def compare_table4(
    published: pd.DataFrame, sheet: pd.DataFrame, values: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Every number of Table 4 beside ours, in every dialect of the sheet.

    Parameters
    ----------
    published : DataFrame of str
        From `read_published`.
    sheet : DataFrame
        From `schedlab.tables.sheet_frame`: the rows of the items table4 and table4_full.
    values : DataFrame
        From `schedlab.tables.medians`.
    reasons : DataFrame
        From `read_reasons`.

    Returns
    -------
    DataFrame
        Columns experiment, dialect, policy, published, ours, ratio (ours over published),
        verdict (one of `VERDICTS`), reason. ``match``: equal to the printed digit, one unit of
        the last allowed. ``ordering holds``: not equal, but the row ranks the policies as the
        printed row does. ``differs``: neither. What ran on a model in the place of the paper's
        own data is never held against the printed number. Rows that the paper does not have, a
        reader's own, are not compared.
    """
    rows = []
    for name, experiment in _printed_rows(sheet, published).iterrows():
        printed = published.loc[experiment["row"]]
        rows += _compare_row(experiment, printed, values.loc[name], reasons)
    return pd.DataFrame(rows)


def _printed_rows(sheet: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Leave out the rows that the paper does not have, a reader's own."""
    return sheet[sheet["row"].isin(published.index)]


def _compare_row(
    experiment: pd.Series, printed: pd.Series, ours: pd.Series, reasons: pd.DataFrame
) -> list[dict]:
    row, dialect = experiment["row"], experiment["dialect"]
    missing = _why_missing(experiment, ours)
    holds = not missing and same_order(printed[ours.index], ours)
    numbers = []
    for policy in POLICY_COLUMNS.values():
        verdict, reason = NOT_AT_HAND, missing
        if not missing:
            verdict = verdict_of(agrees(printed[policy], ours[policy]), holds)
            reason = reason_for(reasons, dialect, row, policy) if verdict != MATCH else ""
        numbers.append(
            {
                "experiment": row,
                "dialect": dialect,
                "policy": policy,
                "published": printed[policy],
                "ours": ours[policy],
                "ratio": np.nan if missing else ratio_of(printed[policy], ours[policy]),
                "verdict": verdict,
                "reason": reason,
            }
        )
    return numbers


def ratio_of(printed: str, ours: float) -> float:
    """Return ours over the printed number, to four digits after the point."""
    return round(ours / float(printed), 4)


def verdict_of(equal: bool, holds: bool) -> str:
    """Return the verdict on a number: whether it is equal, and whether its row's order holds."""
    if equal:
        return MATCH
    return ORDERING_HOLDS if holds else DIFFERS


def _why_missing(experiment: pd.Series, ours: pd.Series) -> str:
    """Why a row of ours cannot be held against the printed one; empty when it can."""
    if ours.isna().any():
        return f"{experiment['source']}: no sequences to run"
    if experiment["stand_in"]:
        return f"ran on the model {experiment['standin']}, not on {experiment['source']}"
    return ""


def rank_table4(published: pd.DataFrame, sheet: pd.DataFrame, values: pd.DataFrame) -> pd.DataFrame:
    """Rank correlation of the eight policies with the printed row, in every dialect.

    Returns
    -------
    DataFrame
        Columns experiment, dialect, kendall (tau-b), spearman, published_order, our_order (best
        policy first). Where the log is not at hand, or a model stood in, the correlations are nan
        and our_order says `NOT_AT_HAND`.
    """
    rows = []
    for name, experiment in _printed_rows(sheet, published).iterrows():
        printed = published.loc[experiment["row"], list(POLICY_COLUMNS.values())].astype(float)
        ours = values.loc[name, printed.index]
        missing = bool(_why_missing(experiment, ours))
        rows.append(
            {
                "experiment": experiment["row"],
                "dialect": experiment["dialect"],
                "kendall": np.nan if missing else round(kendalltau(printed, ours).statistic, 4),
                "spearman": np.nan if missing else round(spearmanr(printed, ours).statistic, 4),
                "published_order": order_of(printed),
                "our_order": NOT_AT_HAND if missing else order_of(ours),
            }
        )
    return pd.DataFrame(rows)


def order_of(row: pd.Series) -> str:
    """Name what a row or column holds, from the smallest number to the largest."""
    return " ".join(row.sort_values(kind="stable").index)


# Table 5: identities must be equal; measured numbers may be one off in the last printed digit.
TABLE5_SLACK = {"year": 0, "cpus": 0, "jobs": 0, "utilisation": 1, "duration": 1}


def compare_table5(
    published: pd.DataFrame, facts: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Every number of Table 5 beside what the logs say.

    Parameters
    ----------
    published : DataFrame of str
        From `read_published`.
    facts : DataFrame
        Rows from `schedlab.tables.log_facts`.
    reasons : DataFrame
        From `read_reasons`.

    Returns
    -------
    DataFrame
        Columns log, column, published, ours, ratio, verdict, reason.
    """
    rows = []
    for fact in facts.to_dict("records"):
        for column, slack in TABLE5_SLACK.items():
            printed, ours = published.at[fact["log"], column], fact[column]
            entry = {"log": fact["log"], "column": column, "published": printed, "ours": ours}
            if ours == NOT_AT_HAND:
                rows.append(entry | {"ratio": np.nan, "verdict": NOT_AT_HAND, "reason": ""})
                continue
            equal = agrees(printed, float(ours), slack)
            reason = "" if equal else reason_for(reasons, "", fact["log"], column)
            entry |= {"ratio": ratio_of(printed, float(ours))}
            rows.append(entry | {"verdict": MATCH if equal else DIFFERS, "reason": reason})
    return pd.DataFrame(rows)
