"""Figures 6, 7 and 8: makespans, stage by stage, with the waits between the stages."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.studies.souza2020.evidence import background_of, read_stages, systems_of
from schedlab.studies.souza2020.figures.makespans import FIGURES, draw_stacks, stacks


def make(stages: Sequence[str], rows: Sequence[Mapping]) -> dict[str, Picture]:
    """Return a figure for each workflow with its data."""
    ran, pictures = read_stages(stages), {}
    for name, workflow in FIGURES.items():
        table = stacks(ran, workflow)
        title = f"{workflow}: means over replicates. {background_of(rows)}"
        source = rows[0]["source"]
        figure = (
            log_not_available(source) if ran.empty else draw_stacks(table, systems_of(rows), title)
        )
        pictures[name] = Picture(figure, table)
    return pictures
