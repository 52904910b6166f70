"""What the page of carastan2017 makes of its tables: Table 4 beside the printed one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.papers.carastan2017.names import LEARNED_COLUMNS, POLICY_COLUMNS
from schedlab.report.verdicts import MATCH, NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Mapping

AD_HOC = ["FCFS", "WFP", "UNI", "SPT"]
LEARNED = ["F4", "F3", "F2", "F1"]


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Make what the page shows of Table 4.

    Parameters
    ----------
    tables : mapping of item to DataFrame
        Every cell the text that stands in the .csv: table4, table4_full, table4_comparison,
        table4_ranks, table4_learned, table4_learned_full, table4_learned_ranks.

    Returns
    -------
    dict
        policies and all_policies (names, without and with L1 to L4), rank_columns (headings of the
        latter and of the ratio), not_equal (dicts of text: numbers of Table 4 in the artefact
        dialect that were run and are not equal to the printed ones), table4 and table4_full (from
        `table4_rows`), learned and learned_full (from `learned_rows`), advantage, ranks (a dict
        per row of Table 4, with one per dialect in it), learned_ranks and learned_medians (dicts
        of text, of the rows and over them).
    """
    texts = tables["table4_comparison"]
    compared = texts.assign(ours=pd.to_numeric(texts["ours"]), ratio=pd.to_numeric(texts["ratio"]))
    unequal = (texts["dialect"] == "artefact") & ~texts["verdict"].isin([MATCH, NOT_AT_HAND])
    everyone = [*POLICY_COLUMNS.values(), *LEARNED_COLUMNS]
    ranks = tables["table4_learned_ranks"]
    over_rows = ranks["best_F"] == ""
    return {
        "policies": list(POLICY_COLUMNS.values()),
        "all_policies": everyone,
        "rank_columns": {name: name for name in [*everyone, "ratio"]},
        "not_equal": texts[unequal].to_dict("records"),
        "table4": table4_rows(tables["table4"], compared, "artefact"),
        "table4_full": table4_rows(tables["table4_full"], compared, "full"),
        "learned": learned_rows(tables["table4_learned"]),
        "learned_full": learned_rows(tables["table4_learned_full"]),
        "advantage": advantage(compared),
        "ranks": _rank_rows(tables["table4_ranks"]),
        "learned_ranks": ranks[~over_rows].to_dict("records"),
        "learned_medians": ranks[over_rows].to_dict("records"),
    }


def table4_rows(table: pd.DataFrame, compared: pd.DataFrame, dialect: str) -> list[dict]:
    """Rows of Table 4 in one dialect, with the printed number and the verdict in every cell.

    Returns
    -------
    list of dict
        label, missing (bool: nothing was run), comparable (bool: and not on a stand-in), cells
        (dicts: policy, ours, published, verdict, reason, best).
    """
    own = compared[compared["dialect"] == dialect]
    groups = [group for _, group in own.groupby("experiment", sort=False)]
    rows = []
    for label, group in zip(table["experiment"], groups, strict=True):
        best = group["ours"].min()
        rows.append(
            {
                "label": label,
                "missing": bool(group["ours"].isna().all()),
                "comparable": bool((group["verdict"] != NOT_AT_HAND).all()),
                "cells": [
                    cell | {"best": cell["ours"] == best} for cell in group.to_dict("records")
                ],
            }
        )
    return rows


def learned_rows(table: pd.DataFrame) -> list[dict]:
    """Rows of Table 4 with the learned policies.

    Returns
    -------
    list of dict
        label, cells (dicts: text as in the .csv, best: the lowest median of the row).
    """
    rows = []
    for row in table.set_index("experiment").itertuples():
        label, *texts = row
        numbers = pd.to_numeric(pd.Series(texts), errors="coerce")
        best = (numbers == numbers.min()).tolist()
        cells = [{"text": text, "best": one} for text, one in zip(texts, best, strict=True)]
        rows.append({"label": label, "cells": cells})
    return rows


def advantage(compared: pd.DataFrame) -> dict:
    """By how much the best of F1-F4 beats the best ad-hoc policy, row by row.

    Returns
    -------
    dict
        rows (dicts: experiment, published, artefact, full: median of the best ad-hoc policy over
        that of the best of F1-F4, nan where nothing was run), regimes (dicts: regime and the
        median over its rows for published, artefact, full) and widest (for drawing).
    """
    rows = []
    for experiment, group in compared.groupby("experiment", sort=False):
        row = {"experiment": experiment, "regime": experiment.rsplit(", ", 1)[1]}
        for dialect, numbers in group.groupby("dialect"):
            numbers = numbers.set_index("policy")
            row["published"] = _gain(numbers["published"].astype(float))
            row[dialect] = _gain(numbers["ours"])
        rows.append(row)
    gains = pd.DataFrame(rows).set_index("experiment")
    # A regime's three numbers are over the same rows: those that were run.
    regimes = gains.dropna().groupby("regime", sort=False).median()
    return {
        "rows": rows,
        "regimes": regimes.reset_index().to_dict("records"),
        "widest": np.nanmax(gains.drop(columns="regime").to_numpy()),
    }


def _gain(medians: pd.Series) -> float:
    return float(medians[AD_HOC].min() / medians[LEARNED].min())


def _rank_rows(ranks: pd.DataFrame) -> list[dict]:
    """One row per row of Table 4, the dialects beside each other."""
    rows = []
    for experiment, group in ranks.groupby("experiment", sort=False):
        row = {"experiment": experiment, "published_order": group["published_order"].iloc[0]}
        rows.append(row | {entry["dialect"]: entry for entry in group.to_dict("records")})
    return rows
