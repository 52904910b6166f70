"""Write a log's schedules under EASY, the recommended and the best schedulers as a page."""

from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.runs import columns_of, expressions_in
from schedlab.comparison.settings import ContestSettings
from schedlab.files.io import read_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.arena.schedules import write_schedules


def show(
    jobs: str,
    metrics: str,
    facts: str,
    choice: str,
    settings: Mapping,
    own: Mapping[str, str],
    label: str,
    html: str,
    learned: str | None = None,
) -> None:
    """Write the page of a log; `choice` is the table of survivors, with the recommended one."""
    row = ContestSettings(**settings)
    survivors = pd.read_csv(choice)
    recommended = survivors.loc[survivors["place"] == 1, "name"]
    write_schedules(
        html,
        row,
        read_parquet(jobs, columns=columns_of(row, own)),
        read_parquet(metrics),
        next(iter(recommended), ""),
        expressions_in(learned) if learned else {},
        read_parquet(facts)["weights"].iloc[0],
        own,
        label,
    )


if __name__ == "__main__":
    run_script(show, snakemake)  # noqa: F821
