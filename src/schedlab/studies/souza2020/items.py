"""The items of souza2020, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Item, Study, groups_of, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.souza2020 import statistics
from schedlab.studies.souza2020.figures import beyond, diagrams, lines, makespans, pools, rates
from schedlab.studies.souza2020.sheet import WAITS
from schedlab.studies.souza2020.tables import accuracy, ratios, runs


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    return {
        "story_tables": ["arithmetic_comparison", "claims"],
        "thumbnail": "fig6",
        "results": study.results_of("table1", "stages"),
        "logs": study.logs,
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    listed = [
        runs,
        accuracy,
        ratios,
        diagrams,
        makespans,
        lines,
        statistics,
        rates,
        beyond,
        pools,
        Group(
            "score_waits",
            "Beyond the paper",
            [Item("waits", "table figure text")],
            written_out=True,
        ),
    ]

    def models_of(item: str) -> str:
        """Return the names of the models that replace logs in an item."""
        rows = [row for row in study.rows if (row.item == WAITS) == (item == WAITS)]
        return listed_workloads(dict.fromkeys(row.stand_in for row in rows if row.stand_in))

    return with_words(groups_of(study, *listed), study, lambda item: {"stand_ins": models_of(item)})
