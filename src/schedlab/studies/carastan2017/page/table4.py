"""Table 4 beside the printed one: what the page makes of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.report.claims import Outcome
from schedlab.report.verdicts import MATCH, NOT_AT_HAND
from schedlab.studies.carastan2017.names import (
    AD_HOC,
    LEARNED,
    LEARNED_COLUMNS,
    POLICY_COLUMNS,
    REGIMES,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


# A window that takes more than this of what a ratio is above 1 makes most of it.
MOST = 0.5


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Make what the page shows of Table 4.

    Parameters
    ----------
    tables : mapping of item to DataFrame
        Every cell the text that stands in the .csv: table4, table4_full, table4_comparison,
        table4_ranks, table4_learned, table4_learned_full, table4_learned_ranks, claims.

    Returns
    -------
    dict
        policies and all_policies (names, without and with L1 to L4), rank_columns (headings of the
        latter and of the ratio), held (bool: whether any number of Table 4 in the artefact dialect
        was held against the printed one), not_equal (dicts of text: those of them that do not
        match), claims_said (how many of the paper's sentences hold), table4 and table4_full (from
        `table4_rows`), learned and learned_full (from `learned_rows`), advantage, ranks (a dict
        per row of Table 4, with one per dialect in it), learned_ranks and learned_medians (dicts
        of text, of the rows and over them).
    """
    texts = tables["table4_comparison"]
    compared = texts.assign(ours=pd.to_numeric(texts["ours"]), ratio=pd.to_numeric(texts["ratio"]))
    held = (texts["dialect"] == "artefact") & (texts["verdict"] != NOT_AT_HAND)
    unequal = held & (texts["verdict"] != MATCH)
    everyone = [*POLICY_COLUMNS.values(), *LEARNED_COLUMNS]
    labels = labels_of_rows(tables["table4"], compared)
    ranks = tables["table4_learned_ranks"]
    over_rows = ranks["best_F"] == ""
    return {
        "policies": list(POLICY_COLUMNS.values()),
        "all_policies": everyone,
        "rank_columns": {name: name for name in [*everyone, "ratio"]},
        "held": bool(held.any()),
        "claims_said": claims_said(tables["claims"]),
        "not_equal": texts[unequal].to_dict("records"),
        "table4": table4_rows(tables["table4"], compared, "artefact"),
        "table4_full": table4_rows(tables["table4_full"], compared, "full"),
        "learned": learned_rows(tables["table4_learned"]),
        "learned_full": learned_rows(tables["table4_learned_full"]),
        "advantage": advantage(compared, labels),
        "ranks": _rank_rows(tables["table4_ranks"], labels),
        "learned_ranks": ranks[~over_rows].to_dict("records"),
        "learned_medians": ranks[over_rows].to_dict("records"),
    }


def labels_of_rows(table: pd.DataFrame, compared: pd.DataFrame) -> dict[str, str]:
    """Return the label of every row of Table 4 by the paper's row text.

    Parameters
    ----------
    table : DataFrame
        Table 4 in the artefact dialect: the label of a row that ran on a stand-in names the model.
    compared : DataFrame
        ``table4_comparison``, which has the paper's row texts in the same order.
    """
    rows = compared.loc[compared["dialect"] == "artefact", "experiment"].unique()
    return dict(zip(rows, table["experiment"], strict=True))


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


def advantage(compared: pd.DataFrame, labels: Mapping[str, str] | None = None) -> dict:
    """By how much the best of F1-F4 beats the best ad-hoc policy, row by row.

    Parameters
    ----------
    compared : DataFrame
        ``table4_comparison`` with numbers as numbers.
    labels : mapping of str to str, optional
        From `labels_of_rows`; the paper's row texts by default.

    Returns
    -------
    dict
        rows (dicts: label, published, artefact, full: median of the best ad-hoc policy over that
        of the best of F1-F4, nan if nothing was run; published also if a stand-in ran, with which
        nothing is compared), regimes (dicts: regime, over how many rows, the median over these for
        published, artefact and full, and said, from `window_sentence`; only rows that ran on the
        paper's data count) and widest (for drawing).
    """
    rows = []
    for experiment, group in compared.groupby("experiment", sort=False):
        row = {"experiment": experiment, "regime": experiment.rsplit(", ", 1)[1]}
        alone = (group["verdict"] != NOT_AT_HAND).all() or group["ours"].isna().all()
        for dialect, numbers in group.groupby("dialect"):
            numbers = numbers.set_index("policy")
            row["published"] = _gain(numbers["published"].astype(float)) if alone else np.nan
            row[dialect] = _gain(numbers["ours"])
        rows.append(row)
    gains = pd.DataFrame(rows).set_index("experiment")
    # A regime's three numbers are over the same rows.
    groups = gains.dropna().groupby("regime", sort=False)
    regimes = [
        {"regime": regime, "over": len(own), **own.drop(columns="regime").median()}
        for regime, own in groups
    ]
    labels = labels or {}
    widest = gains.drop(columns="regime").to_numpy()
    return {
        "rows": [row | {"label": labels.get(row["experiment"], row["experiment"])} for row in rows],
        "regimes": [regime | {"said": window_sentence(regime)} for regime in regimes],
        "widest": np.nanmax(widest) if np.isfinite(widest).any() else np.nan,
    }


def window_sentence(regime: Mapping) -> str:
    """Say how much of the printed distance is left when the policy sees the whole queue.

    Parameters
    ----------
    regime : mapping
        regime, over, published, full: as of `advantage`. Most of the distance comes from the
        window when more than half of what the printed ratio is above 1 goes with it.

    Examples
    --------
    >>> regime = {"regime": "actual runtimes r", "over": 1, "published": 3, "full": 1.5}
    >>> window_sentence(regime).split(": ")[1]
    'most of the printed distance comes from the window.'
    """
    printed, full = regime["published"], regime["full"]
    share = (printed - full) / (printed - 1) if printed > 1 else np.nan
    if share > MOST:
        words = "most of the printed distance comes from the window"
    elif share > 0:
        words = "less than half of the printed distance comes from the window"
    else:
        words = "the printed distance does not come from the window"
    return (
        f"{REGIMES[regime['regime']]} × {times(printed)} as printed and × {times(full)} with the "
        f"whole queue in sight (median of {regime['over']} experiments): {words}."
    )


def claims_said(claims: pd.DataFrame) -> str:
    """Say how many of the paper's sentences hold in print, in either dialect, of those tested."""
    words = {
        "printed": "follow from the paper’s own table",
        "artefact": "hold in the artefact dialect",
        "full": "hold in the full one",
    }
    parts = []
    for column, said in words.items():
        tested = claims[column].isin(list(Outcome)).sum()
        open_ = (claims[column] == Outcome.UNDECIDED).sum()
        if tested:
            rest = f" ({open_} undecided)" if open_ else ""
            parts.append(f"{(claims[column] == Outcome.HOLDS).sum()} of {tested} {said}{rest}")
    return f"Of what the paper says of Table 4 in words, {', '.join(parts)}." if parts else ""


def times(value: float) -> str:
    """Three digits of a ratio."""
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}"


def _gain(medians: pd.Series) -> float:
    return float(medians[list(AD_HOC)].min() / medians[list(LEARNED)].min())


def _rank_rows(ranks: pd.DataFrame, labels: Mapping[str, str]) -> list[dict]:
    """One row per row of Table 4 under its label, with an entry for each dialect."""
    rows = []
    for experiment, group in ranks.groupby("experiment", sort=False):
        order = group["published_order"].iloc[0]
        row = {"label": labels[experiment], "published_order": order}
        rows.append(row | {entry["dialect"]: entry for entry in group.to_dict("records")})
    return rows
