"""Cut clean jobs into the pieces on which experiments run."""

import logging

from schedlab.core import splitting
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script


def split_pieces(jobs: str, split: str, pieces: str) -> None:
    """Write the jobs of `jobs` that belong to a piece of the named `split` to `pieces`."""
    frame = read_parquet(jobs)
    cut = splitting.split(frame, split)
    logging.info("%d pieces; %d jobs in none", cut["piece"].nunique(), len(frame) - len(cut))
    write_parquet(cut, pieces)


if __name__ == "__main__":
    run_script(split_pieces, snakemake)  # noqa: F821
