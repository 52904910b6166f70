"""The items of the arena, and the texts of its page."""

from typing import Any

from schedlab.core.metrics import tail_metrics, window_metrics
from schedlab.report.items import Group, Item, Study, facts_of_metric, with_words

TABLES = ("survivors", "why_not", "losers", "guards", "windows", "schedulers", "absent")


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    names = [row.experiment for row in study.rows]
    models = study.config["source"] == "models"
    return {
        "title": "Which policy should my site run?",
        "authors": "Every scheduler of the five papers, and EASY++, EASY-SJBF, SAF, SPF and SQF",
        "venue": "on model workloads" if models else "on every available log",
        "summary": (
            f"Every scheduler runs once over the same {'models' if models else 'logs'}, with "
            "users' estimates. "
            f"{'With logs, a' if models else 'A'} scheduler is recommended if it gains and no job "
            "waits too long."
        ),
        "results": [f"<results>/simulations/{study.key}/{name}.parquet" for name in names],
        "logs": [] if models else [row.source for row in study.rows],
        "also": [
            *(f"<results>/report/{page}.html" for page in (study.key, "explore")),
            *(f"<results>/report/schedules/{name}.html" for name in names),
        ],
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    names = [row.experiment for row in study.rows]
    all_groups = [
        Group(
            "rank_schedulers",
            "Every scheduler",
            [
                *map(Item, (*window_metrics(), *tail_metrics(), *TABLES)),
                Item("fig_guards", "figure"),
                Item("fig_survivors", "figure"),
                *(Item(f"fig_{name}", "figure") for name in window_metrics()),
                *(Item("findings", "text"), Item("rule", "text")),
                Item("cells", "data"),
                Item("window_cells", "data"),
            ],
            "Ranking the schedulers of the arena",
            {
                "metrics": page(study)["results"],
                **{kind: study.results(kind, names) for kind in ("facts", "losers", "guards")},
                "recorded": f"<results>/simulations/{study.key}/recorded/waits.parquet",
            },
            {
                "labels": {row.experiment: row.name for row in study.rows},
                "advice": study.config["advice"],
            },
            maker="rank_schedulers",
            memory=2000,
            minutes=10,
        )
    ]
    return with_words(all_groups, study, facts_of_metric)
