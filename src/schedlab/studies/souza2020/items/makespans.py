"""Figures 6, 7 and 8: makespans, stage by stage, with the waits between the stages."""

from collections.abc import Mapping, Sequence

from schedlab.report.comparison import read_published
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.studies.souza2020.evidence import background_of, read_stages, systems_of
from schedlab.studies.souza2020.figures.makespans import (
    FIGURES,
    add_published,
    draw_stacks,
    stacks,
)


def make(stages: Sequence[str], published: str, rows: Sequence[Mapping]) -> dict[str, Picture]:
    """Return a figure for each workflow with its data.

    A model in place of the log is not compared with the published makespans.
    """
    ran, pictures = read_stages(stages), {}
    printed = read_published(published, "table1")
    if any(row["is_model"] for row in rows):
        printed = printed.iloc[:0]
    for name, workflow in FIGURES.items():
        table = add_published(stacks(ran, workflow), workflow, printed)
        setting = f"Means over replicates. {background_of(rows)}"
        figure = (
            log_not_available(f"{workflow} on {rows[0]['source']}")
            if ran.empty
            else draw_stacks(table, systems_of(rows), workflow, setting)
        )
        pictures[name] = Picture(figure, table)
    return pictures
