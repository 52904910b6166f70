"""Tables 4.1 and 4.2 and figure 4.6 of kellari2025: what the pool says."""

from collections.abc import Mapping

import pandas as pd

from schedlab.cosched.pool import Pool
from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.kellari2025.figures.grids import draw_heatmaps
from schedlab.papers.kellari2025.tables import chapter4
from schedlab.report import comparison, tables, verdicts


def show_pool(
    frame: str, sizes: str, published: str, reasons: str, outputs: Mapping[str, str]
) -> None:
    """Write the tables, the comparison of Table 4.1, and the figure; `outputs` by `item_kind`."""
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
    shown = {
        "table4_1": (part, "Table 4.1: part of a heatmap (seconds)"),
        "table4_1_comparison": (compared, "Table 4.1 beside ours"),
        "table4_2": (problem_sizes, "Table 4.2: problem size of each class"),
    }
    for name, (table, title) in shown.items():
        note = f"{on} {verdicts.told()}" if table is compared else on
        tables.write_csv(table, outputs[f"{name}_csv"])
        tables.write_markdown(table, outputs[f"{name}_md"], title, note)
    pairs = chapter4.by_processes(pool)
    save(draw_heatmaps(pairs), outputs["fig4_6_pdf"], outputs["fig4_6_png"])
    tables.write_csv(pairs, outputs["fig4_6_csv"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        show_pool(
            frame=job.input.frame,
            sizes=job.input.sizes,
            published=job.input.published,
            reasons=job.input.reasons,
            outputs=dict(job.output.items()),
        )
