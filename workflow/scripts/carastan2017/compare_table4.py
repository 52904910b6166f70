"""Every number of Table 4, published and ours, with ratio, verdict and reason; ranks row by row."""

from collections.abc import Mapping, Sequence

from schedlab.files.logs import logged
from schedlab.report import comparison, tables, verdicts
from schedlab.studies.carastan2017.published import compare_table4 as compare
from schedlab.studies.carastan2017.published import rank_table4, read_table4
from schedlab.studies.carastan2017.sheet import Experiment

NOTE = f"{verdicts.told()} kendall: Kendall's tau of the row's policies with the printed row."
RANKS = "Kendall's tau-b and Spearman's rho; orders are from the smallest median to the largest."


def compare_table4(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    published: str,
    reasons: str,
    source: str,
    csv: str,
    md: str,
    ranks_csv: str,
    ranks_md: str,
) -> None:
    """Write the comparison and the rank correlations as .csv and .md."""
    experiments = [Experiment(**row) for row in rows]
    numbers = read_table4(published, experiments, simulations, source)
    table = compare(*numbers, comparison.read_reasons(reasons, "table4"))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 4, published and ours", NOTE, {"ratio": 4})
    ranks = rank_table4(*numbers)
    tables.write_csv(ranks, ranks_csv)
    title = "Table 4: rank correlation with the published rows"
    tables.write_markdown(ranks, ranks_md, title, RANKS, 4)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        compare_table4(
            rows=job.params.rows,
            simulations=job.input.simulations,
            published=job.input.published,
            reasons=job.input.reasons,
            source=job.params.source,
            csv=job.output.csv,
            md=job.output.md,
            ranks_csv=job.output.ranks_csv,
            ranks_md=job.output.ranks_md,
        )
