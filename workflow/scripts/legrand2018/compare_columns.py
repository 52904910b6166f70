"""Every number of a table, published and ours, with verdicts."""

from schedlab.files.logs import logged
from schedlab.report import columns, comparison, tables, verdicts

POLICIES = "policy"
NOTE = (
    "kendall: Kendall's tau of the column with the printed one, where it ranks policies. "
    "printed_as: the row that the number stands in; its column was sorted without the names."
)


def compare_columns(
    item: str,
    index: str,
    table: str,
    published: str,
    owners: str,
    reasons: str,
    csv: str,
    md: str,
) -> None:
    """Write the comparison of an item.

    `index` is the column of our table that names its rows: where they are policies each column
    ranks them, everything else is facts.
    """
    printed = comparison.read_published(published, item)
    ours = columns.read_ours(table, index)
    missing = columns.why_missing(ours, printed)
    known, ordered = comparison.read_reasons(reasons, item), index == POLICIES
    compared = columns.compare_columns(
        printed, columns.read_owners(owners, item), ours, missing, known, ordered
    )
    tables.write_csv(compared, csv)
    title = f"Table {item.removeprefix('table')}, published and ours"
    tables.write_markdown(compared, md, title, f"{verdicts.told()} {NOTE}", {"ratio": 4})


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_columns(
            item=job.wildcards.item,
            index=job.params.how["index"],
            table=job.input.table,
            published=job.input.published,
            owners=job.input.owners,
            reasons=job.input.reasons,
            csv=job.output.csv,
            md=job.output.md,
        )
