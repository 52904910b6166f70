"""The report: one HTML page that needs nothing beside it."""

from collections.abc import Mapping, Sequence

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
    render_report(
        snakemake.input.template,  # noqa: F821
        {name: snakemake.input[name] for name in TABLES},  # noqa: F821
        snakemake.input.figures,  # noqa: F821
        snakemake.input.fetched,  # noqa: F821
        snakemake.params.config,  # noqa: F821
        snakemake.params.scale,  # noqa: F821
        snakemake.output.html,  # noqa: F821
    )
