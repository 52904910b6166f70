"""Test the claims of kellari2025's chapter 6 on resampled workloads."""

from collections.abc import Sequence

from schedlab.files.io import read_parquet
from schedlab.report.claims import read_claims
from schedlab.report.parts import Table
from schedlab.studies.kellari2025 import published, statistics
from schedlab.studies.kellari2025.tables import chapter6


def make(
    table6: Sequence[str], orderings: Sequence[str], example: str, printed: str, claims: str
) -> dict[str, Table]:
    """Return the table of claims."""
    ten, many = chapter6.read_runs(table6), chapter6.read_runs(orderings)
    jobs = read_parquet(example)
    jobs = jobs[jobs["scheduler"] == "Popularity"]
    sentences = read_claims(claims, statistics)
    table = statistics.check_claims(sentences, published.read_table6(printed), ten, many, jobs)
    on = chapter6.run_on(ten, many["workload"].nunique())
    return {"claims": Table(table, 3, {"on": on})}
