"""Every number of Table 4, published and ours, with ratio, verdict and reason."""

from collections.abc import Sequence

from schedlab import comparison, tables
from schedlab.experiments import read_experiments
from schedlab.logs import logged

NOTE = (
    "match: equal to the printed digit, one unit in the last allowed (the paper cuts or rounds). "
    "ordering holds: not equal, but the row ranks the policies as printed."
)


def compare_table4(
    sheet: str,
    schema: str,
    simulations: Sequence[str],
    published: str,
    reasons: str,
    source: str,
    csv: str,
    md: str,
) -> None:
    """Write the comparison as .csv and .md."""
    experiments = read_experiments(sheet, schema)
    numbers = comparison.read_table4(published, experiments, simulations, source)
    table = comparison.compare_table4(*numbers, comparison.read_reasons(reasons, "table4"))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 4, published and ours", NOTE, {"ratio": 4})


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_table4(
            *(job.input.sheet, job.input.schema, job.input.simulations),
            *(job.input.published, job.input.reasons, job.params.source),
            *(job.output.csv, job.output.md),
        )
