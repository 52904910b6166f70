"""Figure 5: estimates of a changing wait under three policies."""

from collections.abc import Mapping

from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.convergence import convergence, steps
from schedlab.studies.souza2020.figures.lines import draw_convergence
from schedlab.studies.souza2020.runs import learning_of


def make(learning: Mapping, cases: int, runs: int) -> dict[str, Table | Picture]:
    """Return the figure with its curves, and the hits of each policy."""
    curves = convergence(learning_of(learning), cases, runs)
    title = f"Estimates of a wait that changes, {runs} runs of each policy"
    return {
        "fig5": Picture(draw_convergence(curves, title), curves),
        "fig5_steps": Table(steps(curves, runs)),
    }
