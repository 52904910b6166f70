"""Test the claims of klusacek2016 on the simulated runs."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.claims import counted, read_claims
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016 import statistics
from schedlab.studies.klusacek2016.evidence import read_evidence


def make(
    sets: Sequence[Mapping],
    set_jobs: Sequence[str],
    set_starts: Sequence[str],
    logs: Sequence[Mapping],
    log_jobs: Sequence[str],
    log_starts: Sequence[str],
    moves_of: str,
    moves: str,
    costs: str,
    claims: str,
) -> dict[str, tuple[Table, str]]:
    """Return one row per claim and experiment, and a summary.

    `moves` and `costs` are the accepted moves and planning times of the experiment `moves_of`.
    """
    checked = statistics.check_claims(
        read_claims(claims, statistics),
        read_evidence(sets, set_jobs, set_starts),
        read_evidence(logs, log_jobs, log_starts),
        {moves_of: read_parquet(moves)},
        {moves_of: pd.read_csv(costs)},
    )
    return counted(checked)
