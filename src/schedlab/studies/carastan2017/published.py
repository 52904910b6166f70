"""Table 4 beside the published one: ratio, verdict and reason, rank correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from schedlab.report.comparison import order_of, ratio_of, read_published, reason_for
from schedlab.report.verdicts import (
    MATCH,
    NOT_AT_HAND,
    agrees,
    kendall,
    same_order,
    verdict_of,
)
from schedlab.studies.carastan2017.names import POLICY_COLUMNS
from schedlab.studies.carastan2017.tables.experiments import medians, read_sequences, sheet_frame

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def read_table4(
    published: str | Path, experiments: Iterable, simulations: Iterable[str | Path], source: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read what `compare_table4` and `rank_table4` hold against each other.

    Parameters
    ----------
    published : path-like
        As for `read_published`.
    experiments : iterable of schedlab.studies.carastan2017.sheet.Experiment
        Rows of the sheet of the items table4 and table4_full.
    simulations : iterable of path-like
        As for `schedlab.studies.carastan2017.tables.experiments.read_sequences`.
    source : {"logs", "models"}
        What the experiments ran on.

    Returns
    -------
    published, sheet, values : DataFrame
        The arguments of these names.
    """
    sheet = sheet_frame(experiments, source)
    values = medians(sheet, read_sequences(sheet, simulations))
    return read_published(published, "table4"), sheet, values


def compare_table4(
    published: pd.DataFrame, sheet: pd.DataFrame, values: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Every number of Table 4 beside ours, in every dialect of the sheet.

    Parameters
    ----------
    published : DataFrame of str
        From `read_published`.
    sheet : DataFrame
        From `schedlab.studies.carastan2017.tables.experiments.sheet_frame`: the rows of the
        items table4 and table4_full.
    values : DataFrame
        From `schedlab.studies.carastan2017.tables.experiments.medians`.
    reasons : DataFrame
        From `read_reasons`.

    Returns
    -------
    DataFrame
        Columns experiment, dialect, policy, published, ours, ratio (ours over published),
        kendall (of the row's policies), verdict, reason. What ran on a model in the place of the
        paper's own data is never held against the printed number. Rows that the paper does not
        have, a reader's own, are not compared.
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
    holds = same_order(printed[ours.index], ours)
    tau = np.nan if missing else kendall(printed[ours.index], ours)
    numbers = []
    for policy in POLICY_COLUMNS.values():
        verdict, reason = NOT_AT_HAND, missing
        if not missing:
            verdict = verdict_of(agrees(printed[policy], ours[policy]), holds)
            known = (reasons, dialect, row, policy, printed[policy], ours[policy])
            reason = reason_for(*known) if verdict != MATCH else ""
        numbers.append(
            {
                "experiment": row,
                "dialect": dialect,
                "policy": policy,
                "published": printed[policy],
                "ours": ours[policy],
                "ratio": np.nan if missing else ratio_of(printed[policy], ours[policy]),
                "kendall": tau,
                "verdict": verdict,
                "reason": reason,
            }
        )
    return numbers


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
                "kendall": np.nan if missing else kendall(printed, ours),
                "spearman": np.nan if missing else round(spearmanr(printed, ours).statistic, 4),
                "published_order": order_of(printed),
                "our_order": NOT_AT_HAND if missing else order_of(ours),
            }
        )
    return pd.DataFrame(rows)
