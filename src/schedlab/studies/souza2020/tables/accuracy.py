"""Table 2 of souza2020: waits, their predictions, and the cost of errors."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.studies.souza2020.evidence import compare_means
from schedlab.studies.souza2020.rates import ASA
from schedlab.studies.souza2020.sheet import APART, PAPER, SERIES

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


def of_submissions(stages: pd.DataFrame, alternatives: Sequence[int]) -> pd.DataFrame:
    """Return the metrics of each submission of a workflow.

    `stages` are from `accuracy.run_series`; `alternatives` are the waits that can be predicted, in
    seconds, ascending. Columns:

    - spacing, workflow, scale, estimator, replicate, number.
    - WT and ASA WT: mean real and mean predicted wait of the stages on all cores at their first
      submission, in hours.
    - PWT and WT ahead: mean perceived and mean real wait of those of them that are submitted ahead,
      that is all except the first stage of a workflow; WT ahead less PWT: the difference; in hours.
    - hit, miss: percentage of the stages submitted ahead whose prediction does not exceed the wait,
      and percentage that has no hit and is resubmitted.
    - closest: percentage of the stages of hit for which no alternative is closer than the
      prediction (zero loss, equation 3). no hit possible: percentage of them that waits less than
      the least alternative.
    - OV: idle core-hours in all stages.

    If only the first stage is on all cores, hit, closest and no hit possible refer to it, and PWT,
    WT ahead and miss are nan. If a prediction exceeds the wait but the allocation still starts late
    enough, it is neither a hit nor a miss. If a prediction does not exceed the wait but the
    allocation idles because an earlier stage ends later than expected, it is a hit. Stages on one
    core hardly wait, so nearly every alternative exceeds their wait.
    """
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
    """Return Table 2 for each spacing: means over all submissions, with rates as configured.

    The argument is from `of_submissions`. Columns: spacing, run, submissions, and each of `SHOWN`
    with `` low`` and `` high``: the 95 % interval of the mean over replicates, whose submissions
    share a queue. The first three and OV also have `` sd``, the standard deviation over
    submissions.
    """
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

    `printed` has a row per run, `table` is from `table2`. Columns: run, column, published,
    computed, low, high, ratio, verdict, reason.
    """
    apart = table[table["spacing"] == APART]
    return compare_means(printed, apart, COLUMNS, pd.DataFrame())
