"""Compare the claims of the text with the simulated runs; failed claims are listed too."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.souza2020 import claims
from schedlab.studies.souza2020.evidence import read_runs
from schedlab.studies.souza2020.findings import Evidence
from schedlab.studies.souza2020.tables.runs import table1


def make(
    stages: Sequence[str],
    published: str,
    table2: str,
    steps: str,
    games: str,
    rows: Sequence[Mapping],
) -> dict[str, tuple[Table, str]]:
    """Return a row per claim, and a sentence with the counts."""
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
    checked = claims.check(kinds, on_log=not rows[0]["is_model"])
    summary = claims.count(checked)
    logging.info(summary)
    return {"claims": (Table(checked, more=summary), summary)}
