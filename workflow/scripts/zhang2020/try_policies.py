"""Run random windows of a log under heuristics and a published policy, choice by choice."""

import logging
from collections.abc import Mapping

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.policies.published import read_fetched
from schedlab.studies.zhang2020.runs import run_trials
from schedlab.studies.zhang2020.sheet import PolicyTrial
from schedlab.traces.sources import Source


def try_policies(row: Mapping, source: Mapping, network: str, threads: int, results: str) -> None:
    """Write a row per variant, policy and window; without weights those of heuristics alone."""
    trial = PolicyTrial(**row)
    jobs, policy = Source(trial.source, **source), read_fetched(network, trial.policy)
    frame = run_trials(trial, jobs, policy, threads)
    logging.info("%d runs", len(frame))
    write_parquet(frame, results)


if __name__ == "__main__":
    run_script(try_policies, snakemake)  # noqa: F821
