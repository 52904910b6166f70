"""The items of legrand2018, and the contents of its page."""

import re
from typing import Any

from schedlab.report.items import Group, Item, Study, groups_of, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.legrand2018 import statistics, tables
from schedlab.studies.legrand2018.figures import by_trace, one_trace, ratios
from schedlab.studies.legrand2018.inputs import COMPARISON, THRESHOLDS, own_of, rows_of


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    logs = [
        row.source for row in study.rows if not row.is_model and (row.unit == "weeks" or row.is_own)
    ]
    return {
        "further": {"tau": facts_of(study, "fig1")["tau"], "own": headings_of_own(study)},
        "story_tables": [
            *(f"{table}{COMPARISON}" for table in THRESHOLDS),
            *("conclusions", "ranks", "online", "claims", "toggles"),
        ],
        "thumbnail": "fig4" if study.config["source"] == "models" else "fig_table2",
        "results": study.results("pure", (row.experiment for row in study.rows)),
        "logs": [] if study.config["source"] == "models" else list(dict.fromkeys(logs)),
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    listed = [
        tables,
        ratios,
        statistics,
        Group(
            "learn_online",
            "Tables",
            [Item("online", "table text"), Item("fig_online", "figure")],
            written_out=True,
        ),
        Group(
            "toggle_sums",
            "Why does it differ?",
            [Item("toggles", "table text"), Item("fig_toggles", "figure")],
            written_out=True,
        ),
        by_trace,
        one_trace,
    ]
    return with_words(groups_of(study, *listed), study, lambda item: facts_of(study, item))


def facts_of(study: Study, item: str) -> dict[str, Any]:
    """Return the facts of an item for its caption."""
    rows = rows_of(study, item)
    every = {
        "traces": [row.name for row in rows],
        "periods": [f"{row.pieces} {row.unit}" for row in rows],
        "cleaning": [row.cleaning for row in rows if not row.is_model],
        "tau": [f"{row.tau:g}" for row in rows],
        "threshold": [f"{row.threshold:,}" for row in rows],
        "own": own_of(study, item),
    }
    facts = {name: ", ".join(dict.fromkeys(values)) for name, values in every.items()}
    facts["traces"] = listed_workloads(dict.fromkeys(every["traces"]))
    facts["cleaning"] = facts["cleaning"] or "none"
    number = re.fullmatch(r"(?:table|fig)(\d+)(?:_text)?(?:_comparison)?(?:_own)?", item)
    return facts | {
        "resamples": f"{study.config[study.key]['online']['resamples']:,}",
        "number": number[1] if number else "",
    }


def headings_of_own(study: Study) -> dict[str, str]:
    """Return the headings of the items that show your traces or policies."""
    headings = {}
    for name in (item.name for group in groups(study) for item in group.items):
        facts = facts_of(study, name)
        if facts["own"] or any(row.is_own for row in rows_of(study, name)):
            headings[name] = facts["traces"] + (f", with {facts['own']}" if facts["own"] else "")
    return headings
