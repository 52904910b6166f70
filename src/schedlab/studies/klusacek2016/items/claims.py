"""Test the statements of the paper on the simulated runs."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016 import claims
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
) -> dict[str, tuple[Table, str]]:
    """Return one row per claim and experiment, and a summary.

    `moves` and `costs` are the accepted moves and planning times of the experiment `moves_of`.
    """
    moves_by_run, times = {moves_of: read_parquet(moves)}, {moves_of: pd.read_csv(costs)}
    sets_ran = read_evidence(sets, set_jobs, set_starts)
    logs_ran = read_evidence(logs, log_jobs, log_starts)
    checked = claims.check(sets_ran, logs_ran, moves_by_run, times)
    summary = claims.count(checked)
    logging.info(summary)
    return {"claims": (Table(checked, more=summary), summary)}
