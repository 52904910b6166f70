"""Hold what the paper says in words against what was run; a claim that fails is told."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.io import read_parquet, write_text
from schedlab.logs import logged
from schedlab.papers.klusacek2016 import claims
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.report import tables


def check_claims(
    sets: Mapping[str, Sequence],
    logs: Mapping[str, Sequence],
    moves: Mapping[str, str],
    csv: str,
    md: str,
    txt: str,
) -> None:
    """Write a row per claim and experiment, and how many hold.

    `sets` and `logs` are rows, jobs and starts; `moves` the kept moves by experiment.
    """
    kept = {name: read_parquet(path) for name, path in moves.items()}
    checked = claims.check(read_evidence(**sets), read_evidence(**logs), kept)
    said = claims.count(checked)
    logging.info(said)
    tables.write_csv(checked, csv)
    tables.write_markdown(checked, md, "What the paper says, held against what was run", said)
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
            csv=job.output.csv,
            md=job.output.md,
            txt=job.output.txt,
        )
