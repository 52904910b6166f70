"""Make tables 4.1 and 4.2 and figure 4.6 of kellari2025 from the pool."""

import pandas as pd

from schedlab.cosched.pool import Pool
from schedlab.files.io import read_parquet
from schedlab.report import comparison
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.kellari2025.figures.grids import draw_heatmap, draw_heatmap_panels
from schedlab.studies.kellari2025.tables import chapter4


def make(frame: str, sizes: str, published: str, reasons: str) -> dict[str, Table | Picture]:
    """Return the tables, the comparison of Table 4.1, and both parts of the figure."""
    pool = Pool.from_frame(read_parquet(frame))
    on = f"{pool.label}: {len(pool)} applications, {pool.measured.sum()} of {len(pool) ** 2} "
    on += "ordered pairs measured."
    part = chapter4.table4_1(pool)
    compared = chapter4.compare_table4_1(
        comparison.read_published(published, "table4_1"),
        part,
        pool.label,
        comparison.read_reasons(reasons, "table4_1"),
    )
    problem_sizes = chapter4.table4_2(pd.read_csv(sizes, sep="\t", dtype=str), pool)
    pairs = chapter4.by_processes(pool)
    return {
        "table4_1": Table(part, facts={"on": on}),
        "table4_1_comparison": Table(compared, facts={"on": on}),
        "table4_2": Table(problem_sizes, facts={"on": on}),
        "fig4_6": Picture(draw_heatmap(pairs), pairs),
        "fig4_6_panels": Picture(draw_heatmap_panels(pairs), pairs),
    }
