"""Score the predictors of waits on logs."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.stand_ins import kind_of
from schedlab.flow.scripts import run_script
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.parts import Table, write_items
from schedlab.studies.souza2020.waits import headline, waits_table
from schedlab.waits.figures import draw_waits

TITLE = "Predictors of waits on {kind}"


def score_waits(
    by_log: Sequence[str],
    names: Mapping[str, str],
    predicted: str,
    outputs: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]],
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
    digits = dict.fromkeys(table.columns, 1)
    digits |= {name: 0 for name in table if name.startswith(("error", "gain"))}
    digits |= dict.fromkeys(["jobs", "wait", "on sample", "target"], 0)
    shown = Table(table, digits, {"kind": kind}, finding, named)
    empty = log_not_available(next(iter(names))) if table["jobs"].isna().all() else None
    figure = Picture(empty or draw_waits(named, title))
    write_items({"waits": (shown, figure, finding)}, outputs, words=words)


if __name__ == "__main__":
    run_script(score_waits, snakemake)  # noqa: F821
