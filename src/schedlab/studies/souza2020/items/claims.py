"""Test the claims of souza2020 on the simulated runs and on its published tables."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.claims import Outcome, StandIn, check_results, counted, read_claims
from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.souza2020 import statistics
from schedlab.studies.souza2020.evidence import read_runs


def make(
    stages: Sequence[str],
    published: str,
    table2: str,
    steps: str,
    games: str,
    rows: Sequence[Mapping],
    claims: str,
) -> dict[str, tuple[Table, str]]:
    """Return a row per claim, and a sentence with the counts."""
    runs = read_runs(stages)
    kinds: dict[str, object] = {
        statistics.CURVES: pd.read_csv(steps),
        statistics.GAMES: pd.read_csv(games),
        statistics.PRINT: read_published(published, "table1"),
        statistics.HITS: read_published(published, "table2"),
    }
    if len(runs):
        queued = {statistics.RUNS: runs, statistics.SERIES: pd.read_csv(table2)}
        is_model = rows[0]["is_model"]
        kinds |= {kind: StandIn(own) if is_model else own for kind, own in queued.items()}
    checked = check_results(read_claims(claims, statistics), kinds, {})
    return counted(checked, listed=(Outcome.FAILS, Outcome.UNDECIDED))
