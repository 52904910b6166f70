"""Sentences of kellari2025's chapter 6, tested on resampled workloads."""

from collections.abc import Sequence

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.claims import check
from schedlab.studies.kellari2025.tables import chapter6

TITLE = "What the thesis says, tested"
NOTE = (
    "printed: whether the sentence follows from the thesis's own tables, where they can tell; "
    "computed and many: whether it does from the smaller and the larger number of workloads. "
    "Workloads are resampled, all schedulers together: a sentence holds if it is true of the "
    "workloads and of at least 97.5 % of the resamples, fails if it is false and true of at "
    "most 2.5 %, and is undecided otherwise; found: over the smaller number."
)


def make(
    table6: Sequence[str], orderings: Sequence[str], example: str, printed: str
) -> dict[str, Table]:
    """Return the table of claims."""
    ten, many = chapter6.read_runs(table6), chapter6.read_runs(orderings)
    kept = read_parquet(example)
    kept = kept[kept["scheduler"] == "Popularity"]
    table = check(published.read_table6(printed), ten, many, kept)
    on = chapter6.run_on(ten, many["workload"].nunique())
    return {"claims": Table(table, TITLE, f"{on} {NOTE}", 3)}
