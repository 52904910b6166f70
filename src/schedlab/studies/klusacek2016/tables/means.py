"""Means over jobs and users of whole logs, and what the text says of them in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.report.comparison import ratio_of
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.studies.klusacek2016.measures import MEASURES, NAMES, ORIG, PLAN
from schedlab.studies.klusacek2016.sheet import PAPER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schedlab.studies.klusacek2016.evidence import Evidence

HOUR = 3600
#: measures whose interval over the seeds is shown
WITH_INTERVAL = ("wait", "slowdown", "utilisation", "nuwt", "complaints")
COLUMNS = ["experiment", "ran_on", "scheduler", "seeds"] + [
    column
    for measure in MEASURES
    for column in (
        (measure, f"{measure} low", f"{measure} high") if measure in WITH_INTERVAL else (measure,)
    )
]


def means(logs: Iterable[Evidence]) -> pd.DataFrame:
    """Return a row per experiment and scheduler.

    Returns
    -------
    DataFrame
        experiment (its label), ran_on, scheduler, seeds, and the mean over these of what
        `schedlab.studies.klusacek2016.measures.measures` has; of `WITH_INTERVAL` also the ends of
        the mean's 95 % interval over the seeds.
    """
    rows = []
    for one in logs:
        head = {"experiment": one.row["label"], "ran_on": one.row["source"]}
        if not len(one):
            rows.append(head | {"scheduler": NOT_AT_HAND, "seeds": 0})
            continue
        for scheduler, name in NAMES.items():
            own = one.measures[one.measures["scheduler"] == scheduler]
            row = head | {"scheduler": name, "seeds": len(own)}
            for measure in MEASURES:
                row[measure] = float(own[measure].mean())
                if measure in WITH_INTERVAL and len(own) > 1:
                    stream = generator(PAPER, "mean", one.row["experiment"], measure)
                    ends = mean_interval(own[measure].to_numpy(float), stream)
                    row[f"{measure} low"], row[f"{measure} high"] = ends
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def utilisation_gained(one: Evidence) -> float:
    """By how many points Plan-RS raises utilisation, in per cent of the machine; fig 1."""
    return 100 * (one.mean(PLAN, "utilisation") - one.mean(ORIG, "utilisation"))


def hours_gained(one: Evidence) -> float:
    """How many processor hours a day Plan-RS uses more; fig 1."""
    gained = one.mean(PLAN, "utilisation") - one.mean(ORIG, "utilisation")
    return gained * one.row["processors"] * 24


def processors_gained(one: Evidence) -> float:
    """How many processors more Plan-RS keeps busy; section 4.1."""
    return hours_gained(one) / 24


def long_jobs(one: Evidence) -> float:
    """Per cent of the jobs that ask for more than 4 hours; section 4.1."""
    return one.share(PLAN, lambda ran: ran.jobs["requested"] > 4 * HOUR)


def fair_users(one: Evidence) -> float:
    """Per cent of the users who waited less than they computed under Plan-RS; fig 3."""
    return one.share(PLAN, lambda ran: ran.nuwt < 1)


def mean_hours(one: Evidence) -> float:
    """Mean wait under Plan-RS in hours; section 4.3."""
    return one.mean(PLAN, "wait") / HOUR


def shorter_than_mean(one: Evidence) -> float:
    """Per cent of the jobs that wait less than the mean wait of Plan-RS, under it; section 4.3."""
    return one.share(PLAN, lambda ran: ran.wait < ran.wait.mean())


def shorter_under_orig(one: Evidence) -> float:
    """Per cent of the jobs that wait less than that mean under Orig-BF; section 4.3."""
    mean = one.mean(PLAN, "wait")
    return one.share(ORIG, lambda ran: ran.wait < mean)


def planned_within(seconds: float) -> Callable[[pd.DataFrame], float]:
    """Return the per cent of timed arrivals at which backfill and update take less; figure 5."""
    return lambda costs: 100 * float((costs["both"] < seconds * 1e6).mean())


#: what the text says in numbers, by where it is printed: on which experiment it is computed, of
#: "timed" on the times that planning took
TOLD: dict[str, tuple[str, Callable[[Any], float]]] = {
    "utilisation, increase (points)": ("recorded", utilisation_gained),
    "CPU hours a day, increase": ("recorded", hours_gained),
    "CPUs fully used more": ("recorded", processors_gained),
    "jobs that ask for more than 4 h (%)": ("recorded", long_jobs),
    "users with NUWT below 1 (%)": ("recorded", fair_users),
    "jobs planned in less than 0.2 s (%)": ("timed", planned_within(0.2)),
    "jobs planned in less than 1 s (%)": ("timed", planned_within(1)),
    "jobs planned in less than 2 s (%)": ("timed", planned_within(2)),
    "mean wait of Plan-RS (h)": ("reacting", mean_hours),
    "jobs that wait less than that (%)": ("reacting", shorter_than_mean),
    "jobs that wait less than that under Orig-BF (%)": ("reacting", shorter_under_orig),
}


def compare_text(
    printed: pd.DataFrame, recorded: Evidence, reacting: Evidence, costs: pd.DataFrame
) -> pd.DataFrame:
    """Compare what the text says of logs that are not available with another log.

    Parameters
    ----------
    printed : DataFrame
        A row per sentence, as in `TOLD`, the column value.
    recorded, reacting : Evidence
        Of the other log.
    costs : DataFrame
        From `schedlab.studies.klusacek2016.timing`, with the column both (µs): the times of its
        planning.

    Returns
    -------
    DataFrame
        what, ran_on, users, published, ours, ratio, verdict, reason.
    """
    of = {"recorded": recorded, "reacting": reacting, "timed": recorded}
    rows = []
    for what, value in printed["value"].items():
        users, measured = TOLD[what]
        one = of[users]
        ours = measured(costs if users == "timed" else one) if len(one) else np.nan
        rows.append(
            {
                "what": what,
                "ran_on": one.row["source"],
                "users": one.row["users"],
                "published": value,
                "ours": ours,
                "ratio": np.nan if np.isnan(ours) else ratio_of(value, ours),
                "verdict": NOT_AT_HAND,
                "reason": "",
            }
        )
    return pd.DataFrame(rows)
