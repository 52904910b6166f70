"""List the items of kellari2025, and describe its page."""

from typing import Any

from schedlab.files.stand_ins import name_of_stand_in
from schedlab.report.items import Group, Item, Study, with_words
from schedlab.studies.kellari2025.tables import chapter6

#: part of a result file's name that denotes the schedulers of its row
SHEET = "sheet"
POOL = "<results>/pools/aris-nas.parquet"
MEANS = ("table6_1", "table6_2")
ILLUSTRATIONS = ("fig3_1", "fig5_1", "fig5_2", "fig5_3")
#: figures of single schedules, and the experiment that each draws
SCHEDULES = {
    "fig4_1": "small",
    "fig4_2": "example",
    "fig4_3": "example",
    "fig4_4": "example",
    "fig4_5": "small",
    "fig6_4": "example",
    "fig6_9": "gantt400",
    "fig6_10": "gantt400",
}
#: settings that are changed one at a time: title, and the scheduler to compare with
SETTINGS = {
    "beyond_estimates": {"title": "Without knowing run times"},
    "beyond_matching": {"title": "Which nodes a job takes"},
    "beyond_arrivals": {"title": "Jobs that arrive over time", "compared_with": "EASY"},
}
OWN_SETTING = {"own": {"title": "Your settings"}}
#: resources of jobs that read metrics, and of those that read schedules or draw comparisons
SMALL, LARGE = {"memory": 1000, "minutes": 5}, {"memory": 1500, "minutes": 5}


def page(study: Study) -> dict[str, Any]:
    """Return the description of the page, without its items."""
    pools = {row.pool for row in study.rows}
    arrivals = {row.log for row in study.rows if row.log}
    if study.config["source"] == "models":
        arrivals = set()
    return {
        "title": "Co-scheduling algorithms for HPC applications",
        "authors": "M. Kellari",
        "venue": "NTUA 2025",
        "summary": (
            "Thirteen schedulers, eight of which let two jobs share nodes, on workloads of "
            "parallel benchmarks whose speed on one node was measured."
        ),
        "story_tables": ["table6_comparison", "beyond_pricing", "beyond_arrivals", "claims"],
        "thumbnail": "fig6_1",
        "results": runs_of(study, "table6"),
        "logs": [*sorted(pools), *sorted(arrivals)],
    }


def groups(study: Study) -> list[Group]:
    """List the groups of items, in the order of the page."""
    published = study.resource("published.tsv")
    reasons = study.resource("reasons.tsv")
    # User-defined policies are in further tables and figures, whose names have this ending.
    ends = ("", "_own") if study.config["policies"] else ("",)
    settings = SETTINGS | (OWN_SETTING if study.of_item("own") else {})

    def own(item: str) -> list[str]:
        return list(study.config["policies"]) if item.endswith("_own") else []

    def runs_with_own(item: str) -> dict[str, list[str]]:
        return {"runs": runs_of(study, "table6", *own(item))}

    def kept(experiment: str) -> str:
        return f"<results>/schedules/{study.key}/{experiment}.parquet"

    all_groups = [
        Group(
            "show_pool",
            "Chapter 4",
            [
                Item("table4_1"),
                Item("table4_1_comparison"),
                Item("table4_2"),
                Item("fig4_6", "figure"),
                Item("fig4_6_panels", "figure"),
            ],
            "Writing Tables 4.1 and 4.2 and drawing figure 4.6",
            {
                "frame": POOL,
                "sizes": study.resource("table4_2.tsv"),
                "published": published,
                "reasons": reasons,
            },
        ),
        Group(
            "make_table6",
            "Chapter 6",
            [Item(f"{table}{end}") for end in ends for table in MEANS],
            "Writing {item}",
            runs_with_own,
            lambda item: {
                "own": own(item),
                "many": max(row.workloads for row in study.of_item("orderings")),
            },
            maker="means",
            each=True,
            **SMALL,
        ),
        Group(
            "compare_table6",
            "Chapter 6",
            [
                Item("table6_comparison"),
                Item("joint"),
                Item("identity", "table text"),
                Item("table6_readings"),
                Item("orderings"),
                Item("correlations_comparison"),
            ],
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
        Group(
            "check_coscheduling_claims",
            "Chapter 6",
            [Item("claims")],
            "Testing sentences of kellari2025",
            {
                "table6": runs_of(study, "table6"),
                "orderings": runs_of(study, "orderings"),
                "example": kept("example"),
                "printed": published,
                "claims": study.resource("claims.tsv"),
            },
            maker="claims",
        ),
        Group(
            "draw_illustrations",
            "Examples",
            [Item(figure, "figure") for figure in ILLUSTRATIONS],
            "Drawing {item} of kellari2025",
            each=True,
            **SMALL,
        ),
        Group(
            "draw_coschedules",
            "Schedules over time",
            [Item(figure, "figure") for figure in SCHEDULES],
            "Drawing {item} of kellari2025",
            lambda item: {"schedules": kept(SCHEDULES[item])},
            lambda item: {"machine": study.row(SCHEDULES[item]).machine},
            each=True,
            **LARGE,
        ),
        Group(
            "draw_comparisons",
            "Chapter 6",
            [Item(f"{figure}{end}", "figure") for end in ends for figure in chapter6.COMPARISONS],
            "Drawing {item} of kellari2025",
            lambda item: runs_with_own(item) | {"printed": published},
            lambda item: {"own": own(item)},
            each=True,
            **LARGE,
        ),
        Group(
            "show_settings",
            "Beyond the thesis",
            [Item(setting, "unshown figure text") for setting in settings],
            "Showing {item}",
            lambda item: {"runs": runs_of(study, item)},
            lambda item: settings[item] | {"labels": labels_of(study, item)},
            each=True,
            **SMALL,
        ),
        Group(
            "show_pricing",
            "Beyond the thesis",
            [
                Item("beyond_pricing", "unshown figure text"),
                Item("beyond_pricing_applications", "data"),
            ],
            "Charging shared jobs",
            {"schedules": kept("pricing")},
            {"machine": study.row("pricing").machine},
            **LARGE,
        ),
        Group(
            "show_pairs",
            "Beyond the thesis",
            [Item("beyond_pairs", "table figure text"), Item("beyond_pairs_effect", "data")],
            "Predicting unmeasured pairs",
            {"frame": POOL, "runs": runs_of(study, "beyond_pairs")},
            {"labels": labels_of(study, "beyond_pairs")},
            **SMALL,
        ),
    ]
    return with_words(all_groups, study, lambda item: {"own": item.endswith("_own")})


def runs_of(study: Study, item: str, *policies: str) -> list[str]:
    """List the result files of an item's experiments, with further policies if given."""
    names = [row.experiment for row in study.of_item(item)]
    return [path for one in (SHEET, *policies) for path in study.results(one, names)]


def labels_of(study: Study, item: str) -> dict[str, str]:
    """Return the labels of an item's experiments; a label names the model that replaces a log."""
    labels = {row.experiment: row.label for row in study.of_item(item)}
    if study.config["source"] == "models":
        for row in study.of_item(item):
            if row.log:
                name = name_of_stand_in(study.models[row.standin], row.log)
                label = row.label.replace(row.log, name)
                labels[row.experiment] = label if name in label else f"{label}, {name}"
    return labels
