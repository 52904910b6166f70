"""Compare the verdicts of this run with the committed ones."""

from pathlib import Path

from schedlab.cli.verify import verify
from schedlab.files.logs import logged

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        verify(Path(job.input.scoreboard), Path(job.input.expected))
