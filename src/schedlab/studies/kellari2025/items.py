"""The items of kellari2025, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Study, groups_of, with_words
from schedlab.studies.kellari2025 import published, statistics
from schedlab.studies.kellari2025.figures import (
    beyond,
    comparisons,
    coschedules,
    grids,
    illustrations,
)
from schedlab.studies.kellari2025.inputs import runs_of


def page(study: Study) -> dict[str, Any]:
    """Return the description of the page, without its items."""
    pools = {row.pool for row in study.rows}
    arrivals = {row.log for row in study.rows if row.log}
    if study.config["source"] == "models":
        arrivals = set()
    return {
        "story_tables": ["table6_comparison", "beyond_pricing", "beyond_arrivals", "claims"],
        "thumbnail": "fig6_1",
        "results": runs_of(study, "table6"),
        "logs": [*sorted(pools), *sorted(arrivals)],
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    listed = [grids, published, statistics, illustrations, coschedules, comparisons, beyond]
    groups = groups_of(study, *listed)
    return with_words(groups, study, lambda name: {"own": name.endswith("_own")})
