"""List the items of carastan2017, and describe its page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from schedlab.files.sheets import cells_of
from schedlab.report.items import LEARNED, SHEET, Group, Item, Study, with_words
from schedlab.studies.carastan2017.names import LEARNED_COLUMNS
from schedlab.studies.carastan2017.sheet import GENERATED, TABLE4, Experiment
from schedlab.studies.carastan2017.sources import (
    DISTRIBUTIONS,
    KEY_OF_WINDOWS,
    PUBLISHED_SCORES,
    PUBLISHED_WORKLOAD,
    TABLE5,
    label_of_site,
)

#: experiments whose window can be panned and zoomed: one row of a model, one of a log
EXPLORED = ("lublin256_backfill_artefact", "ctc_backfill_full")
BOXES = tuple(f"fig{number}" for number in range(4, 10))
#: ending of the files like Table 4 with learned policies in the full dialect
LEARNED_FULL = "learned_full"
DRAWING: Mapping[str, int] = {"memory": 500, "minutes": 5}


def page(study: Study) -> dict[str, Any]:
    """Return the description of the page, without its items."""
    fits = [f"<results>/policies/{distribution}.parquet" for distribution in DISTRIBUTIONS]
    return {
        "title": "Obtaining dynamic scheduling policies with simulation and machine learning",
        "authors": "D. Carastan-Santos and R. Y. de Camargo",
        "venue": "SC’17",
        "summary": (
            "Policies learned from simulated trials by nonlinear regression, F1 to F4, against "
            "four ad-hoc ones, in eighteen experiments on model workloads and real logs."
        ),
        "elsewhere": [
            "<results>/policies/learned.csv",
            *(f"<results>/report/explore/{name}.html" for name in explored(study)),
        ],
        "explored": {f"explore/{name}.html": study.row(name).name for name in explored(study)},
        "story_tables": ["table4_comparison", "fig_samplers", "claims", "toggles"],
        "thumbnail": "fig4",
        "results": [*simulations(study, rows_of(study.rows, TABLE4)), *fits],
        "logs": logs_shown(study),
        "also": ["<results>/figures/table4.csv"],
    }


def groups(study: Study) -> list[Group]:
    """List the groups of items, in the order of the page."""
    source, custom = study.config["source"], list(study.config["policies"])
    settings = study.config[study.key]["learning"]["sites"]
    printed = {name: study.resource(f"{name}.tsv") for name in ("published", "reasons")}
    further = further_of(study)
    files = files_of_table4(study)
    matrices = ["sites", "sites_own"] if custom else ["sites"]
    ranked = [end for end in further if end != LEARNED_FULL]
    of_table4 = {
        "rows": [cells_of(row) for row in rows_of(study.sheet, TABLE4)],
        "source": source,
    }
    table4 = {"simulations": simulations(study, rows_of(study.rows, TABLE4))}
    resampling = {
        "fewest": settings["fewest"],
        "resamples": settings["resamples"],
        "key": KEY_OF_WINDOWS,
    }

    def end_of(item: str) -> tuple[list[str], Sequence[str]]:
        """Return the folders and column names of the further policies of an item."""
        return next((further[end] for end in further if item.endswith(f"_{end}")), ([], []))

    def drawn(item: str, rows: Iterable[Experiment]) -> list[Experiment]:
        figure = item.partition("_")[0]
        return [row for row in rows if (row.figure or " ")[:-1] == figure]

    def scores(kind: str) -> str:
        learned_from = study.config[study.key]["learning"]["source"]
        return f"<results>/scores/{learned_from}.{kind}.parquet"

    def sites(pattern: str) -> list[str]:
        return [pattern.replace("{site}", site) for site in settings["names"]]

    tested = {
        "draws": sites("<results>/scores/sites/{site}.draws.parquet"),
        "policies": sites("<results>/policies/sites/{site}.resampled.parquet"),
    }
    measured = sites(f"<results>/simulations/{study.key}/sites/{{site}}.parquet")
    own_measured = [
        path
        for name in custom
        for path in sites(f"<results>/simulations/{study.key}/{name}/sites/{{site}}.parquet")
    ]
    with_own = [
        Group(
            "make_sites_own",
            "Site policies",
            [Item("sites_own")],
            "Comparing site policies with user-defined policies",
            tested | {"measured": measured + own_measured},
            {
                "sites": {site: label_of_site(study, site) for site in settings["names"]},
                "own": dict(study.config["policies"]),
            }
            | resampling,
            maker="own_sites",
            memory=1000,
            minutes=5,
        )
    ]
    all_groups = [
        Group(
            "make_definitions",
            "Tables 1 and 2",
            [Item("table1"), Item("table2")],
            "Writing Tables 1 and 2",
        ),
        Group(
            "make_table3",
            "Table 3",
            [
                *(Item("table3"), Item("table3_comparison")),
                *(Item("table3_own"), Item("table3_intercept")),
            ],
            "Writing Table 3",
            {"fits": [f"<results>/policies/{one}.parquet" for one in DISTRIBUTIONS]} | printed,
            {"labels": list(DISTRIBUTIONS.values())},
        ),
        Group(
            "fit_policies",
            "Table 3",
            [Item(f"fitters_{one}") for one in ("published", "uniform")],
            each=True,
            written_out=True,
        ),
        Group(
            "make_table5",
            "Table 5",
            [Item("table5"), Item("table5_comparison")],
            "Writing Table 5",
            {"logs": [f"resources/raw/{log}.swf" for log in TABLE5]} | printed,
            {"rows": TABLE5},
        ),
        Group(
            "compare_table4",
            "Table 4",
            [Item("table4_comparison"), Item("table4_ranks")],
            "Comparing Table 4 with the paper",
            table4 | printed,
            of_table4,
            maker="table4_comparison",
        ),
        Group(
            "check_medians",
            "Table 4",
            [Item("claims")],
            "Checking what carastan2017 says of Table 4",
            {
                "compared": study.shown("table4_comparison.csv"),
                "claims": study.resource("claims.tsv"),
            }
            | table4,
            of_table4,
            maker="claims",
            memory=600,
            minutes=4,
        ),
        *(
            Group(
                f"rank_{end}",
                "Table 4",
                [
                    Item(f"table4_{end}_ranks"),
                    Item(f"table4_{end}_sentence", "text"),
                ],
                f"Ranking the policies in Table 4 ({end})",
                {"simulations": simulations(study, rows_of(study.rows, TABLE4), *further[end][0])},
                of_table4 | {"names": further[end][1], "which": end},
                maker="further_ranks",
                memory=400,
                minutes=4,
            )
            for end in ranked
        ),
        Group(
            "make_table4",
            "Table 4",
            [Item(name) for name in files],
            "Writing {item}",
            lambda item: {
                "simulations": simulations(
                    study, rows_of(study.rows, files[item]), *end_of(item)[0]
                )
            },
            lambda item: {
                "rows": [cells_of(row) for row in rows_of(study.sheet, files[item])],
                "grouped": len(files[item]) > 1,
                "own": end_of(item)[1],
                "source": source,
            },
            each=True,
            memory=400,
            minutes=4,
        ),
        Group(
            "make_sites",
            "Site policies",
            [
                *(Item("sites"), Item("sites_policies"), Item("sites_summary")),
                *(Item("sites_tuples"), Item("sites_sentence", "text")),
            ],
            "Comparing site policies",
            tested
            | {"fits": sites("<results>/policies/sites/{site}.parquet"), "measured": measured},
            {"sites": [label_of_site(study, site) for site in settings["names"]]} | resampling,
            memory=1000,
            minutes=5,
        ),
        *(with_own if custom else []),
        Group(
            "toggle_table4",
            "Why does it differ?",
            [Item("toggles", "table text"), Item("fig_toggles", "figure")],
            written_out=True,
        ),
        Group(
            "draw_fig1",
            "Figures",
            [Item("fig1", "figure")],
            "Drawing fig1",
            {"uniform": scores("uniform"), "artefact": scores("artefact")},
            maker="trial_scores",
            **DRAWING,
        ),
        Group(
            "draw_fig2",
            "Figures",
            [Item("fig2", "figure")],
            "Drawing fig2",
            {"deviations": scores("convergence"), "published": printed["published"]},
            maker="convergence",
            **DRAWING,
        ),
        Group(
            "draw_fig3",
            "Figures",
            [Item("fig3", "figure")],
            "Drawing fig3",
            {
                "fits": "<results>/policies/published.parquet",
                "distribution": f"resources/raw/{PUBLISHED_SCORES}.swf",
            },
            maker="surfaces",
            **DRAWING,
        ),
        Group(
            "draw_samplers",
            "Figures",
            [Item("fig_samplers", "figure")],
            "Drawing fig_samplers",
            {"joined": "<results>/scores/published_beside_ours.parquet"},
            **DRAWING,
        ),
        Group(
            "draw_sites",
            "Site policies",
            [Item(f"fig_{name}", "figure") for name in matrices],
            "Drawing {item}",
            lambda item: {"sites": study.shown(f"{item.removeprefix('fig_')}.csv")},
            maker="sites_figure",
            each=True,
            **DRAWING,
        ),
        Group(
            "draw_boxplots",
            "Figures",
            [
                Item(figure, "figure")
                for figure in [*BOXES, *(f"{box}_{end}" for end in ranked for box in BOXES)]
            ],
            "Drawing {item}",
            lambda item: {
                "simulations": simulations(study, drawn(item, study.rows), *end_of(item)[0]),
                "published": printed["published"],
            },
            lambda item: {
                "rows": [cells_of(row) for row in drawn(item, study.sheet)],
                "own": end_of(item)[1],
                "source": source,
            },
            each=True,
            **DRAWING,
        ),
    ]
    return with_words(all_groups, study, lambda item: facts_of(study, item))


def facts_of(study: Study, item: str) -> dict[str, str]:
    """Return what the caption of an item names of the configuration."""
    learning = study.config["carastan2017"]["learning"]
    numbers = {"trials": learning["trials"], "tuples": learning["tuples"]}
    numbers |= {"resamples": learning["sites"]["resamples"]}
    numbers |= {"site_trials": learning["sites"]["trials"]}
    rules = "" if learning["source"] in study.models else " (rules sc17_actual)"
    facts = {name: f"{number:,}" for name, number in numbers.items()}
    if item.endswith("_ranks") and item != "table4_ranks":
        facts["text"] = "further_ranks"
    facts["which"] = item.removeprefix("fitters_")
    return facts | {"source": f"{learning['source']}{rules}"}


def explored(study: Study) -> list[str]:
    """Return the experiments whose window can be panned and zoomed."""
    run = {row.experiment for row in study.rows}
    return [name for name in EXPLORED if name in run]


def further_of(study: Study) -> dict[str, tuple[list[str], Sequence[str]]]:
    """Return the further policies by the ending of the files that show them.

    Each has folders of simulations and column names: learned policies and user-defined policies.
    """
    custom = list(study.config["policies"])
    learned = ([LEARNED], LEARNED_COLUMNS)
    return {"learned": learned, LEARNED_FULL: learned} | (
        {"own": (custom, custom)} if custom else {}
    )


def files_of_table4(study: Study) -> dict[str, tuple[str, ...]]:
    """Return the items whose rows each file like Table 4 shows.

    Files with user-defined policies show both dialects.
    """
    generated = study.config[study.key]["generated"]
    computed = {"table4_generated": GENERATED} if generated else {}
    files = {"table4": TABLE4[:1], "table4_full": TABLE4[1:]} | computed
    if study.config["policies"]:
        files |= {f"{name}_own": items for name, items in ({"table4": TABLE4} | computed).items()}
    return files | {"table4_learned": TABLE4[:1], f"table4_{LEARNED_FULL}": TABLE4[1:]}


def rows_of(rows: Iterable[Experiment], items: Sequence[str]) -> list[Experiment]:
    """Return the rows that belong to items."""
    return [row for row in rows if row.item in items]


def simulations(study: Study, rows: Iterable[Experiment], *further: str) -> list[str]:
    """List the result files of rows, then those with further policies."""
    names = [row.experiment for row in rows]
    return [
        f"<results>/simulations/{study.key}/{policies}/{name}.parquet"
        for policies in (SHEET, *further)
        for name in names
    ]


def logs_shown(study: Study) -> list[str]:
    """List the logs that experiments run on, that are measured, or that policies learn from."""
    run = [row.source for row in study.rows if not row.is_model]
    learning = study.config[study.key]["learning"]
    learned = [learning["source"], PUBLISHED_WORKLOAD, *learning["sites"]["names"]]
    if study.config["source"] == "models":
        learned = []
    logs_learned_from = [name for name in learned if name not in study.models]
    return list(dict.fromkeys([*run, *TABLE5, *logs_learned_from, PUBLISHED_SCORES]))
