"""Write the schedules of logs under EASY, the recommended and the best schedulers as pages."""

import json
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.comparison.runs import columns_of, expressions_in
from schedlab.comparison.settings import ContestSettings
from schedlab.files.io import columns_in, read_parquet, write_text
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
    shown: str,
) -> None:
    """Write a page for each log, and which schedulers each shows, as JSON by label.

    `choice` is the table of survivors, with the recommended one.
    """
    schedulers = {}
    survivors = pd.read_csv(choice)
    recommended = next(iter(survivors.loc[survivors["place"] == 1, "name"]), "")
    rows = zip(html, settings, jobs, metrics, facts, tables, labels, strict=True)
    with counted("logs", len(html)) as advance:
        for path, row, clean, results, log_facts, learned, label in rows:
            contest = ContestSettings(**row)
            schedulers[label] = write_schedules(
                path,
                contest,
                read_parquet(clean, columns=columns_of(contest, own, columns_in(clean))),
                read_parquet(results),
                recommended=recommended,
                learned=expressions_in(learned) if learned else {},
                weights=read_parquet(log_facts)["weights"].iloc[0],
                own=own,
                label=label,
            )
            advance()
    write_text(json.dumps(schedulers), shown)


if __name__ == "__main__":
    run_script(show, snakemake)  # noqa: F821
