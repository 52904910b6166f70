"""Theorem 1: regret beside its bound."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.souza2020.figures.lines import draw_theorem
from schedlab.papers.souza2020.runs import learning_of
from schedlab.papers.souza2020.theorem import kept, theorem
from schedlab.report import tables

NOTE = (
    "learner: Algorithm 1 with rates as configured, and with those of 1, which the proof is of; "
    "held: the least share of runs within the bound, over all cases, low and high: its exact "
    "binomial 95 % interval; holds: whether that lies above wanted, 1 - delta. regret and bound: "
    "means after the last case."
)


def draw_theorem1(
    learning: Mapping,
    alternatives: Sequence[int],
    deltas: Sequence[float],
    cases: int,
    runs: int,
    outputs: Mapping[str, str],
) -> None:
    """Draw the figure, and write its curves and how often the bound held."""
    curves = theorem(learning_of(learning), alternatives, deltas, cases, runs)
    title = f"Regret of Algorithm 1 and the bound of theorem 1, {runs} runs of each game"
    save(draw_theorem(curves, title), outputs["theorem1_pdf"], outputs["theorem1_png"])
    tables.write_csv(curves, outputs["theorem1_csv"])
    table = kept(curves, runs)
    tables.write_csv(table, outputs["theorem1_kept_csv"])
    tables.write_markdown(table, outputs["theorem1_kept_md"], "How often the bound held", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_theorem1(
            learning=job.params.learning,
            **job.params.theorem,
            outputs=dict(job.output.items()),
        )
