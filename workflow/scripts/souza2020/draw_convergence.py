"""Figure 5: estimates of a wait that changes, by three policies."""

from collections.abc import Mapping

from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.souza2020.convergence import convergence, steps
from schedlab.papers.souza2020.figures.lines import draw_convergence
from schedlab.papers.souza2020.runs import learning_of
from schedlab.report import tables

NOTE = (
    "early and late: share of runs that hit the wait, over the first and last 20 iterations; "
    "low and high: exact binomial 95 % interval over runs."
)


def draw_fig5(learning: Mapping, cases: int, runs: int, outputs: Mapping[str, str]) -> None:
    """Draw the figure, and write its curves and what each policy came to."""
    curves = convergence(learning_of(learning), cases, runs)
    title = f"Estimates of a wait that changes, {runs} runs of each policy"
    save(draw_convergence(curves, title), outputs["fig5_pdf"], outputs["fig5_png"])
    tables.write_csv(curves, outputs["fig5_csv"])
    came = steps(curves, runs)
    tables.write_csv(came, outputs["fig5_steps_csv"])
    tables.write_markdown(came, outputs["fig5_steps_md"], "Whether policies come to the wait", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig5(
            learning=job.params.learning,
            **job.params.convergence,
            outputs=dict(job.output.items()),
        )
