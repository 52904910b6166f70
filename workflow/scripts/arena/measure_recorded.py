"""Compute the metrics of the logs' recorded schedules on the windows of the arena."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.comparison.recorded_schedule import recorded
from schedlab.comparison.runs import results_of
from schedlab.comparison.settings import ContestSettings
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf


def record(
    jobs: Sequence[str], raw: Sequence[str], settings: Sequence[Mapping], metrics: str
) -> None:
    """Write a row per log and window; `raw` are the logs as fetched, in order of `jobs`."""
    tables = [
        recorded(
            ContestSettings(**row),
            read_parquet(clean),
            read_swf(unaltered(log)).jobs.set_index("number")["wait"],
        )
        for clean, log, row in zip(jobs, raw, settings, strict=True)
    ]
    write_parquet(pd.concat([results_of([]), *tables], ignore_index=True), metrics)


if __name__ == "__main__":
    run_script(record, snakemake)  # noqa: F821
