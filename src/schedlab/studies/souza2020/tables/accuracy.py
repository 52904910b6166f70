"""Table 2 of souza2020: waits, their predictions, and the cost of errors."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.report.comparison import published_of
from schedlab.report.items import item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, compare_means
from schedlab.studies.souza2020.inputs import LARGE, Facts, Learning, Series, rows_of
from schedlab.studies.souza2020.sheet import APART, PAPER, SERIES
from schedlab.waits.backtest_predictors import ASA

COLUMNS = ["WT", "ASA WT", "PWT", "hit", "miss", "OV"]
HOUR = 3600
#: not in the paper: mean real wait of the stages behind PWT, and that wait minus PWT
REAL, SAVED = "WT ahead", "WT ahead less PWT"
#: not in the paper: share of predictions with zero loss, share of waits below all alternatives
CLOSEST, BELOW = "closest", "no hit possible"
SHOWN = [*COLUMNS, REAL, SAVED, CLOSEST, BELOW]
#: columns without a deviation over submissions
BARE = ("hit", "miss", REAL, SAVED, CLOSEST, BELOW)
#: numeric columns, each with the ends of its interval
ENDED = [f"{column}{end}" for column in SHOWN for end in ("", " low", " high")]


@item("table2", "table2_comparison", section="Table 2", **LARGE)
def make_series_tables(
    series: Series,
    published: Annotated[pd.DataFrame, published_of("table2")],
    learning: Learning,
    rows: Annotated[Facts, rows_of("table2")],
) -> dict[str, Table]:
    """Return Table 2, and its comparison with the published one."""
    table = table2(of_submissions(series, learning.alternatives))
    facts = {"on": background_of(rows)}
    return {
        "table2": Table(table, facts=facts),
        "table2_comparison": Table(compare(published, table)),
    }


def of_submissions(stages: pd.DataFrame, alternatives: Sequence[int]) -> pd.DataFrame:
    """Return the metrics of each submission; `alternatives` (s) are what is predicted."""
    keys = [*SERIES, "replicate", "number"]
    wide = stages["cores"] == stages["scale"]
    ahead = wide & stages.duplicated(keys)
    alone = ~ahead.groupby([stages[key] for key in keys]).transform("any")
    hit = stages["hit"].astype(bool)
    missed = (stages["resubmitted"] > 0) & ~hit
    hits = ahead | (wide & alone)
    waits = stages["wait"].to_numpy(np.int64)
    least = np.abs(np.asarray(alternatives)[:, None] - waits).min(axis=0)
    closest = (stages["estimate"] - stages["wait"]).abs() == least
    frame = stages.assign(
        WT=stages["wait"].where(wide) / HOUR,
        predicted=stages["estimate"].where(wide) / HOUR,
        PWT=stages["perceived"].where(ahead) / HOUR,
        real=stages["wait"].where(ahead) / HOUR,
        hits=hit.astype(float).where(hits) * 100,
        closest=closest.astype(float).where(hits) * 100,
        below=(stages["wait"] < min(alternatives)).astype(float).where(hits) * 100,
        misses=missed.astype(float).where(ahead) * 100,
        OV=stages["idle_core_seconds"] / HOUR,
    )
    metrics = frame.groupby(keys, sort=False).agg(
        **{
            "WT": ("WT", "mean"),
            "ASA WT": ("predicted", "mean"),
            "PWT": ("PWT", "mean"),
            "hit": ("hits", "mean"),
            "miss": ("misses", "mean"),
            "OV": ("OV", "sum"),
            REAL: ("real", "mean"),
            CLOSEST: ("closest", "mean"),
            BELOW: ("below", "mean"),
        }
    )
    metrics[SAVED] = metrics[REAL] - metrics["PWT"]
    return metrics.reset_index()


def table2(submissions: pd.DataFrame) -> pd.DataFrame:
    """Return Table 2 for each spacing: means over all submissions, with rates as configured."""
    rows = []
    learned = submissions[submissions["estimator"] == ASA]
    for (spacing, workflow, scale), series in learned.groupby(SERIES[:-1], sort=False):
        row = {"spacing": spacing, "run": f"{workflow} {scale}", "submissions": len(series)}
        by_replicate = series.groupby("replicate")[SHOWN].mean()
        for column in SHOWN:
            row[column] = series[column].mean()
            if column not in BARE:
                row[f"{column} sd"] = series[column].std(ddof=0)
            stream = generator(PAPER, "table2", spacing, row["run"], column)
            ends = mean_interval(by_replicate[column].to_numpy(), stream)
            # a column without any stage has no interval, also with a single replicate
            ends = (np.nan, np.nan) if np.isnan(row[column]) else ends
            row[f"{column} low"], row[f"{column} high"] = ends
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else ["spacing", "run", *ENDED])


def compare(printed: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Return published and computed Table 2, a minute apart; the queues differ: no verdicts.

    Columns: run, column, published, computed, low, high, ratio, verdict, reason.
    """
    apart = table[table["spacing"] == APART]
    return compare_means(printed, apart, COLUMNS, pd.DataFrame())
