"""Tables of results: a row a result, and a row a group of jobs."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.cli.output import number_or_missing, print_text, show_table
from schedlab.core.metrics import Metric, summary_metrics
from schedlab.workbench.results import Result

#: of jobs that do not say which they belong to
NOT_NAMED = "(not named)"


def show_results(title: str, of: str, results: Sequence[Result]) -> None:
    """Print the metrics of results."""
    metrics = summary_metrics()
    rows = [(result.label, *_numbers(result.summary(), metrics)) for result in results]
    show_table(title, (of, *(metric.heading for metric in metrics.values())), rows)


def show_groups(results: Sequence[Result], by: Sequence[str], most: int | None = None) -> None:
    """Print the metrics of groups of jobs, a table for each result and property.

    `most` is the number of groups that are printed, those with most core-hours; all by default.
    """
    metrics = summary_metrics(groups=True)
    for group in by:
        for result in results:
            table = result.by(group)
            rows = [
                (
                    key or NOT_NAMED,
                    f"{row['jobs']:,.0f}",
                    f"{row['core_hours']:,.0f}",
                    *_numbers(row, metrics),
                )
                for key, row in table.head(most or len(table)).iterrows()
            ]
            columns = (group, "jobs", "core-hours", *(one.heading for one in metrics.values()))
            show_table(f"{result.label}, by {group}", columns, rows)
            if len(rows) < len(table):
                print_text(f"and {len(table) - len(rows):,} more: --by {group} prints all")


def _numbers(summary: pd.Series, metrics: Mapping[str, Metric]) -> list[str]:
    """Format the metrics of a summary; a dash for one that does not exist."""
    return [number_or_missing(summary[name], metric.format) for name, metric in metrics.items()]
