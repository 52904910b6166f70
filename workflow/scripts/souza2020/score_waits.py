"""Score the predictors of waits on logs."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet, write_parquet, write_text
from schedlab.files.stand_ins import kind_of
from schedlab.flow.scripts import run_script
from schedlab.report import tables
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import save
from schedlab.studies.souza2020.tables.waits import headline, waits_table
from schedlab.waits.figures import draw_waits

TITLE = "Predictors of waits on {kind}"
NOTE = (
    "recorded: waits that the log has; EASY: of the same jobs, first come first served with EASY. "
    "wait: mean of the jobs that were predicted, error: mean absolute error, gain: mean wait less "
    "that (who says 0 of every job errs by the mean wait), in s; on sample: the error over the "
    "jobs that the queue simulation predicted; near: per cent of predictions that are off by "
    "a factor of 2 or by 60 s at most; covered: per cent of jobs that waited no longer than "
    "predicted; target: what the predictor is to cover; delay and idle: core-hours a job lost by "
    "waiting too late and by allocations that idle, against knowing the wait; lost: both in per "
    "cent of what submitting when needed loses (100: as good as predicting 0); lost on sample: the "
    "same over the jobs that the queue simulation predicted; low and high: 95 % interval, for "
    "which "
    "weeks are resampled, two at a time."
)


def score_waits(
    by_log: Sequence[str],
    names: Mapping[str, str],
    predicted: str,
    csv: str,
    md: str,
    txt: str,
    pdf: str,
    png: str,
) -> None:
    """Write all predictions, a row per log, kind of waits and predictor, and the figure.

    `names` has, by log or model, its name in sentences and in the figure.
    """
    predictions = {source: read_parquet(path) for source, path in zip(names, by_log, strict=True)}
    write_parquet(pd.concat(predictions, names=["source"]).reset_index("source"), predicted)
    table = waits_table(predictions)
    named, kind = table.assign(log=table["log"].map(names)), kind_of(names.values())
    finding, title = headline(named), TITLE.format(kind=kind)
    logging.info(finding)
    tables.write_csv(table, csv)
    digits = dict.fromkeys(table.columns, 1)
    digits |= {name: 0 for name in table if name.startswith(("error", "gain"))}
    digits |= dict.fromkeys(["jobs", "wait", "on sample", "target"], 0)
    tables.write_markdown(named, md, title, f"{NOTE}\n\n{finding}", digits)
    write_text(finding, txt)
    empty = log_not_available(next(iter(names))) if table["jobs"].isna().all() else None
    save(empty or draw_waits(named, title), pdf, png)


if __name__ == "__main__":
    run_script(score_waits, snakemake)  # noqa: F821
