"""The items of klusacek2016, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Item, Study, groups_of, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.klusacek2016 import statistics
from schedlab.studies.klusacek2016.figures import beyond, drawn, searching
from schedlab.studies.klusacek2016.inputs import facts_of, names_of, planned_by_node
from schedlab.studies.klusacek2016.tables import baselines, means, sets


def page(study: Study) -> dict[str, Any]:
    """Return the description of the page, without its items."""
    return {
        "story_tables": ["table1_periods", "beyond_search", "beyond_waits", "claims"],
        "thumbnail": "fig1" if study.config["source"] == "models" else "fig_table1",
        "results": study.results_of("means", "starts"),
        "logs": study.logs,
        "names": names_of(study),
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    published, reasons = study.resource("published.tsv"), study.resource("reasons.tsv")
    costs = study.shown("fig5.csv")
    by_node = planned_by_node(study)
    names = [row.experiment for row in by_node]

    def runs_of(item: str, prefix: str = "") -> dict[str, list[str]]:
        return {f"{prefix}{kind}": study.results_of(item, kind) for kind in ("jobs", "starts")}

    listed = [
        Group(
            "make_plans_table1",
            "Table 1",
            [
                *(Item("table1"), Item("table1_comparison"), Item("table1_periods")),
                Item("fig_table1", "figure"),
            ],
            "Writing Table 1 of klusacek2016",
            runs_of("table1")
            | {"periods": study.results_of("periods", "periods")}
            | {"published": published, "reasons": reasons},
            {
                "rows": facts_of(study, study.of_item("table1")),
                "logs": [row.source for row in study.of_item("periods")],
                "names": names_of(study),
            },
            maker="table1",
        ),
        sets,
        means,
        baselines,
        Group(
            "compare_plans_text",
            "Whole logs",
            [Item("text")],
            "Comparing the text of klusacek2016",
            {kind: study.results(kind, names) for kind in ("jobs", "starts")}
            | {"costs": costs, "published": published},
            {"rows": facts_of(study, by_node)},
            maker="text",
        ),
        statistics,
        drawn,
        searching,
        Group("time_plans", "The search", [Item("fig5", "figure")], written_out=True),
        beyond,
    ]
    models = dict.fromkeys(row.stand_in for row in study.rows if row.stand_in)
    words = {"stand_ins": listed_workloads(models)}
    return with_words(groups_of(study, *listed), study, lambda _: words)
