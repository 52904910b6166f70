"""Run one experiment: every policy on every piece, and the metric of each."""

import logging
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from schedlab.dialects import DIALECTS
from schedlab.io import write_parquet
from schedlab.jobs import jobs_by_piece
from schedlab.logs import logged
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.simulation import Run, simulate_many

COLUMNS = {"experiment": str, "dialect": str, "policy": str}
COLUMNS |= {"piece": "int64", "jobs": "int64", "avebsld": "float64"}


def simulate_experiment(
    pieces: str,
    metrics: str,
    experiment: str,
    settings: Mapping,
    own_policies: Mapping[str, str],
    threads: int,
) -> None:
    """Write one row per policy and piece; none when the log is not at hand."""
    frame = pd.read_parquet(pieces, filters=[("piece", "in", settings["pieces"])])
    jobs = jobs_by_piece(frame)
    if settings["decisions"] == "actual":
        jobs = {piece: replace(each, estimate=each.runtime) for piece, each in jobs.items()}
    if jobs and (absent := set(settings["pieces"]) - set(jobs)):
        raise ValueError(f"{pieces}: there is no piece {min(absent)}; experiment {experiment}")
    policies = [(name, get(name)) for name in settings["policies"]]
    policies += [(name, get(text, label=name)) for name, text in own_policies.items()]
    dialect, head = DIALECTS[settings["dialect"]], settings["head"]
    plan = [(*policy, piece) for policy in policies for piece in settings["pieces"] if jobs]
    runs = [
        Run(
            jobs[piece],
            settings["processors"],
            policy,
            policy if settings["backfill"] == "easy" else None,
            dialect,
            head,
        )
        for _, policy, piece in plan
    ]
    schedules = simulate_many(runs, threads)
    logging.info("%s: %d runs, %d jobs", experiment, len(runs), sum(len(run.jobs) for run in runs))
    rows = [
        (
            *(experiment, dialect.name, name, piece, len(run.jobs)),
            average_bounded_slowdown(run.jobs, schedule, settings["tau"], head),
        )
        for (name, _, piece), run, schedule in zip(plan, runs, schedules, strict=True)
    ]
    write_parquet(pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS), metrics)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_experiment(
            *(job.input.pieces, job.output.metrics, job.wildcards.experiment),
            *(job.params.settings, job.params.own_policies, job.threads),
        )
