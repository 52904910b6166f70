"""Test what the paper says in words on what was run."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.papers.klusacek2016 import claims
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.report import tables


def check_claims(
    sets: Mapping[str, Sequence],
    logs: Mapping[str, Sequence],
    moves: Mapping[str, str],
    costs: Mapping[str, str],
    csv: str,
    md: str,
    txt: str,
) -> None:
    """Write a row per claim and experiment, and how many hold.

    `sets` and `logs` are rows, jobs and starts; `moves` and `costs` the kept moves and the times of
    planning, by experiment.
    """
    kept = {name: read_parquet(path) for name, path in moves.items()}
    times = {name: pd.read_csv(path) for name, path in costs.items()}
    checked = claims.check(read_evidence(**sets), read_evidence(**logs), kept, times)
    said = claims.count(checked)
    logging.info(said)
    tables.write_csv(checked, csv)
    tables.write_markdown(checked, md, "What the paper says, tested on what was run", said)
    write_text(said, txt)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        check_claims(
            sets={
                "rows": job.params.sets,
                "jobs": job.input.set_jobs,
                "starts": job.input.set_starts,
            },
            logs={
                "rows": job.params.logs,
                "jobs": job.input.log_jobs,
                "starts": job.input.log_starts,
            },
            moves={job.params.moves_of: job.input.moves},
            costs={job.params.moves_of: job.input.costs},
            csv=job.output.csv,
            md=job.output.md,
            txt=job.output.txt,
        )
