"""Run random windows of a log under heuristics and a published policy, choice by choice."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.policies.published import find_published
from schedlab.studies.zhang2020.runs import run_trials
from schedlab.studies.zhang2020.sheet import PolicyTrial
from schedlab.traces.sources import Source


def try_policies(
    row: Mapping, source: Mapping, threads: int, results: str, network: Sequence[str] = ()
) -> None:
    """Write a row per variant, policy and window; without weights those of heuristics alone."""
    trial, policy = PolicyTrial(**row), None
    if network:
        policy = find_published(trial.policy, [Path(network[0]).parent])
    else:
        logging.warning("%s: log not available", trial.policy)
    frame = run_trials(trial, Source(trial.source, **source), policy, threads)
    logging.info("%d runs", len(frame))
    write_parquet(frame, results)


if __name__ == "__main__":
    run_script(try_policies, snakemake)  # noqa: F821
