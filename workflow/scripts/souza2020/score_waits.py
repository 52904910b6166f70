"""Predictors of waits scored on the jobs of logs."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.papers.souza2020.figures.waits import draw_waits
from schedlab.papers.souza2020.tables.waits import headline, waits_table
from schedlab.report import tables

TITLE = "Predictors of waits on logs"
NOTE = (
    "recorded: waits that the log has; EASY: of the same jobs, first come first served with EASY. "
    "wait: mean of the jobs that were predicted, error: mean absolute error, gain: mean wait less "
    "that (who says 0 of every job errs by the mean wait), in s; on sample: the error over the "
    "jobs that the queue simulation was asked about; near: per cent of predictions that are off by "
    "a factor of 2 or by 60 s at most; covered: per cent of jobs that waited no longer than "
    "predicted; meant: what the predictor is to cover; low and high: 95 % interval, for which "
    "weeks are drawn anew, two at a time."
)


def score_waits(
    predicted: str,
    rows: Sequence[Mapping],
    csv: str,
    md: str,
    txt: str,
    pdf: str,
    png: str,
) -> None:
    """Write a row per log, kind of waits and predictor, the sentence on top, and the figure."""
    sources = [row["source"] for row in rows]
    found = read_parquet(predicted)
    table = waits_table({source: found[found["source"] == source] for source in sources})
    said = headline(table)
    logging.info(said)
    tables.write_csv(table, csv)
    digits = dict.fromkeys(table.columns, 1)
    digits |= {name: 0 for name in table if name.startswith(("error", "gain"))}
    digits |= dict.fromkeys(["jobs", "wait", "on sample", "meant"], 0)
    tables.write_markdown(table, md, TITLE, f"{NOTE}\n\n{said}", digits)
    write_text(said, txt)
    empty = not_at_hand(sources[0]) if table["jobs"].isna().all() else None
    save(empty or draw_waits(table, TITLE), pdf, png)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        score_waits(
            predicted=job.input.predicted,
            rows=job.params.rows,
            csv=job.output.csv,
            md=job.output.md,
            txt=job.output.txt,
            pdf=job.output.pdf,
            png=job.output.png,
        )
