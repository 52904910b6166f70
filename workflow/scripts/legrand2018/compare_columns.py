"""Every number of the tables, published and ours, with verdicts; rank correlation by column."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.logs import logged
from schedlab.report import columns, comparison, tables

NOTE = (
    "match: equal to the printed digit, one unit in the last allowed. ordering holds: not equal, "
    "but the column ranks its rows as printed. exchanged: a printed number that seems to stand in "
    "another's row, and what it is then; its column's verdicts are given both ways."
)
NOTE_RANKS = (
    "Kendall's tau-b and Spearman's rho; orders are from the smallest sum to the largest. Where "
    "printed numbers seem to stand in each other's rows, a second row has them exchanged."
)


def compare_columns(
    items: Mapping[str, Mapping],
    files: Sequence[str],
    published: str,
    suspects: str,
    reasons: str,
    csv: Sequence[str],
    md: Sequence[str],
    ranks_csv: str,
    ranks_md: str,
) -> None:
    """Write a comparison per table, and the rank correlations of those that rank policies.

    An item's ``index`` is the column of our table that names its rows, ``exact`` the columns that
    must be equal to the last digit.
    """
    ranks = []
    paths = zip(items.items(), files, csv, md, strict=True)
    for (item, how), path, compared_csv, compared_md in paths:
        printed = comparison.read_published(published, item)
        doubts = columns.read_suspects(suspects, item)
        ours = pd.read_csv(path, keep_default_na=False, dtype={how["index"]: str})
        ours = ours.set_index(how["index"], drop=False)
        missing = columns.why_missing(ours, printed)
        known, slack = comparison.read_reasons(reasons, item), dict.fromkeys(how["exact"], 0)
        compared = columns.compare_columns(printed, doubts, ours, missing, known, slack)
        tables.write_csv(compared, compared_csv)
        title = f"Table {item.removeprefix('table')}, published and ours"
        tables.write_markdown(compared, compared_md, title, NOTE, {"ratio": 4})
        if how["index"] == "policy":
            frame = columns.rank_columns(printed, doubts, ours, missing)
            frame.insert(0, "trace", ours["trace"].iloc[0])
            frame.insert(0, "table", item)
            ranks.append(frame)
    table = pd.concat(ranks, ignore_index=True)
    tables.write_csv(table, ranks_csv)
    title = "Tables 2 to 6: rank correlation with the printed columns"
    tables.write_markdown(table, ranks_md, title, NOTE_RANKS, 4)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_columns(
            *(job.params.items_compared, job.input.tables, job.input.published),
            *(job.input.suspects, job.input.reasons, job.output.csv, job.output.md),
            *(job.output.ranks_csv, job.output.ranks_md),
        )
