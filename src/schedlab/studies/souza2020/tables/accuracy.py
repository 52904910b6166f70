"""Table 2 of souza2020: waits, what was predicted of them, and what that cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.report.comparison import ratio_of
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.studies.souza2020.rates import ASA
from schedlab.studies.souza2020.sheet import APART, PAPER, SERIES

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = ["WT", "ASA WT", "PWT", "hit", "miss", "OV"]
HOUR = 3600
#: what the paper does not print: mean wait of the very stages of PWT, share of predictions that
#: the algorithm's own loss is 0 for, and of waits that every prediction exceeds
REAL, SAVED = "WT ahead", "WT ahead less PWT"
CLOSEST, BELOW = "closest", "no hit possible"
SHOWN = [*COLUMNS, REAL, SAVED, CLOSEST, BELOW]
#: what has no deviation over submissions: shares, and what is not shown
BARE = ("hit", "miss", REAL, SAVED, CLOSEST, BELOW)
#: columns of numbers, with the ends of their intervals
ENDED = [f"{column}{end}" for column in SHOWN for end in ("", " low", " high")]


def of_submissions(stages: pd.DataFrame, alternatives: Sequence[int]) -> pd.DataFrame:
    """Return what each submission of a workflow came to.

    Parameters
    ----------
    stages : DataFrame
        From `schedlab.studies.souza2020.accuracy.run_series`.
    alternatives : sequence of int
        What is predicted, in seconds, ascending.

    Returns
    -------
    DataFrame
        spacing, workflow, scale, estimator, replicate, number; WT and ASA WT: mean wait, and what
        was predicted, over the stages on all cores, first submissions; PWT and WT ahead: mean
        perceived and mean real wait of those of them that are submitted ahead, which the first of a
        workflow is not, all in hours; WT ahead less PWT: the difference of these two. hit, miss:
        per cent of these whose prediction did not exceed the wait, and of the others those
        submitted anew. closest: per cent of the stages of hit
        whose prediction no alternative was closer than (no loss, equation 3). no hit possible: of
        those that waited less than the least alternative. OV: core-hours that idled, in any stage.
        Where only the first stage is on all cores, hit, closest and no hit possible are its own,
        and PWT, WT ahead and miss are nan.

    Notes
    -----
    A prediction that exceeds the wait of an allocation that still came late enough is neither; one
    that does not, of an allocation that idled because a stage before it ended later than expected,
    is a hit. Stages on one core hardly wait, so that nearly every alternative exceeds their wait.
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
    found = frame.groupby(keys, sort=False).agg(
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
    found[SAVED] = found[REAL] - found["PWT"]
    return found.reset_index()


def table2(submissions: pd.DataFrame) -> pd.DataFrame:
    """Return Table 2 for each spacing: means over all submissions, with rates as configured.

    Parameters
    ----------
    submissions : DataFrame
        From `of_submissions`.

    Returns
    -------
    DataFrame
        spacing, run, submissions; each of `SHOWN`, with `` sd`` over submissions of the first three
        and OV, and `` low`` and `` high``: 95 % interval of the mean over replicates, whose
        submissions share a queue.
    """
    rows = []
    learned = submissions[submissions["estimator"] == ASA]
    for (spacing, workflow, scale), own in learned.groupby(SERIES[:-1], sort=False):
        row = {"spacing": spacing, "run": f"{workflow} {scale}", "submissions": len(own)}
        by_replicate = own.groupby("replicate")[SHOWN].mean()
        for column in SHOWN:
            row[column] = own[column].mean()
            if column not in BARE:
                row[f"{column} sd"] = own[column].std(ddof=0)
            stream = generator(PAPER, "table2", spacing, row["run"], column)
            ends = mean_interval(by_replicate[column].to_numpy(), stream)
            # of what no stage has nothing is said, not even of one replicate
            ends = (np.nan, np.nan) if np.isnan(row[column]) else ends
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
