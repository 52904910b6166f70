"""Render the report of a site."""

from pathlib import Path

from schedlab.files.config import read_yaml
from schedlab.files.logs import logged
from schedlab.report.pages import render

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render(
            templates=Path(job.input.shared[0]).parent,
            words=read_yaml(job.input.words),
            paper=job.params.paper,
            files=job.input.files,
            captions=job.params.captions,
            fetched=[],
            config=job.params.config,
            html=job.output.html,
            details=job.output.details,
        )
