"""Sentences of kellari2025's chapter 6, tested on resampled workloads."""

from collections.abc import Sequence

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.claims import check
from schedlab.studies.kellari2025.tables import chapter6


def make(
    table6: Sequence[str], orderings: Sequence[str], example: str, printed: str
) -> dict[str, Table]:
    """Return the table of claims."""
    ten, many = chapter6.read_runs(table6), chapter6.read_runs(orderings)
    example_jobs = read_parquet(example)
    example_jobs = example_jobs[example_jobs["scheduler"] == "Popularity"]
    table = check(published.read_table6(printed), ten, many, example_jobs)
    on = chapter6.run_on(ten, many["workload"].nunique())
    return {"claims": Table(table, 3, {"on": on})}
