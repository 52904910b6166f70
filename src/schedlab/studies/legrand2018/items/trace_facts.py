"""Table 1 of legrand2018: the traces by weeks."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.report.words import listed_workloads
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import trace_facts, within


def make(rows: Sequence[Mapping], jobs: Sequence[str]) -> dict[str, Table]:
    """Return the table of the traces of `rows`."""
    experiments = [PeriodExperiment(**row) for row in rows]
    facts = pd.DataFrame(
        trace_facts(experiment, within(read_parquet(path)))
        for experiment, path in zip(experiments, jobs, strict=True)
    )
    traces = listed_workloads(experiment.name for experiment in experiments)
    return {"table1": Table(facts, 1, {"traces": traces})}
