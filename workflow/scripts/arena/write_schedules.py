"""Write the schedules of logs under EASY, the recommended and the best schedulers as pages."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.comparison.runs import columns_of, expressions_in
from schedlab.comparison.settings import ContestSettings
from schedlab.files.io import read_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.studies.arena.schedules import write_schedules


def show(
    jobs: Sequence[str],
    metrics: Sequence[str],
    facts: Sequence[str],
    tables: Sequence[str | None],
    choice: str,
    settings: Sequence[Mapping],
    own: Mapping[str, str],
    labels: Sequence[str],
    html: Sequence[str],
) -> None:
    """Write a page for each log; `choice` is the table of survivors, with the recommended one."""
    survivors = pd.read_csv(choice)
    recommended = next(iter(survivors.loc[survivors["place"] == 1, "name"]), "")
    with counted("logs", len(html)) as advance:
        for place, path in enumerate(html):
            row = ContestSettings(**settings[place])
            learned = tables[place]
            write_schedules(
                path,
                row,
                read_parquet(jobs[place], columns=columns_of(row, own)),
                read_parquet(metrics[place]),
                recommended,
                expressions_in(learned) if learned else {},
                read_parquet(facts[place])["weights"].iloc[0],
                own,
                labels[place],
            )
            advance()


if __name__ == "__main__":
    run_script(show, snakemake)  # noqa: F821
