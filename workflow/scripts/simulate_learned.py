"""Run the learned policies of ours through one experiment, and the metric of each."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.policies import get
from schedlab.sequences import run_policies


def simulate_learned(
    pieces: str, learned: str, metrics: str, experiment: str, settings: Mapping, threads: int
) -> None:
    """Write one row per learned policy and piece; none when the log is not at hand."""
    frame = read_parquet(pieces, filters=[("piece", "in", settings["pieces"])])
    table = pd.read_csv(learned)
    expressions = dict(zip(table["name"], table["expression"], strict=True))
    policies = {name: get(text, label=name) for name, text in expressions.items()}
    rows = run_policies(frame, experiment, settings, policies, threads)
    logging.info("%s: %d runs, %d jobs", experiment, len(rows), rows["jobs"].sum())
    write_parquet(rows, metrics)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_learned(
            *(job.input.pieces, job.input.learned, job.output.metrics),
            *(job.wildcards.experiment, job.params.settings, job.threads),
        )
