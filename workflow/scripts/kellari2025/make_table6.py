"""Table 6.1 or 6.2 of kellari2025."""

from collections.abc import Sequence

from schedlab.logs import logged
from schedlab.papers.kellari2025.tables import chapter6
from schedlab.report import tables

TITLES = {
    "table6_1": "Table 6.1: mean values, part 1",
    "table6_2": "Table 6.2: mean values, part 2",
}


def make_table6(
    table: str, runs: Sequence[str], own: Sequence[str], many: int, csv: str, md: str
) -> None:
    """Write the table, with `own` schedulers; comparisons are with `many` more workloads."""
    found = chapter6.read_runs(runs)
    means = chapter6.table6(found, table, own)
    tables.write_csv(means, csv)
    tables.write_markdown(means, md, TITLES[table], chapter6.run_on(found, many), 3)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table6(
            table=job.wildcards.table.removesuffix("_own"),
            runs=job.input.runs,
            own=job.params.own,
            many=job.params.many,
            csv=job.output.csv,
            md=job.output.md,
        )
