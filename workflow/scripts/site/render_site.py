"""Render the report of a site."""

from schedlab.files.logs import logged
from schedlab.report.pages import render

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render(
            template=job.input.template,
            paper=job.params.paper,
            files=job.input.files,
            captions=job.params.captions,
            fetched=[],
            config=job.params.config,
            html=job.output.html,
            details=job.output.details,
        )
