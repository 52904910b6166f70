"""List the items of klusacek2016, and describe its page."""

from collections.abc import Iterable
from typing import Any

from schedlab.files.sheets import cells_of
from schedlab.report.items import Group, Item, Study, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.klusacek2016.sheet import REACT, REPLAY, PlanExperiment, clusters_of
from schedlab.studies.klusacek2016.tables.sets import SHOWN_FOR

#: the experiment whose plans are stored and searched by other searches
SEARCHED = "cerit_recorded_aggregate"
WHOLE_LOGS = ("fig1", "fig2", "fig3", "fig6", "fig7", "fig8")
COLUMNS = {"experiment", "label", "source", "users", "mode", "intervals", "queues"}
COLUMNS |= {"factor", "cycle", "iterations", "scope"}


def page(study: Study) -> dict[str, Any]:
    """Return the description of the page, without its items."""
    return {
        "title": "Planning and metaheuristic optimization in production job scheduler",
        "authors": "D. Klusáček and V. Chlumský",
        "venue": "JSSPP 2016",
        "summary": (
            "A scheduler that plans every job ahead and improves its plan by random search, "
            "compared with queues with backfilling, with users who react to how long they wait."
        ),
        "story_tables": ["table1_periods", "beyond_search", "beyond_waits", "claims"],
        "thumbnail": "fig1" if study.config["source"] == "models" else "fig_table1",
        "results": study.results_of("means", "starts"),
        "logs": study.logs,
        "names": names_of(study),
    }


def names_of(study: Study) -> dict[str, str]:
    """Return the names of models that replace logs, also for the sets that none of its logs has."""
    models = {row.label: row.stand_in for row in study.of_item("table1") if row.stand_in}
    others = {
        name: f"{models[shown]}, for {name}" for name, shown in SHOWN_FOR.items() if shown in models
    }
    return study.names | others


def groups(study: Study) -> list[Group]:
    """List the groups of items, in the order of the page."""
    published, reasons = study.resource("published.tsv"), study.resource("reasons.tsv")
    costs, moves = study.shown("fig5.csv"), f"<results>/simulations/{study.key}/moves.parquet"
    by_node = planned_by_node(study)
    names = [row.experiment for row in by_node]
    runs_by_node = {kind: study.results(kind, names) for kind in ("jobs", "starts")}
    first, searched = by_node[0], study.row(SEARCHED)
    custom = [Item("own")] if study.of_item("own") else []

    def runs_of(item: str, prefix: str = "") -> dict[str, list[str]]:
        return {f"{prefix}{kind}": study.results_of(item, kind) for kind in ("jobs", "starts")}

    all_groups = [
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
        Group(
            "make_plans_readings",
            "Table 1",
            [Item("table1_readings"), Item("table1_joint")],
            "Writing readings of Table 1",
            {
                "runs": study.results_of("periods", "periods")
                + study.results_of("readings", "periods"),
                "published": published,
            },
            {"rows": facts_of_readings(study), "sets": count_sets(study)},
            maker="readings",
        ),
        Group(
            "make_plans_means",
            "Whole logs",
            [Item("means"), *custom],
            "Writing {item} of klusacek2016",
            runs_of,
            lambda item: {"rows": facts_of(study, study.of_item(item))},
            maker="means",
            each=True,
        ),
        Group(
            "make_plans_baselines",
            "Whole logs",
            [Item("baselines")],
            "Comparing Plan-RS with each baseline",
            runs_of("means", "plan_") | runs_of("baselines", "other_"),
            {
                "plans": facts_of(study, study.of_item("means")),
                "others": facts_of(study, study.of_item("baselines")),
            },
            maker="baselines",
        ),
        Group(
            "compare_plans_text",
            "Whole logs",
            [Item("text")],
            "Comparing the text of klusacek2016",
            runs_by_node | {"costs": costs, "published": published},
            {"rows": facts_of(study, by_node)},
            maker="text",
        ),
        Group(
            "check_plans_claims",
            "Claims",
            [Item("claims", "table text")],
            "Checking the claims of klusacek2016",
            runs_of("table1", "set_")
            | runs_of("means", "log_")
            | {"moves": moves, "costs": costs, "claims": study.resource("claims.tsv")},
            {
                "sets": facts_of(study, study.of_item("table1")),
                "logs": facts_of(study, study.of_item("means")),
                "moves_of": first.experiment,
            },
            maker="claims",
        ),
        Group(
            "draw_plans",
            "Whole logs",
            [Item(name, "figure") for name in WHOLE_LOGS],
            "Drawing {item} of klusacek2016",
            runs_by_node,
            {"rows": facts_of(study, by_node)},
            maker="runs",
            each=True,
        ),
        Group(
            "draw_moves",
            "The search",
            [Item("fig4", "figure")],
            "Drawing figure 4 of klusacek2016",
            {"moves": moves},
            {"title": f"{first.workload}, {first.label}", "source": first.source},
        ),
        Group("time_plans", "The search", [Item("fig5", "figure")], written_out=True),
        Group(
            "show_searches",
            "Beyond the paper",
            [
                Item("beyond_search", "table figure text"),
                Item("beyond_search_curves", "data"),
                Item("beyond_budget"),
                Item("beyond_waits"),
            ],
            "Showing searches of kept plans",
            {
                "searches": study.results("searches", [SEARCHED])[0],
                "runs": study.results_of("budgets", "periods"),
            },
            {
                "paper_budget": searched.iterations,
                "label": f"{searched.workload}, {searched.label}",
                "rows": [
                    facts | {"label": facts["source"] if facts["is_model"] else facts["label"]}
                    for facts in facts_of(study, study.of_item("budgets"))
                ],
                "names": study.names,
            },
        ),
    ]
    models = dict.fromkeys(row.stand_in for row in study.rows if row.stand_in)
    return with_words(all_groups, study, lambda _: {"stand_ins": listed_workloads(models)})


def planned_by_node(study: Study) -> list[PlanExperiment]:
    """Return the log planned by node, as in the paper: with recorded and reacting users."""
    nodes = [row for row in study.of_item("means") if row.mode == "nodes"]
    return [next(row for row in nodes if row.users == users) for users in (REPLAY, REACT)]


def facts_of(study: Study, rows: Iterable[PlanExperiment]) -> list[dict[str, Any]]:
    """Return the cells of rows that tables and figures need."""
    machines = study.locate("config/machines.tsv")
    return [
        cells_of(row, COLUMNS)
        | {"processors": sum(one["nodes"] * one["cpus"] for one in clusters_of(row, machines))}
        | {"is_model": row.is_model, "name": row.name, "workload": row.workload}
        for row in rows
    ]


def facts_of_readings(study: Study) -> list[dict[str, Any]]:
    """Return the cells of each reading of Table 1, the default reading first."""
    readings = facts_of(study, study.of_item("readings"))
    labels = {row["source"]: row["label"] for row in readings}
    periods = facts_of(study, study.of_item("periods"))
    return [row | {"label": labels[row["source"]]} for row in periods] + readings


def count_sets(study: Study) -> dict[str, int]:
    """Return the number of sets of each log in Table 1."""
    sources = [row.source for row in study.of_item("table1")]
    return {source: sources.count(source) for source in sources}
