"""Rank correlation of columns that rank policies with the printed ones; Table 2 as ratios."""

from collections.abc import Sequence

import pandas as pd

from schedlab.files.logs import logged
from schedlab.report import columns, comparison, tables
from schedlab.report.figures.style import save
from schedlab.studies.legrand2018.figures.beside import draw_ratios, ratios

INDEX = "policy"
DRAWN = "table2"
NOTE = (
    "equal: how many numbers of the column match ours when both are sorted. Kendall's tau-b and "
    "Spearman's rho; orders are from the smallest sum to the largest. Where a column was sorted "
    "without the names of its rows, a second row has every number with its owner."
)


def rank_columns(
    items: Sequence[str],
    files: Sequence[str],
    published: str,
    owners: str,
    csv: str,
    md: str,
    pdf: str,
    png: str,
    figure_csv: str,
) -> None:
    """Write a row per table, column and way to read what is printed; draw `DRAWN`."""
    ranks = []
    for item, path in zip(items, files, strict=True):
        printed = comparison.read_published(published, item)
        whose = columns.read_owners(owners, item)
        ours = columns.read_ours(path, INDEX)
        missing = columns.why_missing(ours, printed)
        frame = columns.rank_columns(printed, whose, ours, missing)
        frame.insert(0, "trace", ours["trace"].iloc[0])
        frame.insert(0, "table", item)
        ranks.append(frame)
        if item == DRAWN:
            held = ratios(printed.drop(index=list(missing)), ours)
            save(draw_ratios(held, ours["trace"].iloc[0]), pdf, png)
            tables.write_csv(held, figure_csv)
    table = pd.concat(ranks, ignore_index=True)
    tables.write_csv(table, csv)
    title = "Tables 2 to 6: rank correlation with the printed columns"
    tables.write_markdown(table, md, title, NOTE, 4)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        rank_columns(
            items=job.params.ranked,
            files=job.input.tables,
            published=job.input.published,
            owners=job.input.owners,
            csv=job.output.csv,
            md=job.output.md,
            pdf=job.output.pdf,
            png=job.output.png,
            figure_csv=job.output.figure_csv,
        )
