"""Table 1, its averages, their comparisons with the paper, and the spread over replicates."""

from collections.abc import Mapping, Sequence

from schedlab.report import comparison
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, compare_means, read_runs
from schedlab.studies.souza2020.tables import runs as of_runs


def make(
    stages: Sequence[str], published: str, reasons: str, rows: Sequence[Mapping]
) -> dict[str, Table]:
    """Return the tables."""
    runs, on = read_runs(stages), background_of(rows)
    table1 = of_runs.table1(runs)
    printed = comparison.read_published(published, "table1")
    why = {
        item: comparison.read_reasons(reasons, item)
        for item in ("table1", "averages", "percentages", "text")
    }
    parts = {
        item: comparison.read_published(published, item) for item in ("averages", "percentages")
    }
    text = comparison.read_published(published, "text")
    made = {
        "table1": table1,
        "table1_comparison": compare_means(printed, table1, of_runs.COLUMNS, why["table1"]),
        "averages": of_runs.averages(table1),
        "arithmetic_comparison": of_runs.recompute(printed, parts, why),
        "percentages": of_runs.percentages(table1),
        "text": of_runs.compare_text(text, printed, table1, why["text"]),
        "spread": of_runs.spread(printed, runs),
    }
    facts = {"on": on, "least": of_runs.LEAST["TWT"]}
    return {item: Table(table, facts=facts) for item, table in made.items()}
