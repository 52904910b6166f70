"""Make the table that compares Plan-RS with Orig-BF in each of its job orders."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.tables.baselines import baselines


def make(
    plans: Sequence[Mapping],
    plan_jobs: Sequence[str],
    plan_starts: Sequence[str],
    others: Sequence[Mapping],
    other_jobs: Sequence[str],
    other_starts: Sequence[str],
) -> dict[str, Table]:
    """Return the table, one row per experiment and order."""
    runs = read_evidence(plans, plan_jobs, plan_starts)
    table = baselines(runs, read_evidence(others, other_jobs, other_starts))
    return {"baselines": Table(table, 4)}
