"""Render a paper's page of the report, and its pages of details."""

from schedlab.files.logs import logged
from schedlab.flow.commit import commit_of
from schedlab.report.minutes import minutes_of, read_record
from schedlab.report.pages import function_of, read_story, render
from schedlab.report.scoreboard import board_of, read_scored


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
            story=read_story(
                job.params.module, job.params.story, job.params.config["source"] == "models"
            ),
            board=numbers_of(job.params),
            made=job.params.made,
            revision=commit_of(job.params.home) if job.params.home else "",
        )
