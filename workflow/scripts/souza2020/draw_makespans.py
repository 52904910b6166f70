"""Figures 6, 7 and 8: makespans, stage by stage, with the waits between."""

from collections.abc import Mapping, Sequence

from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.souza2020.evidence import background_of, read_stages, systems_of
from schedlab.papers.souza2020.figures.makespans import FIGURES, draw_stacks, stacks
from schedlab.report import tables


def draw_makespans(
    stages: Sequence[str], rows: Sequence[Mapping], outputs: Mapping[str, str]
) -> None:
    """Draw a figure for each workflow, and write what is stacked."""
    ran = read_stages(stages)
    for name, workflow in FIGURES.items():
        table = stacks(ran, workflow)
        title = f"{workflow}: means over replicates. {background_of(rows)}"
        source = rows[0]["source"]
        figure = not_at_hand(source) if ran.empty else draw_stacks(table, systems_of(rows), title)
        save(figure, outputs[f"{name}_pdf"], outputs[f"{name}_png"])
        tables.write_csv(table, outputs[f"{name}_csv"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_makespans(
            stages=job.input.stages, rows=job.params.rows, outputs=dict(job.output.items())
        )
