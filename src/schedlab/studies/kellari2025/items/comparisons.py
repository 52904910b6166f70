"""Make a figure of chapter 6 that compares schedulers: boxes, a front or correlations."""

from collections.abc import Sequence

import pandas as pd

from schedlab.report.figures.picture import Picture
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.figures import comparisons, grids
from schedlab.studies.kellari2025.tables import chapter6


def make(item: str, runs: Sequence[str], own: Sequence[str], printed: str) -> dict[str, Picture]:
    """Return a figure and its data; `own` are user-defined schedulers that it shows too."""
    figure = item.removesuffix("_own")
    all_runs = chapter6.read_runs(runs)
    on = f"{all_runs['workload'].nunique()} workloads of {all_runs['jobs'].iloc[0]} jobs on "
    on += all_runs["pool"].iloc[0]
    if metric := chapter6.BOXES.get(figure):
        table = chapter6.box_values(all_runs, metric, own)
        means = published.published_means(published.read_table6(printed), all_runs, metric)
        table = table.assign(published=table["scheduler"].map(means))
        picture = comparisons.draw_boxes(table, metric, on)
    elif axes := chapter6.FRONTS.get(figure):
        table = chapter6.front(all_runs, *axes, own)
        picture = comparisons.draw_front(table, *axes, on)
    else:
        methods = chapter6.COEFFICIENTS[figure]
        matrices = {name: chapter6.correlations(all_runs, name, own) for name in methods}
        table = pd.concat(
            [
                matrix.rename_axis("metric").reset_index().assign(coefficient=name)
                for name, matrix in matrices.items()
            ],
            ignore_index=True,
        )
        labels = {
            metric.printed: comparisons.AXES[name] for name, metric in chapter6.METRICS.items()
        }
        picture = grids.draw_correlations(
            {name.title(): matrix.rename(labels, axis=0).rename(labels, axis=1)
             for name, matrix in matrices.items()},
            on,
        )  # fmt: skip
    return {item: Picture(picture, table)}
