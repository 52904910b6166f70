"""Table 2 of souza2020: waits, what was predicted of them, and what that cost."""

from __future__ import annotations

import numpy as np
import pandas as pd

from schedlab.intervals import mean_interval
from schedlab.papers.souza2020.sheet import PAPER
from schedlab.report.comparison import ratio_of
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.workloads.streams import generator

COLUMNS = ["WT", "ASA WT", "PWT", "hit", "miss", "OV"]
HOUR = 3600
#: columns of numbers, with the ends of their intervals
ENDED = [f"{column}{end}" for column in COLUMNS for end in ("", " low", " high")]
KEYS = ["spacing", "workflow", "scale"]
#: from one submission to the next, as in the paper, and over weeks
APART, SPREAD = "a minute apart", "over weeks"


def of_submissions(stages: pd.DataFrame) -> pd.DataFrame:
    """Return what each submission of a workflow came to.

    Parameters
    ----------
    stages : DataFrame
        From `schedlab.papers.souza2020.accuracy.run_series`.

    Returns
    -------
    DataFrame
        spacing, workflow, scale, replicate, number; WT and ASA WT: mean wait, and what was
        predicted, over the stages on all cores, first submissions; PWT: mean perceived wait of the
        stages after the first, all in hours. hit, miss: per cent of the stages after the first
        whose prediction did not exceed the wait, and of the others those submitted anew. OV: core-
        hours that idled.

    Notes
    -----
    A prediction that exceeds the wait of an allocation that still came late enough is neither; one
    that does not, of an allocation that idled because a stage before it ended later than expected,
    is a hit.
    """
    keys = [*KEYS, "replicate", "number"]
    first = ~stages.duplicated(keys)
    frame = stages.assign(
        missed=(stages["resubmitted"] > 0) & ~stages["hit"].astype(bool),
        WT=stages["wait"].where(stages["cores"] == stages["scale"]) / HOUR,
        predicted=stages["estimate"].where(stages["cores"] == stages["scale"]) / HOUR,
        PWT=stages["perceived"].mask(first) / HOUR,
        hits=stages["hit"].astype(float).mask(first) * 100,
        OV=stages["idle_core_seconds"] / HOUR,
    )
    frame["misses"] = frame["missed"].astype(float).mask(first) * 100
    found = frame.groupby(keys, sort=False).agg(
        **{
            "WT": ("WT", "mean"),
            "ASA WT": ("predicted", "mean"),
            "PWT": ("PWT", "mean"),
            "hit": ("hits", "mean"),
            "miss": ("misses", "mean"),
            "OV": ("OV", "sum"),
        }
    )
    return found.reset_index()


def table2(submissions: pd.DataFrame) -> pd.DataFrame:
    """Return Table 2 for each spacing: means over all submissions.

    Parameters
    ----------
    submissions : DataFrame
        From `of_submissions`.

    Returns
    -------
    DataFrame
        spacing, run, submissions; each of `COLUMNS`, with `` sd`` over submissions of the first
        three and OV, and `` low`` and `` high``: 95 % interval of the mean over replicates, whose
        submissions share a queue.
    """
    rows = []
    for (spacing, workflow, scale), own in submissions.groupby(KEYS, sort=False):
        row = {"spacing": spacing, "run": f"{workflow} {scale}", "submissions": len(own)}
        by_replicate = own.groupby("replicate")[COLUMNS].mean()
        for column in COLUMNS:
            row[column] = own[column].mean()
            if column not in ("hit", "miss"):
                row[f"{column} sd"] = own[column].std(ddof=0)
            stream = generator(PAPER, "table2", spacing, row["run"], column)
            ends = mean_interval(by_replicate[column].to_numpy(), stream)
            row[f"{column} low"], row[f"{column} high"] = ends
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else ["spacing", "run", *ENDED])


def compare(printed: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Put Table 2 beside ours, a minute apart; nothing of it is held against other queues.

    Parameters
    ----------
    printed : DataFrame of str
        A row per run.
    table : DataFrame
        From `table2`.

    Returns
    -------
    DataFrame
        run, column, published, ours, low, high, ratio, verdict, reason.
    """
    ours = table[table["spacing"] == APART].set_index("run").reindex(printed.index)
    rows = []
    for run in printed.index:
        for column in COLUMNS:
            value, mine = printed.loc[run, column], float(ours.loc[run, column])
            row = {"run": run, "column": column, "published": value, "ours": mine}
            row |= {end: float(ours.loc[run, f"{column} {end}"]) for end in ("low", "high")}
            ratio = np.nan if float(value) == 0 else ratio_of(value, mine)
            rows.append(row | {"ratio": ratio, "verdict": NOT_AT_HAND, "reason": ""})
    return pd.DataFrame(rows)
