"""Theorem 1: regret compared with its bound."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.figures.lines import draw_theorem
from schedlab.studies.souza2020.runs import learning_of
from schedlab.studies.souza2020.theorem import coverage_of_bound, theorem

NOTE = (
    "learner: Algorithm 1 with rates as configured and with falling rates; the proof uses a "
    "constant rate of 1. coverage: least share of runs within the bound, over all cases. low and "
    "high: its exact binomial 95 % interval. result: holds if this interval is above wanted, which "
    "is 1 - delta. regret and bound: means after the last case."
)


def make(
    learning: Mapping, alternatives: Sequence[int], deltas: Sequence[float], cases: int, runs: int
) -> dict[str, Table | Picture]:
    """Return the figure with its curves, and how often the bound holds."""
    curves = theorem(learning_of(learning), alternatives, deltas, cases, runs)
    title = f"Regret of Algorithm 1 and the bound of theorem 1, {runs} runs of each game"
    coverage = coverage_of_bound(curves, runs)
    return {
        "theorem1": Picture(draw_theorem(curves, coverage, title), curves),
        "theorem1_kept": Table(coverage, "Coverage of the bound of theorem 1", NOTE),
    }
