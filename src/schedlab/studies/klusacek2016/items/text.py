"""What the text says in numbers, compared with another log."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.comparison import read_published
from schedlab.report.items import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.tables.means import compare_text

NOTE = "The paper's logs are not available; ran_on: the log that ran."


def make(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    costs: str,
    published: str,
) -> dict[str, Table]:
    """Return a row per number; the experiments are with recorded users and users that react."""
    recorded, reacting = read_evidence(rows, jobs, starts)
    printed = read_published(published, "text")
    table = compare_text(printed, recorded, reacting, pd.read_csv(costs))
    return {"text": Table(table, "Numbers of the text", NOTE)}
