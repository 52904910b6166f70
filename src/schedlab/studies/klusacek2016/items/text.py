"""Compare the numbers that the text states with another log."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.tables.means import compare_text


def make(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    costs: str,
    published: str,
) -> dict[str, Table]:
    """Return one row per number; the rows are experiments with recorded and reacting users."""
    recorded, reacting = read_evidence(rows, jobs, starts)
    printed = read_published(published, "text")
    table = compare_text(printed, recorded, reacting, pd.read_csv(costs))
    return {"text": Table(table)}
