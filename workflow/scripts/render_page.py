"""A paper's page of the report."""

from schedlab.logs import logged
from schedlab.report.pages import render

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render(
            *(job.input.template, job.params.paper, job.input.files, job.params.captions),
            *(job.input.fetched, job.params.config, job.params.scale, job.output.html),
        )
