"""Cut clean jobs into the pieces on which experiments run."""

import logging

from schedlab.core.splitting import split
from schedlab.files.io import read_parquet, write_parquet


def split_pieces(jobs: str, name: str, pieces: str) -> None:
    """Write the jobs of `jobs` that belong to a piece of the split `name` to `pieces`."""
    frame = read_parquet(jobs)
    cut = split(frame, name)
    logging.info("%d pieces; %d jobs in none", cut["piece"].nunique(), len(frame) - len(cut))
    write_parquet(cut, pieces)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    logging.basicConfig(filename=job.log[0], level=logging.INFO)
    try:
        split_pieces(job.input.jobs, job.wildcards.split, job.output.pieces)
    except Exception:
        logging.exception("split_pieces failed")
        raise
