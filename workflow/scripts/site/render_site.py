"""Render the report of a site."""

from pathlib import Path

from schedlab.files.config import read_yaml
from schedlab.files.logs import logged
from schedlab.queue.site_cells import is_own_slurm
from schedlab.report.pages import render


def words_of(words: dict, dialect: str) -> dict:
    """Return the words of a page, with the parts for the dialect."""
    return words | {"parts": words["slurm_parts"]} if is_own_slurm(dialect) else words


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render(
            templates=Path(job.input.shared[0]).parent,
            words=words_of(read_yaml(job.input.words), job.params.config["site"]["dialect"]),
            paper=job.params.paper,
            files=job.input.files,
            captions=job.params.captions,
            fetched=[],
            config=job.params.config,
            html=job.output.html,
            details=job.output.details,
        )
