"""Run one experiment: every policy on every piece, and the metric of each."""

import logging
from collections.abc import Mapping

from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.policies import get
from schedlab.sequences import run_policies


def simulate_experiment(
    pieces: str,
    metrics: str,
    experiment: str,
    settings: Mapping,
    expressions: Mapping[str, str],
    threads: int,
) -> None:
    """Write one row per policy and piece; none when the log is not at hand."""
    frame = read_parquet(pieces, filters=[("piece", "in", settings["pieces"])])
    policies = {name: get(name) for name in settings["policies"]}
    policies |= {name: get(text, label=name) for name, text in expressions.items()}
    rows = run_policies(frame, experiment, settings, policies, threads)
    logging.info("%s: %d runs, %d jobs", experiment, len(rows), rows["jobs"].sum())
    write_parquet(rows, metrics)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_experiment(
            *(job.input.pieces, job.output.metrics, job.wildcards.experiment),
            *(job.params.settings, job.params.own_policies, job.threads),
        )
