"""The page of the report that leads to the papers'."""

from schedlab.logs import logged
from schedlab.report.pages import render_home

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render_home(
            template=job.input.template,
            papers=job.params.papers,
            comparisons=job.input.comparisons,
            fetched=job.input.fetched,
            computed=job.input.computed,
            config=job.params.config,
            html=job.output.html,
        )
