"""Render the first page of the report, which links to the papers' pages."""

from schedlab.files.config import read_yaml
from schedlab.files.logs import logged
from schedlab.report.home import render_home
from schedlab.report.pages import read_story

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        models = job.params.config["source"] == "models"
        stories = {
            paper: read_story(
                f"schedlab.studies.{paper}",
                read_yaml(words),
                tables,
                models,
                job.params.papers[paper]["names"],
            )
            for (paper, tables), words in zip(
                job.params.story_tables.items(), job.input.words, strict=True
            )
        }
        render_home(
            template=job.input.template,
            papers=job.params.papers,
            scoreboard=job.input.scoreboard,
            expected=job.input.expected,
            scored=job.params.scored,
            facts=job.input.facts,
            stories={paper: story for paper, story in stories.items() if story},
            thumbnails=job.params.thumbnails,
            fetched=job.input.fetched,
            computed=job.input.computed,
            config=job.params.config,
            html=job.output.html,
        )
