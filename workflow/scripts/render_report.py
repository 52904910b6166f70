"""The report: one HTML page that needs nothing beside it."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.report import render

TABLES = (
    "table2",
    "table4",
    "table4_full",
    "table4_generated",
    "table5",
    "table5_comparison",
    "table4_comparison",
    "table4_ranks",
)


def render_report(
    template: str,
    tables: Mapping[str, str],
    figures: Sequence[str],
    fetched: Sequence[str],
    config: Mapping,
    scale: str,
    html: str,
) -> None:
    """Fill `template` with the tables (.csv by item), figures (.png) and fetch reports (.json)."""
    render(template, tables, figures, fetched, config, scale, html)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        render_report(
            job.input.template,
            {name: path for name, path in job.input.items() if name in TABLES},
            job.input.figures,
            job.input.fetched,
            job.params.config,
            job.params.scale,
            job.output.html,
        )
