"""Compare simulators with a real Slurm: the referee's tables, figure and sentences."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Data, Table
from schedlab.studies.referee import tables as made
from schedlab.studies.referee.figures import draw_referee
from schedlab.studies.referee.findings import findings, ranking_sentence
from schedlab.studies.referee.metrics import evaluate_windows


def make(
    windows: Sequence[str],
    facts: Sequence[str],
    replays: Sequence[str],
    logs: Sequence[str],
    runs: Sequence[Mapping],
) -> dict[str, Table | Picture | Data | str]:
    """Return tables, figure and sentences; `windows` belong to `logs`, `replays` to `runs`."""
    jobs = {
        log: Jobs.from_frame(read_parquet(path)) for log, path in zip(logs, windows, strict=True)
    }
    real = defaultdict(list)
    for run, path in zip(runs, replays, strict=True):
        real[run["log"], run["order"]].append(read_parquet(path))
    figures, summaries, rankings = evaluate_windows(jobs, real)
    sentences, order = findings(summaries), ranking_sentence(rankings)
    logging.info("%s %s", sentences, order)
    table, ranking = made.referee_table(summaries), made.ranking_table(rankings)
    return {
        "referee": Table(table, made.DIGITS),
        "ranking": Table(ranking),
        "fig_referee": Picture(draw_referee(figures, summaries), figures),
        "windows": Data(pd.concat(map(read_parquet, facts), ignore_index=True)),
        "findings": f"{sentences} {order}",
    }
