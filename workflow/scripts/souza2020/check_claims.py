"""Hold what the paper says in words against what was run; a claim that fails is told."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.io import write_text
from schedlab.logs import logged
from schedlab.papers.souza2020 import claims
from schedlab.papers.souza2020.evidence import read_runs
from schedlab.papers.souza2020.findings import Evidence
from schedlab.papers.souza2020.tables.runs import table1
from schedlab.report import tables
from schedlab.report.comparison import read_published


def check_claims(
    stages: Sequence[str],
    published: str,
    table2: str,
    steps: str,
    games: str,
    rows: Sequence[Mapping],
    csv: str,
    md: str,
    txt: str,
) -> None:
    """Write a row per claim, and how many hold."""
    runs = read_runs(stages)
    kinds = {
        claims.CURVES: pd.read_csv(steps),
        claims.GAMES: pd.read_csv(games),
        claims.PRINT: read_published(published, "table1"),
        claims.HITS: read_published(published, "table2"),
    }
    if len(runs):
        kinds[claims.RUNS] = Evidence(table1(runs), runs)
        kinds[claims.SERIES] = pd.read_csv(table2)
    checked = claims.check(kinds, held=not rows[0]["is_model"])
    said = claims.count(checked)
    logging.info(said)
    tables.write_csv(checked, csv)
    tables.write_markdown(checked, md, "What the paper says, held against what was run", said)
    write_text(said, txt)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        check_claims(
            stages=job.input.stages,
            published=job.input.published,
            table2=job.input.table2,
            steps=job.input.steps,
            games=job.input.games,
            rows=job.params.rows,
            csv=job.output.claims_csv,
            md=job.output.claims_md,
            txt=job.output.txt,
        )
