"""Render the page to explore the arena."""

from schedlab.files.logs import logged
from schedlab.report.pages import render
from schedlab.studies.arena.explore import context

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render(
            template=job.input.template,
            paper=job.params.paper,
            files=[job.input.cells],
            captions={},
            fetched=[],
            config=job.params.config,
            html=job.output.html,
            further=lambda tables: context(tables["cells"], job.params.schedules),
        )
