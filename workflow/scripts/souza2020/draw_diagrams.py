"""Figures 1 to 4: stages of a workflow, strategies in one run of it, the architecture."""

from collections.abc import Mapping, Sequence

from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.souza2020.evidence import background_of, read_stages
from schedlab.papers.souza2020.figures import diagrams
from schedlab.papers.souza2020.shapes import read_shapes, workflow_of
from schedlab.report import tables

NAME = f"{diagrams.SHOWN_WORKFLOW} on {diagrams.SHOWN_SCALE} cores"
ALLOCATED = (("Big Job", "-"), ("Per-Stage", "-"))
AHEAD = (("Per-Stage", "-"), ("ASA", "ASA"), ("ASA Naive", "ASA"))


def draw_diagrams(
    stages: Sequence[str], shapes: str, rows: Sequence[Mapping], outputs: Mapping[str, str]
) -> None:
    """Draw the four figures, and write what is drawn."""
    sheet = read_shapes(shapes).set_index(["workflow", "cores"], drop=False)
    shape = sheet.loc[(diagrams.SHOWN_WORKFLOW, diagrams.SHOWN_SCALE)].to_dict()
    stages_of = diagrams.dag(workflow_of(shape))
    ran, on = read_stages(stages), background_of(rows)
    allocated, ahead = (diagrams.shown_run(ran, one) for one in (ALLOCATED, AHEAD))
    empty = not_at_hand(rows[0]["source"]) if ran.empty else None
    drawn = {
        "fig1": (diagrams.draw_dag(stages_of, f"{NAME}: groups of stages"), stages_of),
        "fig2": (
            empty or diagrams.draw_allocations(allocated, stages_of, f"{NAME}, one instant. {on}"),
            allocated,
        ),
        "fig3": (
            diagrams.draw_architecture("Who tells whom what"),
            diagrams.architecture(),
        ),
        "fig4": (empty or diagrams.draw_ahead(ahead, f"{NAME}, one instant. {on}"), ahead),
    }
    for name, (figure, data) in drawn.items():
        save(figure, outputs[f"{name}_pdf"], outputs[f"{name}_png"])
        tables.write_csv(data, outputs[f"{name}_csv"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_diagrams(
            stages=job.input.stages,
            shapes=job.input.shapes,
            rows=job.params.rows,
            outputs=dict(job.output.items()),
        )
