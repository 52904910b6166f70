"""Run one experiment: compute the metric of every policy on every piece."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.sequences import run_policies
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.policies import get


def simulate_experiment(
    pieces: str,
    metrics: str,
    experiment: str,
    settings: Mapping,
    registered: bool,
    expressions: Mapping[str, str],
    threads: int,
    learned: str | None = None,
) -> None:
    """Write one row per policy and piece; none if the log is not available.

    The policies are those of the row if `registered`, those of the table `learned` if there is one,
    and `expressions` by name.
    """
    frame = read_parquet(pieces, filters=[("piece", "in", settings["pieces"])])
    policies = {name: get(name) for name in settings["policies"]} if registered else {}
    if learned:
        table = pd.read_csv(learned)
        expressions = dict(zip(table["name"], table["expression"], strict=True)) | expressions
    policies |= {name: get(text, label=name) for name, text in expressions.items()}
    rows = run_policies(frame, experiment, settings, policies, threads)
    logging.info("%s: %d runs, %d jobs", experiment, len(rows), rows["jobs"].sum())
    write_parquet(rows, metrics)


if __name__ == "__main__":
    run_script(simulate_experiment, snakemake)  # noqa: F821
