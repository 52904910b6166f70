"""Render the page to explore the arena."""

import json
from pathlib import Path

import pandas as pd

from schedlab.files.logs import logged
from schedlab.report.pages import render
from schedlab.report.scoreboard import COLUMNS, read_board
from schedlab.studies.arena.explore import context


def board_of_papers(paths):
    """Return the papers' scoreboard; no rows if it was not made."""
    return read_board(*paths) if paths else pd.DataFrame(columns=COLUMNS)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        board = board_of_papers(job.input.scoreboard)
        shown = json.loads(Path(job.input.shown).read_text(encoding="utf-8"))
        render(
            templates=Path(job.input.shared[0]).parent,
            words=Path(job.input.template),
            paper=job.params.paper,
            files=[job.input.cells, job.input.windows, *job.input.choice],
            captions=job.params.captions,
            fetched=[],
            config=job.params.config,
            html=job.output.html,
            further=lambda tables: context(
                tables["cells"], tables["window_cells"], job.params.schedules, shown, board
            ),
        )
