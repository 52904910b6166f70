"""The items of souza2020, and the texts of its page."""

from typing import Any

from schedlab.files.sheets import cells_of
from schedlab.report.items import Group, Item, Study, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.souza2020.sheet import WAITS

#: columns of an experiment that tables and figures receive
COLUMNS = {"experiment", "item", "label", "system", "source", "cores", "load"}
COLUMNS |= {"processors", "request", "accrue"}
#: resources of the jobs that read all replicates
LARGE = {"memory": 2000, "minutes": 10}


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    return {
        "title": "ASA – The Adaptive Scheduling Architecture",
        "authors": "A. Souza, K. Pelckmans, D. Ghoshal, L. Ramakrishnan and J. Tordsson",
        "venue": "HPDC 2020",
        "summary": (
            "Workflows whose stages are submitted before they are needed, as early as a learner "
            "of waiting times says, compared with one job for all of them and with stage by "
            "stage."
        ),
        "story_tables": ["arithmetic_comparison", "claims"],
        "thumbnail": "fig6",
        "results": study.results_of("table1", "stages"),
        "logs": study.logs,
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    settings = study.config[study.key]
    learning, convergence = {"learning": settings["learning"]}, settings["convergence"]
    published = {"published": study.resource("published.tsv")}
    games = {"games": study.shown("theorem1_kept.csv")}
    runs = {"stages": study.results_of("table1", "stages")}
    series = study.results_of("table2", "series")
    readings = study.results_of("readings", "stages")
    all_groups = [
        Group(
            "make_run_tables",
            "Table 1",
            [
                Item("table1"),
                Item("table1_comparison"),
                Item("averages"),
                Item("arithmetic_comparison"),
                Item("percentages"),
                Item("text"),
                Item("spread"),
            ],
            "Writing Table 1 of souza2020",
            runs | published | {"reasons": study.resource("reasons.tsv")},
            {"rows": facts_of(study, "table1")},
        ),
        Group(
            "make_series_tables",
            "Table 2",
            [Item("table2"), Item("table2_comparison")],
            "Writing Table 2 of souza2020",
            {"stages": series} | published,
            learning | {"rows": facts_of(study, "table2")},
            **LARGE,
        ),
        Group(
            "hold_ratios",
            "Table 1",
            [Item("ratios", "table text")],
            "Holding ratios of waits",
            {"stages": runs["stages"] + readings} | published,
            {"rows": facts_of(study, "table1", "readings")},
            **LARGE,
        ),
        Group(
            "draw_diagrams",
            "Diagrams",
            [Item(f"fig{number}", "figure") for number in range(1, 5)],
            "Drawing diagrams of souza2020",
            runs | {"shapes": study.resource("shapes.tsv")},
            {"rows": facts_of(study, "table1")},
            **LARGE,
        ),
        Group(
            "draw_convergence",
            "The learner",
            [Item("fig5", "figure"), Item("fig5_steps")],
            "Drawing figure 5 of souza2020",
            params=learning | convergence,
        ),
        Group(
            "draw_makespans",
            "Makespans",
            [Item(f"fig{number}", "figure") for number in range(6, 9)],
            "Drawing makespans of souza2020",
            runs | published,
            {"rows": facts_of(study, "table1")},
            **LARGE,
        ),
        Group(
            "draw_theorem",
            "The learner",
            [Item("theorem1", "figure"), Item("theorem1_kept")],
            "Drawing theorem 1 of souza2020",
            params=learning | settings["theorem"],
        ),
        Group(
            "check_workflow_claims",
            "Claims",
            [Item("claims", "table text")],
            "Checking the claims of souza2020",
            {
                "table2": study.shown("table2.csv"),
                "steps": study.shown("fig5_steps.csv"),
                "claims": study.resource("claims.tsv"),
                **(runs | games | published),
            },
            {"rows": facts_of(study, "table1")},
            maker="claims",
            **LARGE,
        ),
        Group(
            "draw_calibration",
            "Background",
            [Item("calibration", "figure table")],
            "Drawing the calibration of souza2020",
            {
                "tried": study.results_of("table1", "calibration")
                + study.results_of("table2", "calibration"),
                "runs": runs["stages"] + series,
            },
            {"rows": facts_of(study, "table1", "table2")},
            **LARGE,
        ),
        Group(
            "show_rates",
            "Beyond the paper",
            [
                Item("beyond_rates", "table figure text"),
                Item("beyond_rates_runs"),
            ],
            "Showing Algorithm 1 with falling rates",
            runs | games | {"series": series},
            learning | {"convergence": convergence, "rows": facts_of(study, "table1", "table2")},
            **LARGE,
        ),
        Group(
            "show_predictors",
            "Beyond the paper",
            [Item("beyond_predictors", "table figure text")],
            "Showing predictors of waits",
            runs,
            {"rows": facts_of(study, "table1")},
            **LARGE,
        ),
        Group(
            "show_pools",
            "Beyond the paper",
            [Item("beyond_pool", "table figure text")],
            "Showing pools of allocations",
            runs | {"pooled": study.results_of("table1", "pools")},
            {"rows": facts_of(study, "table1")},
            **LARGE,
        ),
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

    return with_words(all_groups, study, lambda item: {"stand_ins": models_of(item)})


def facts_of(study: Study, *items: str) -> list[dict[str, Any]]:
    """Return the columns that tables and figures need of the rows of some items."""
    rows = [row for item in items for row in study.of_item(item)]
    return [
        cells_of(row, COLUMNS) | {"is_model": row.is_model, "workload": row.workload}
        for row in rows
    ]
