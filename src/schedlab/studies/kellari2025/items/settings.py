"""Show the effect of changed settings in a table, sentences and a figure, beyond kellari2025."""

from collections.abc import Mapping, Sequence

import numpy as np

from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.kellari2025 import beyond
from schedlab.studies.kellari2025.figures.beyond import draw_settings
from schedlab.studies.kellari2025.tables import chapter6


def make(
    item: str,
    labels: Mapping[str, str],
    runs: Sequence[str],
    title: str,
    compared_with: str | None = None,
) -> dict[str, tuple[Table, Picture, str]]:
    """Return the table and the figure of the experiments of `labels`.

    The first sentence answers the question. The others state what each setting changes from the
    first one or, with `compared_with`, which schedulers beat that scheduler in each setting.
    """
    all_runs = chapter6.read_runs(runs)
    table = beyond.by_setting(all_runs, labels)
    reference = table["setting"].iloc[0]
    comparison = f"the first setting, {reference}"
    changes = table[table["setting"].ne(reference) & table["scheduler"].ne(NOT_AVAILABLE)]
    lines = [beyond.headline(table), "", *beyond.sentences(table)]
    if compared_with:
        reference, comparison = compared_with, f"{compared_with} in the same setting"
        changes = beyond.gaps(all_runs, labels, reference)
        first = beyond.headline_against(changes, reference)
        lines = [first, "", *beyond.against(changes, labels, reference)]
        table = beyond.with_gaps(table, changes, reference)
        comparison += " (columns against_…) and the first setting"
    count, size = all_runs["workload"].nunique(), all_runs["jobs"].iloc[0]
    on = f"{count} workloads of {size} jobs on {all_runs['pool'].iloc[0]}"
    facts = {"title": title, "on": on, "comparison": comparison}
    more = "\n".join(beyond.as_markdown(lines))
    # The interval over a single workload is infinite.
    table = table.replace([np.inf, -np.inf], np.nan)
    figure = draw_settings(changes, reference, f"{title} ({on})")
    return {item: (Table(table, 3, facts, more), Picture(figure), "\n".join(lines))}
