"""Compare Plan-RS with Orig-BF in each of its job orders, on a whole log."""

from collections.abc import Iterable
from typing import Annotated

import pandas as pd

from schedlab.report.items import item
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016.evidence import Evidence, mean_change, read_evidence
from schedlab.studies.klusacek2016.inputs import Facts, results_of, rows_of
from schedlab.studies.klusacek2016.metrics import ORIG, PLAN

#: what is compared: mean wait in s, mean bounded slowdown, mean normalized user wait time
METRICS = ("wait", "slowdown", "nuwt")
COLUMNS = ["ran_on", "users", "mode", "queues", "seeds"] + [
    f"{measure} {part}"
    for measure in METRICS
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
            row = dict(zip(COLUMNS, _where(base), strict=False)) | {"queues": base.row["queues"]}
            if not (len(plan) and len(base)):
                rows.append(row | {"seeds": NOT_AVAILABLE})
                continue
            row["seeds"] = len(plan.runs[PLAN])
            for measure in METRICS:
                before, after = base.mean(ORIG, measure), plan.of(PLAN, measure).to_numpy()
                ends = mean_change(before, after, base.row["experiment"], measure)
                row |= {f"{measure} Orig-BF": before, f"{measure} Plan-RS": float(after.mean())}
                for part, value in zip(("change", "low", "high"), ends, strict=True):
                    row[f"{measure} {part}"] = value
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def _where(evidence: Evidence) -> tuple[str, str, str]:
    return evidence.row["source"], evidence.row["users"], evidence.row["mode"]
