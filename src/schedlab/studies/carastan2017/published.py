"""Compare Table 4 with the published one: ratio, verdict and reason, rank correlation."""

from typing import Annotated

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from schedlab.report.comparison import compare_table, order_of, reasons_of
from schedlab.report.items import item
from schedlab.report.parts import Table
from schedlab.report.scoreboard import JOINT
from schedlab.report.verdicts import NOT_AVAILABLE, kendall
from schedlab.studies.carastan2017.inputs import Published4, Source, Table4Rows, Table4Runs
from schedlab.studies.carastan2017.names import POLICY_COLUMNS
from schedlab.studies.carastan2017.tables.table4 import medians, read_experiments


@item("table4_comparison", "table4_ranks", section="Table 4", rule="compare_table4")
def hold_table4(
    rows: Table4Rows,
    runs: Table4Runs,
    source: Source,
    published: Published4,
    reasons: Annotated[pd.DataFrame, reasons_of("table4")],
) -> dict[str, Table]:
    """Return the comparison in both dialects with its verdicts, and the rank correlations."""
    sheet, sequences = read_experiments(rows, runs, source)
    numbers = (published, sheet, medians(sheet, sequences))
    return {
        "table4_comparison": Table(compare_table4(*numbers, reasons), {"ratio": 4}),
        "table4_ranks": Table(rank_table4(*numbers), 4),
    }


def compare_table4(
    published: pd.DataFrame, sheet: pd.DataFrame, values: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every number of Table 4 with the computed one, in every dialect of the sheet.

    A row that ran on a model in place of the paper's data is never compared. User-defined rows are
    left out.
    """
    tables = []
    for name, experiment in _printed_rows(sheet, published).iterrows():
        row, dialect = experiment["row"], experiment["dialect"]
        computed = values.loc[[name]].set_axis([row])
        why = _why_missing(experiment, values.loc[name])
        table = compare_table(
            published.loc[[row], list(POLICY_COLUMNS.values())],
            computed,
            reasons,
            ("experiment", "policy"),
            dialect=dialect,
            missing={row: why} if why else {},
            ranked=True,
        )
        table.insert(1, "dialect", dialect)
        tables.append(table)
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _printed_rows(sheet: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    return sheet[sheet["row"].isin(published.index)]


def add_published(
    boxes: pd.DataFrame, sheet: pd.DataFrame, published: pd.DataFrame
) -> pd.DataFrame:
    """Add the median that Table 4 has for a box of `tables.boxes.boxes`, and its name.

    It is nan for a policy or row that the paper lacks, and for a row that ran on a model.
    """
    rows = _printed_rows(sheet, published)
    rows = rows.loc[~rows["stand_in"], "row"]
    medians = published[list(POLICY_COLUMNS.values())].astype(float).stack()
    keys = list(zip(boxes["experiment"].map(rows), boxes["policy"], strict=True))
    return boxes.assign(
        published=[medians.get(key, np.nan) for key in keys],
        number=[JOINT.join(("table4", *key)) if key in medians else "" for key in keys],
    )


def _why_missing(experiment: pd.Series, computed: pd.Series) -> str:
    """Return why a computed row cannot be compared with the published one; empty if it can."""
    if computed.isna().any():
        return f"{experiment['source']}: no sequences to run"
    if experiment["stand_in"]:
        return f"ran on the model {experiment['standin']}, not on {experiment['source']}"
    return ""


def rank_table4(published: pd.DataFrame, sheet: pd.DataFrame, values: pd.DataFrame) -> pd.DataFrame:
    """Return the rank correlation of the eight policies with the published row, in every dialect.

    The columns with orders have the best policy first.
    """
    rows = []
    for name, experiment in _printed_rows(sheet, published).iterrows():
        printed = published.loc[experiment["row"], list(POLICY_COLUMNS.values())].astype(float)
        computed = values.loc[name, printed.index]
        missing = bool(_why_missing(experiment, computed))
        rows.append(
            {
                "experiment": experiment["row"],
                "dialect": experiment["dialect"],
                "kendall": np.nan if missing else kendall(printed, computed),
                "spearman": np.nan if missing else round(spearmanr(printed, computed).statistic, 4),
                "published_order": order_of(printed),
                "our_order": NOT_AVAILABLE if missing else order_of(computed),
            }
        )
    return pd.DataFrame(rows)
