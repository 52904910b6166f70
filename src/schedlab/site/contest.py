"""The arena on a site's windows, with what the site itself did beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.arena.measures import METRICS
from schedlab.arena.recorded import recorded as on_windows
from schedlab.arena.runs import run_contest
from schedlab.arena.schedulers import REFERENCE, SCHEDULERS
from schedlab.arena.standing import stand
from schedlab.arena.tables import metric_table
from schedlab.queue.dialect_cells import dialect_of
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from schedlab.arena.sheet import ContestSettings
    from schedlab.arena.standing import Standing

#: columns of `metric_beside` that hold a scheduler to what the site did
BESIDE = ["to record", "record low", "record high", "against record"]


def fight(
    settings: ContestSettings,
    frame: pd.DataFrame,
    learned: Mapping[str, str],
    own: Mapping[str, str],
    points: int,
    threads: int = 1,
    advance: Callable[[], object] | None = None,
    dialect: str = "full",
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run every scheduler on a site's windows; the log's own schedule stands beside them.

    Parameters
    ----------
    settings, learned, own, points, threads, advance
        As of `schedlab.arena.runs.run_contest`.
    frame : DataFrame
        Clean jobs with a column ``wait``, in s; negative where the log does not tell it.
    dialect : str
        A cell, see `schedlab.queue.dialect_cells`.

    Returns
    -------
    results : DataFrame
        As of `run_contest`; rows of the scheduler `RECORDED` are what the log has, of windows all
        of whose jobs have a known wait.
    facts : DataFrame
        As of `run_contest`.
    """
    results, facts = run_contest(
        settings, frame, learned, own, points, threads, advance, dialect_of(dialect)
    )
    rows = recorded(settings, frame)
    return (pd.concat([results, rows], ignore_index=True) if len(rows) else results), facts


def recorded(settings: ContestSettings, frame: pd.DataFrame) -> pd.DataFrame:
    """Measure what the log says of its own windows: `RECORDED`, none unless all waits are known."""
    rows = on_windows(settings, frame, frame.set_index("number")["wait"])
    return rows if rows["utilisation"].notna().all() else rows.iloc[:0]


def standings(results: pd.DataFrame) -> tuple[dict[str, Standing], dict[str, Standing] | None]:
    """Return how schedulers stand by each metric: against EASY, and against the record.

    Parameters
    ----------
    results : DataFrame
        From `fight`.

    Returns
    -------
    simulated : dict of str to Standing
        By metric, without the record: nobody can run that.
    beside : dict of str to Standing or None
        The same with the record as reference; None where there is none.
    """
    simulated = results[results["scheduler"] != RECORDED]
    against = {metric: stand(simulated, metric) for metric in METRICS}
    if len(simulated) == len(results):
        return against, None
    return against, {metric: stand(results, metric, RECORDED) for metric in METRICS}


def metric_beside(standing: Standing, beside: Standing | None, label: str) -> pd.DataFrame:
    """Return one metric: a row per scheduler with ratios to EASY and to the record.

    Parameters
    ----------
    standing, beside : Standing
        Of the metric, from `standings`.
    label : str
        What the log is called.

    Returns
    -------
    DataFrame
        As `schedlab.arena.tables.metric_table`, and where there is a record its row at the end,
        and `BESIDE`: ratio to it, its 95 % interval, and verdict.
    """
    table = metric_table(standing, {name: label for name in standing.means})
    if beside is None:
        return table
    names = {
        SCHEDULERS[name].label if name in SCHEDULERS else name: name for name in beside.ratios.index
    }
    found = beside.ratios.loc[[names[shown] for shown in table["scheduler"]]]
    columns = found[["ratio", "low", "high", "verdict"]].to_numpy()
    table[BESIDE] = columns
    easy = beside.ratios.loc[REFERENCE]
    row = {"scheduler": RECORDED, label: beside.means.loc[RECORDED].mean()}
    row |= {"ratio": 1 / easy["ratio"], "low": 1 / easy["high"], "high": 1 / easy["low"]}
    row |= dict.fromkeys([*BESIDE[:3], "chance", "rank"], np.nan)
    row |= {"against EASY": "", BESIDE[3]: ""}
    return pd.concat([table, pd.DataFrame([row])], ignore_index=True)[list(table)]
