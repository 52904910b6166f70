"""Tables 4 and 5 beside the published ones: ratio, verdict and reason, rank correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from schedlab.papers.carastan2017.tables.experiments import (
    POLICY_COLUMNS,
    medians,
    read_sequences,
    sheet_frame,
)
from schedlab.report.comparison import (
    DIFFERS,
    MATCH,
    agrees,
    order_of,
    ratio_of,
    read_published,
    reason_for,
    same_order,
    verdict_of,
)
from schedlab.report.tables import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
# The items of the sheet whose rows are held against Table 4, one a dialect.
TABLE4_ITEMS = ("table4", "table4_full")


def read_table4(
    published: str | Path, experiments: Iterable, simulations: Iterable[str | Path], source: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read what `compare_table4` and `rank_table4` hold against each other.

    Parameters
    ----------
    published : path-like
        As for `read_published`.
    experiments : iterable of schedlab.papers.carastan2017.sheet.Experiment
        Rows of the sheet of the items table4 and table4_full.
    simulations : iterable of path-like
        As for `schedlab.papers.carastan2017.tables.experiments.read_sequences`.
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
        From `schedlab.papers.carastan2017.tables.experiments.sheet_frame`: the rows of the
        items table4 and table4_full.
    values : DataFrame
        From `schedlab.papers.carastan2017.tables.experiments.medians`.
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
        Rows from `schedlab.papers.carastan2017.tables.experiments.log_facts`.
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
