"""Means over jobs and users of whole logs, Plan-RS in other orders, and numbers of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import numpy as np
import pandas as pd

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.report.comparison import not_compared, published_of, ratio_of
from schedlab.report.items import From, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016.evidence import (
    METRICS,
    NAMES,
    ORIG,
    PLAN,
    Evidence,
    mean_change,
    read_evidence,
)
from schedlab.studies.klusacek2016.inputs import (
    Facts,
    NodeJobs,
    NodeRows,
    NodeStarts,
    results_of,
    rows_of,
)
from schedlab.studies.klusacek2016.sheet import PAPER

HOUR = 3600
#: metrics whose interval over the seeds is shown
WITH_INTERVAL = ("wait", "slowdown", "utilisation", "nuwt", "complaints")
COLUMNS = ["experiment", "ran_on", "scheduler", "seeds"] + [
    column
    for measure in METRICS
    for column in (
        (measure, f"{measure} low", f"{measure} high") if measure in WITH_INTERVAL else (measure,)
    )
]


@item(
    "means", lambda study: ["own"] if study.of_item("own") else [],
    section="Whole logs", rule="make_plans_means", apart=True,
)  # fmt: skip
def make_means(
    rows: Annotated[Facts, rows_of()],
    jobs: Annotated[list[str], results_of("jobs")],
    starts: Annotated[list[str], results_of("starts")],
) -> Table:
    """Return the means over whole logs, or over your experiments."""
    return Table(means(read_evidence(rows, jobs, starts)), 3)


@item("text", section="Whole logs", rule="compare_plans_text")
def make_text(
    rows: NodeRows,
    jobs: NodeJobs,
    starts: NodeStarts,
    costs: Annotated[pd.DataFrame, From(lambda study, _: study.shown("fig5.csv"), pd.read_csv)],
    published: Annotated[pd.DataFrame, published_of("text")],
) -> Table:
    """Return one row per number; the rows are experiments with recorded and reacting users."""
    recorded, reacting = read_evidence(rows, jobs, starts)
    return Table(compare_text(published, recorded, reacting, costs))


def means(logs: Iterable[Evidence]) -> pd.DataFrame:
    """Return the means of all metrics, one row per experiment and scheduler."""
    rows = []
    for evidence in logs:
        head = {"experiment": evidence.row["label"], "ran_on": evidence.row["source"]}
        if not len(evidence):
            rows.append(head | {"scheduler": NOT_AVAILABLE, "seeds": 0})
            continue
        for scheduler, name in NAMES.items():
            scheduler_metrics = evidence.metrics[evidence.metrics["scheduler"] == scheduler]
            row = head | {"scheduler": name, "seeds": len(scheduler_metrics)}
            for measure in METRICS:
                row[measure] = float(scheduler_metrics[measure].mean())
                if measure in WITH_INTERVAL and len(scheduler_metrics) > 1:
                    stream = generator(PAPER, "mean", evidence.row["experiment"], measure)
                    ends = mean_interval(scheduler_metrics[measure].to_numpy(float), stream)
                    row[f"{measure} low"], row[f"{measure} high"] = ends
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def utilisation_gained(evidence: Evidence) -> float:
    """Return by how much Plan-RS raises utilization."""
    return evidence.mean(PLAN, "utilisation") - evidence.mean(ORIG, "utilisation")


def processors_gained(evidence: Evidence) -> float:
    """Return how many more processors Plan-RS keeps busy."""
    return utilisation_gained(evidence) * evidence.row["processors"]


def shorter_under_orig(evidence: Evidence) -> float:
    """Return the percentage of jobs under Orig-BF with less than the mean wait of Plan-RS."""
    mean = evidence.mean(PLAN, "wait")
    return evidence.share(ORIG, lambda ran: ran.wait < mean)


def planned_within(seconds: float) -> Callable[[pd.DataFrame], float]:
    """Return a function for the percentage of arrivals with faster planning; figure 5."""
    return lambda costs: 100 * float((costs["both"] < seconds * 1e6).mean())


#: numbers that the text states, by description: the experiment that each is computed on ("timed":
#: the measured planning times), and the function that computes it
NUMBERS: dict[str, tuple[str, Callable[[Any], float]]] = {
    "utilisation, increase (points)": ("recorded", lambda one: 100 * utilisation_gained(one)),
    "CPU hours a day, increase": ("recorded", lambda one: 24 * processors_gained(one)),
    "CPUs fully used more": ("recorded", processors_gained),
    "jobs that ask for more than 4 h (%)": (
        "recorded", lambda one: one.share(PLAN, lambda ran: ran.jobs["requested"] > 4 * HOUR)),
    "users with NUWT below 1 (%)": (
        "recorded", lambda one: one.share(PLAN, lambda ran: ran.nuwt < 1)),
    "jobs planned in less than 0.2 s (%)": ("timed", planned_within(0.2)),
    "jobs planned in less than 1 s (%)": ("timed", planned_within(1)),
    "jobs planned in less than 2 s (%)": ("timed", planned_within(2)),
    "mean wait of Plan-RS (h)": ("reacting", lambda one: one.mean(PLAN, "wait") / HOUR),
    "jobs that wait less than that (%)": (
        "reacting", lambda one: one.share(PLAN, lambda ran: ran.wait < ran.wait.mean())),
    "jobs that wait less than that under Orig-BF (%)": ("reacting", shorter_under_orig),
}  # fmt: skip


def compare_text(
    printed: pd.DataFrame, recorded: Evidence, reacting: Evidence, costs: pd.DataFrame
) -> pd.DataFrame:
    """Compare numbers that the text states of unavailable logs with another log."""
    of = {"recorded": recorded, "reacting": reacting, "timed": recorded}
    rows = []
    for what, value in printed["value"].items():
        users, measured = NUMBERS[what]
        evidence = of[users]
        computed = measured(costs if users == "timed" else evidence) if len(evidence) else np.nan
        rows.append(
            {
                "what": what,
                "ran_on": evidence.row["source"],
                "users": evidence.row["users"],
                "published": value,
                "computed": computed,
            }
            | not_compared(ratio=np.nan if np.isnan(computed) else ratio_of(value, computed))
        )
    return pd.DataFrame(rows)


#: what is compared: mean wait in s, mean bounded slowdown, mean normalized user wait time
COMPARED = ("wait", "slowdown", "nuwt")
BASELINES = ["ran_on", "users", "mode", "queues", "seeds"] + [
    f"{measure} {part}"
    for measure in COMPARED
    for part in ("Orig-BF", "Plan-RS", "change", "low", "high")
]


@item("baselines", section="Whole logs", rule="make_plans_baselines")
def make_baselines(
    plans: Annotated[Facts, rows_of("means")],
    plan_jobs: Annotated[list[str], results_of("jobs", "means")],
    plan_starts: Annotated[list[str], results_of("starts", "means")],
    others: Annotated[Facts, rows_of("baselines")],
    other_jobs: Annotated[list[str], results_of("jobs", "baselines")],
    other_starts: Annotated[list[str], results_of("starts", "baselines")],
) -> Table:
    """Compare Plan-RS with each baseline."""
    runs = read_evidence(plans, plan_jobs, plan_starts)
    return Table(baselines(runs, read_evidence(others, other_jobs, other_starts)), 4)


def baselines(plans: Iterable[Evidence], baseline_runs: Iterable[Evidence]) -> pd.DataFrame:
    """Return the comparison, one row per experiment and order of Orig-BF."""
    baseline_runs, rows = list(baseline_runs), []
    for plan in plans:
        same = [other for other in baseline_runs if _where(other) == _where(plan)]
        for base in [plan, *same]:
            row = dict(zip(BASELINES, _where(base), strict=False)) | {"queues": base.row["queues"]}
            if not (len(plan) and len(base)):
                rows.append(row | {"seeds": NOT_AVAILABLE})
                continue
            row["seeds"] = len(plan.runs[PLAN])
            for measure in COMPARED:
                before, after = base.mean(ORIG, measure), plan.of(PLAN, measure).to_numpy()
                ends = mean_change(before, after, base.row["experiment"], measure)
                row |= {f"{measure} Orig-BF": before, f"{measure} Plan-RS": float(after.mean())}
                for part, value in zip(("change", "low", "high"), ends, strict=True):
                    row[f"{measure} {part}"] = value
            rows.append(row)
    return pd.DataFrame(rows, columns=BASELINES)


def _where(evidence: Evidence) -> tuple[str, str, str]:
    return evidence.row["source"], evidence.row["users"], evidence.row["mode"]
