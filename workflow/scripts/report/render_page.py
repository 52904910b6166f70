"""Render a paper's page of the report, and its pages of details."""

from functools import cache
from pathlib import Path

from schedlab.files.config import read_yaml
from schedlab.files.logs import logged
from schedlab.flow.build import commit_of
from schedlab.report.minutes import minutes_of, steps_to
from schedlab.report.pages import function_of, read_story, render
from schedlab.report.scoreboard import board_of, read_scored


def records_of(params):
    """Return the function that reads how a file was made."""
    return cache(lambda path: params.records.read(path, params.logs, params.benchmarks))


def made_of(params, record_of):
    """Return how the tables with published numbers are made, by item, with the steps to them."""
    steps = {Path(path).stem: steps_to(path, record_of) for path in params.compared}
    return {item: facts | {"steps": steps.get(item, [])} for item, facts in params.made.items()}


def numbers_of(params, record_of):
    """Return the paper's rows of the scoreboard; None if it has no published numbers."""
    if not params.scored:
        return None
    minutes = minutes_of(params.compared, record_of)
    scored = read_scored(params.scored)
    return board_of(params.paper["key"], params.compared, scored, params.command, minutes)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    record_of = records_of(job.params)
    with logged(job.log[0]):
        words = read_yaml(job.input.words)
        render(
            templates=Path(job.input.shared[0]).parent,
            words=words,
            paper=job.params.paper,
            files=job.input.files,
            captions=job.params.captions,
            fetched=job.input.fetched,
            config=job.params.config,
            html=job.output.html,
            further=function_of(job.params.module, "context"),
            details=job.output.details,
            story=read_story(
                job.params.module,
                words,
                job.params.story,
                job.params.config["source"] == "models",
                job.params.paper["names"],
            ),
            board=numbers_of(job.params, record_of),
            made=made_of(job.params, record_of),
            revision=commit_of(job.params.home) if job.params.home else "",
        )
