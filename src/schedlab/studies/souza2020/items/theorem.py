"""Theorem 1: regret compared with its bound."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.figures.lines import draw_theorem
from schedlab.studies.souza2020.runs import learning_of
from schedlab.studies.souza2020.theorem import coverage_of_bound, theorem


def make(
    learning: Mapping, alternatives: Sequence[int], deltas: Sequence[float], cases: int, runs: int
) -> dict[str, Table | Picture]:
    """Return the figure with its curves, and how often the bound holds."""
    curves = theorem(learning_of(learning), alternatives, deltas, cases, runs)
    title = f"Regret of Algorithm 1 and the bound of theorem 1, {runs} runs of each game"
    coverage = coverage_of_bound(curves, runs)
    return {
        "theorem1": Picture(draw_theorem(curves, coverage, title), curves),
        "theorem1_kept": Table(coverage),
    }
