"""Figures 1 to 4: stages of a workflow, strategies in one run of it, the architecture."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.studies.souza2020.evidence import background_of, read_stages
from schedlab.studies.souza2020.figures import diagrams
from schedlab.studies.souza2020.shapes import read_shapes, workflow_of

NAME = f"{diagrams.SHOWN_WORKFLOW} on {diagrams.SHOWN_SCALE} cores"
ALLOCATED = (("Big Job", "-"), ("Per-Stage", "-"))
AHEAD = (("Per-Stage", "-"), ("ASA", "ASA"), ("ASA Naive", "ASA"))


def make(stages: Sequence[str], shapes: str, rows: Sequence[Mapping]) -> dict[str, Picture]:
    """Return the four figures with their data."""
    sheet = read_shapes(shapes).set_index(["workflow", "cores"], drop=False)
    shape = sheet.loc[(diagrams.SHOWN_WORKFLOW, diagrams.SHOWN_SCALE)].to_dict()
    stages_of = diagrams.dag(workflow_of(shape))
    ran, on = read_stages(stages), background_of(rows)
    allocated, ahead = (diagrams.shown_run(ran, one) for one in (ALLOCATED, AHEAD))
    empty = log_not_available(rows[0]["source"]) if ran.empty else None
    over = f"{NAME}, one instant. {on}"
    return {
        "fig1": Picture(diagrams.draw_dag(stages_of, f"{NAME}: groups of stages"), stages_of),
        "fig2": Picture(empty or diagrams.draw_allocations(allocated, stages_of, over), allocated),
        "fig3": Picture(diagrams.draw_architecture(), diagrams.architecture()),
        "fig4": Picture(empty or diagrams.draw_ahead(ahead, over), ahead),
    }
