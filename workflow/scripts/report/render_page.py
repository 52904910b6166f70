"""Render a paper's page of the report."""

from importlib import import_module
from importlib.util import find_spec

from schedlab.files.logs import logged
from schedlab.report.pages import render


def further_of(module: str):
    """Return the function that computes further values from a paper's tables; None without one."""
    page = f"{module}.page"
    return getattr(import_module(page), "context", None) if find_spec(page) else None


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render(
            template=job.input.template,
            paper=job.params.paper,
            files=job.input.files,
            captions=job.params.captions,
            fetched=job.input.fetched,
            config=job.params.config,
            html=job.output.html,
            further=further_of(job.params.module),
        )
