"""Render a paper's page of the report, and its pages of details."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from schedlab.files.logs import logged
from schedlab.flow.commit import commit_of
from schedlab.report.minutes import minutes_of, read_record
from schedlab.report.pages import read_table, render
from schedlab.report.scoreboard import board_of, read_scored


def function_of(module: str, name: str):
    """Return a function of a paper's page module; None without one."""
    page = f"{module}.page"
    return getattr(import_module(page), name, None) if find_spec(page) else None


def story_of(module: str, story_tables: Mapping[str, str], models: bool):
    """Return a paper's summary of its tables; None if it has none."""
    story = function_of(module, "story")
    if not story_tables or story is None:
        return None
    tables = {item: read_table(Path(path)) for item, path in story_tables.items()}
    return story(tables, models)


def numbers_of(params):
    """Return the paper's rows of the scoreboard; None if it has no published numbers."""
    if not params.scored:
        return None
    where = (params.records, params.logs, params.benchmarks)
    minutes = minutes_of(params.compared, lambda path: read_record(path, *where))
    scored = read_scored(params.scored)
    return board_of(params.paper["key"], params.compared, scored, params.command, minutes)


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
            further=function_of(job.params.module, "context"),
            details=job.output.details,
            story=story_of(
                job.params.module, job.params.story, job.params.config["source"] == "models"
            ),
            board=numbers_of(job.params),
            made=job.params.made,
            revision=commit_of(job.params.home) if job.params.home else "",
        )
