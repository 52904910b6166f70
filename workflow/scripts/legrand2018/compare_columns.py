"""Every number of a table, published and ours, with verdicts."""

from collections.abc import Sequence

from schedlab.logs import logged
from schedlab.report import columns, comparison, tables

NOTE = (
    "match: equal to the printed digit, one unit in the last allowed. ordering holds: not equal, "
    "but the column ranks its rows as printed. exchanged: a printed number that seems to stand in "
    "another's row, and what it is then; its column's verdicts are given both ways."
)


def compare_columns(
    item: str,
    index: str,
    exact: Sequence[str],
    table: str,
    published: str,
    suspects: str,
    reasons: str,
    csv: str,
    md: str,
) -> None:
    """Write the comparison of an item.

    `index` is the column of our table that names its rows, `exact` the columns that must be equal
    to the last digit.
    """
    printed = comparison.read_published(published, item)
    doubts = columns.read_suspects(suspects, item)
    ours = columns.read_ours(table, index)
    missing = columns.why_missing(ours, printed)
    known, slack = comparison.read_reasons(reasons, item), dict.fromkeys(exact, 0)
    compared = columns.compare_columns(printed, doubts, ours, missing, known, slack)
    tables.write_csv(compared, csv)
    title = f"Table {item.removeprefix('table')}, published and ours"
    tables.write_markdown(compared, md, title, NOTE, {"ratio": 4})


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_columns(
            item=job.wildcards.item,
            index=job.params.how["index"],
            exact=job.params.how["exact"],
            table=job.input.table,
            published=job.input.published,
            suspects=job.input.suspects,
            reasons=job.input.reasons,
            csv=job.output.csv,
            md=job.output.md,
        )
