"""The items of a site, and the texts of its page."""

from typing import Any

from schedlab.core.metrics import tail_metrics, window_metrics
from schedlab.report.items import Group, Item, Study, facts_of_metric, with_words
from schedlab.studies.site.init import heading_of

#: the cleaned log, which all rules share
CLEANED = {
    "jobs": "<results>/simulations/site/clean.parquet",
    "ledger": "<results>/simulations/site/clean.ledger.parquet",
    "lost": "<results>/simulations/site/clean.lost.parquet",
}
#: policies that carastan2017 learned, which also run on the site's log
LEARNED = "<results>/policies/learned.csv"
#: the box, what simulations miss, reasons of the choice and its rule, then further texts
TEXTS = ("answer", "simulation_error", "gains", "rule", "site_policies", "arena_said", "slurm")


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    return {
        "title": heading_of(study.config["site"]["name"]),
        "authors": "",
        "venue": "",
        "summary": "",
        "also": [f"<results>/report/{study.key}.html"],
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    site = {"site": study.config["site"]}
    all_groups = [
        Group(
            "describe_site",
            "Workload",
            [
                *(Item("profile"), Item("queues"), Item("lost")),
                *(Item("fig_workload", "figure"), Item("fig_arrivals", "figure")),
                Item("lost_said", "text"),
            ],
            "Describing the site's log",
            CLEANED,
            site,
            maker="workload",
            memory=2000,
            minutes=10,
        ),
        Group(
            "recommend_for_site",
            "Schedulers",
            [
                *(Item("decision"), Item("survivors"), Item("why_not")),
                *map(Item, (*window_metrics(), *tail_metrics())),
                *(Item("losers"), Item("absent")),
                *(Item("fig_survivors", "figure"), Item("fig_ratios", "figure")),
                *(Item(name, "text") for name in TEXTS),
            ],
            "Choosing what the site should run",
            {
                **CLEANED,
                "metrics": f"<results>/simulations/{study.key}/arena.parquet",
                "facts": f"<results>/simulations/{study.key}/arena.facts.parquet",
                "losers": f"<results>/simulations/{study.key}/arena.losers.parquet",
                "learned": LEARNED,
                "held_out": study.shown("held_out.csv"),
            },
            site | {"own": study.config["policies"], "advice": study.config["advice"]},
            maker="schedulers",
            memory=2000,
            minutes=10,
        ),
        Group(
            "train_site",
            "Policies of its own",
            [
                *(Item("policies"), Item("held_out"), Item("fig_held_out", "figure")),
                Item("held_out_said", "text"),
            ],
            written_out=True,
        ),
        Group(
            "predict_waits_on_site",
            "Predictions",
            [Item("waits"), Item("fig_waits", "figure"), Item("waits_said", "text")],
            written_out=True,
        ),
    ]
    return with_words(all_groups, study, facts_of_metric)
