"""The page of the report that leads to the papers'."""

from schedlab.logs import logged
from schedlab.report.pages import render_home

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render_home(
            *(job.input.template, job.params.papers, job.input.comparisons, job.input.fetched),
            *(job.params.config, job.params.scale, job.output.html),
        )
