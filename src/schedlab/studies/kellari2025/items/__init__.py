"""The items of kellari2025, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Item, Study, groups_of, with_words
from schedlab.studies.kellari2025 import means, statistics
from schedlab.studies.kellari2025.figures import beyond, comparisons, coschedules, illustrations
from schedlab.studies.kellari2025.inputs import POOL, labels_of, runs_of


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
    published = study.resource("published.tsv")
    reasons = study.resource("reasons.tsv")
    compared = ("joint", "table6_readings", "orderings", "correlations_comparison")
    listed = [
        Group(
            "show_pool",
            "Chapter 4",
            [
                *map(Item, ("table4_1", "table4_1_comparison", "table4_2")),
                *(Item("fig4_6", "figure"), Item("fig4_6_panels", "figure")),
            ],
            "Writing Tables 4.1 and 4.2 and drawing figure 4.6",
            {
                "frame": POOL,
                "sizes": study.resource("table4_2.tsv"),
                "published": published,
                "reasons": reasons,
            },
        ),
        means,
        Group(
            "compare_table6",
            "Chapter 6",
            [Item("table6_comparison"), Item("identity", "table text"), *map(Item, compared)],
            "Comparing Tables 6.1 and 6.2 with the thesis",
            {
                "table6": runs_of(study, "table6"),
                "orderings": runs_of(study, "orderings"),
                "readings": runs_of(study, "readings"),
                "printed": published,
                "reasons": reasons,
            },
            {"labels": labels_of(study, "readings")},
            maker="comparison",
        ),
        statistics,
        illustrations,
        coschedules,
        comparisons,
        beyond,
    ]
    groups = groups_of(study, *listed)
    return with_words(groups, study, lambda name: {"own": name.endswith("_own")})
