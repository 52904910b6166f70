"""Render the first page of the report, which links to the papers' pages."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from schedlab.files.logs import logged
from schedlab.report.home import render_home
from schedlab.report.pages import read_table


def story_of(paper: str, story_tables: dict[str, str], models: bool):
    """Return a paper's summary of its tables; None if it has none."""
    name = f"schedlab.studies.{paper}.page"
    if not story_tables or not find_spec(name):
        return None
    tables = {item: read_table(Path(path)) for item, path in story_tables.items()}
    return import_module(name).story(tables, models)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        models = job.params.config["source"] == "models"
        stories = {
            paper: story_of(paper, tables, models)
            for paper, tables in job.params.story_tables.items()
        }
        render_home(
            template=job.input.template,
            papers=job.params.papers,
            scoreboard=job.input.scoreboard,
            facts=job.input.facts,
            stories={paper: story for paper, story in stories.items() if story},
            thumbnails=job.params.thumbnails,
            fetched=job.input.fetched,
            computed=job.input.computed,
            config=job.params.config,
            html=job.output.html,
        )
