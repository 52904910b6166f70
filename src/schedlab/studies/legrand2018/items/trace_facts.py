"""Table 1 of legrand2018: the traces by weeks."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import ran_on, trace_facts, within

NOTE = (
    "duration: months from first to last submission; avg_duration: mean run time in seconds; "
    "avg_size: mean processors. Includes the jobs that the experiments keep, in all weeks of the "
    "log's own clock except the first and the last."
)


def make(rows: Sequence[Mapping], jobs: Sequence[str]) -> dict[str, Table]:
    """Return the table of the traces of `rows`."""
    pairs = zip(rows, jobs, strict=True)
    facts = pd.DataFrame(
        trace_facts(PeriodExperiment(**row), within(read_parquet(path))) for row, path in pairs
    )
    return {"table1": Table(facts, f"Table 1: {ran_on(facts)}", NOTE, 1)}
