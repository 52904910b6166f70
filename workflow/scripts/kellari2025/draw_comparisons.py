"""Figures 6.1 to 6.15 of kellari2025 that compare schedulers: boxplots, fronts, correlations."""

from collections.abc import Mapping

import pandas as pd

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.kellari2025.figures import comparisons
from schedlab.papers.kellari2025.tables import chapter6
from schedlab.report import tables

COEFFICIENTS = {"fig6_14": ["pearson", "kendall"], "fig6_15": ["spearman"]}


def draw_comparisons(runs: str, outputs: Mapping[str, str]) -> None:
    """Draw each figure and write what it draws beside it; `outputs` by `figure_kind`."""
    ten = chapter6.with_speedups(read_parquet(runs))
    on = f"{ten['workload'].nunique()} workloads of {ten['jobs'].iloc[0]} jobs on "
    on += ten["pool"].iloc[0]
    figures = {}
    for name, metric in comparisons.BOXES.items():
        values = chapter6.box_values(ten, metric)
        figures[name] = (comparisons.draw_boxes(values, metric, on), values)
    for name, axes in comparisons.FRONTS.items():
        points = chapter6.front(ten, *axes)
        figures[name] = (comparisons.draw_front(points, *axes, on), points)
    for name, methods in COEFFICIENTS.items():
        found = {method: chapter6.correlations(ten, method) for method in methods}
        below = [table.rename_axis("metric").reset_index() for table in found.values()]
        listed = [
            table.assign(coefficient=method) for method, table in zip(methods, below, strict=True)
        ]
        drawn = comparisons.draw_correlations(
            {key.title(): table for key, table in found.items()}, on
        )
        figures[name] = (drawn, pd.concat(listed, ignore_index=True))
    for name, (figure, table) in figures.items():
        save(figure, outputs[f"{name}_pdf"], outputs[f"{name}_png"])
        tables.write_csv(table, outputs[f"{name}_csv"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_comparisons(job.input.runs, dict(job.output.items()))
