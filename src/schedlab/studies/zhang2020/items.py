"""The items of zhang2020, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Study, groups_of, with_words
from schedlab.studies.zhang2020 import statistics, tables
from schedlab.studies.zhang2020.inputs import results_of


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    return {
        "results": results_of(study, ""),
        "logs": study.logs,
        "also": [f"<results>/report/{study.key}.html"],
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    facts = {"windows": max(row.windows for row in study.rows)}
    return with_words(groups_of(study, tables, statistics), study, lambda _: facts)
