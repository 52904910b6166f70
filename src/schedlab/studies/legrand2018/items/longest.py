"""Table 7 of legrand2018: the jobs of a trace with the longest run times."""

from collections.abc import Mapping

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import longest
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf


def make(row: Mapping, jobs: str, ledger: str | None = None) -> dict[str, Table]:
    """Return the table; `jobs` is a log, or a model's workload if there is no ledger."""
    experiment = PeriodExperiment(**row)
    log = read_parquet(jobs) if ledger is None else read_swf(unaltered(jobs)).jobs
    changes = read_parquet(ledger) if ledger else pd.DataFrame(columns=[*LEDGER_DTYPES])
    table = longest(experiment, log, changes)
    return {"table7": Table(table, facts={"trace": experiment.name})}
