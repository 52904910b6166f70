"""The items of legrand2018, and the texts of its page."""

import re
from collections.abc import Iterable
from typing import Any

from schedlab.files.sheets import cells_of
from schedlab.report.items import Group, Item, Study, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.legrand2018.sheet import PeriodExperiment, by_weeks, drawn_trace

#: tables of the paper's four traces
THRESHOLDS = ("table3", "table4", "table5", "table6")
#: endings of items: with your policies, following the paper's text, comparison
OWN, BY_TEXT, COMPARISON = "_own", "_text", "_comparison"
#: divisors of the features
SCALINGS = ("deviation", "maximum", "none")
#: items that show only the trace whose space of weights is drawn
OF_ONE_TRACE = ("table2", "table2_evidence", "table7", "coverings", "fig_table2")
#: resources of the jobs that read spaces of weights or draw
LARGE = {"memory": 1000, "minutes": 10}
DRAWING = "Drawing {item} of legrand2018"


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    logs = [
        row.source for row in study.rows if not row.is_model and (row.unit == "weeks" or row.is_own)
    ]
    return {
        "title": (
            "Adapting batch scheduling to workload characteristics: what can we expect from "
            "online learning?"
        ),
        "authors": "A. Legrand, D. Trystram and S. Zrigui",
        "venue": "RR-9212",
        "summary": (
            "Pure and mixed index policies on EASY with SPF backfilling, week by week, on four "
            "real logs: how far weights that suit a week are from the best policy, and whether "
            "they can be learned."
        ),
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
    weeks, example = by_weeks(study.rows), drawn_trace(study.rows)
    varied = next(row for row in study.rows if row.sensitivity)
    thresholds = items_of(study, "thresholds_item")
    printed = {name: study.resource(f"{name}.tsv") for name in ("published", "owners")}
    ranked = ["table2", *sorted({*thresholds} & {*THRESHOLDS})]
    index = {"table1": "trace", **dict.fromkeys(ranked, "policy"), "table7": "rank"}
    twice = [
        row.thresholds_item for row in weeks if f"{row.thresholds_item}{BY_TEXT}" in thresholds
    ]
    coverings = [
        (scaling, threshold)
        for threshold in example.thresholds
        for scaling in SCALINGS
        if threshold and threshold >= example.threshold
    ]

    def with_own(items: Iterable[str], kind: str = "table") -> list[Item]:
        """Return items, followed by their versions with your policies."""
        ends = ("", OWN) if study.config["policies"] else ("",)
        return [Item(f"{name}{end}", kind) for end in ends for name in items]

    def results(kind: str, *rows: PeriodExperiment) -> list[str]:
        return study.results(kind, (row.experiment for row in rows))

    def covered(scaling: str, threshold: int) -> str:
        again = "" if threshold == example.threshold else f".{threshold}"
        return results(f"{scaling}{again}.surface", example)[0]

    def runs(item: str) -> dict[str, list[str]]:
        """Return the runs of an item's traces, then those of each of your policies."""
        folders = ["", *(f"{name}/" for name in own_of(study, item))]
        traces = [row.experiment for row in rows_of(study, item)]
        return {
            "pure": study.results("pure", [f"{each}{one}" for each in folders for one in traces])
        }

    def surface(item: str) -> dict[str, str]:
        return {"surface": results("deviation.surface", rows_of(study, item)[0])[0]}

    def row(item: str) -> dict[str, Any]:
        return {"row": cells_of(rows_of(study, item)[0])}

    def rows(item: str) -> dict[str, Any]:
        return {"rows": [cells_of(one) for one in rows_of(study, item)]}

    def own(item: str) -> dict[str, list[str]]:
        return {"own": own_of(study, item)}

    all_groups = [
        Group(
            "make_trace_facts",
            "Tables",
            [Item("table1")],
            "Writing Table 1 of legrand2018",
            {"jobs": [jobs_of(one) for one in weeks]},
            rows("table1"),
        ),
        Group(
            "make_train_test",
            "Tables",
            with_own(["table2"]),
            "Writing {item} of legrand2018",
            lambda item: surface(item) | runs(item),
            lambda item: row(item) | own(item),
            each=True,
        ),
        Group(
            "make_thresholds",
            "Tables",
            with_own(thresholds),
            "Writing {item} of legrand2018",
            runs,
            lambda item: row(item) | own(item),
            each=True,
            **LARGE,
        ),
        Group(
            "make_longest",
            "Tables",
            [Item("table7")],
            "Writing Table 7 of legrand2018",
            log_of(example),
            row("table7"),
        ),
        Group(
            "compare_columns",
            "Tables",
            [Item(f"{table}{COMPARISON}") for table in index],
            "Writing {item} of legrand2018",
            lambda item: (
                printed
                | {
                    "table": study.shown(f"{item.removesuffix(COMPARISON)}.csv"),
                    "reasons": study.resource("reasons.tsv"),
                }
            ),
            lambda item: {"index": index[item.removesuffix(COMPARISON)]},
            maker="comparison",
            each=True,
        ),
        Group(
            "rank_columns",
            "Tables",
            [Item("ranks"), Item("fig_table2", "figure")],
            "Ranking the columns of legrand2018",
            printed | {"tables": [study.shown(f"{table}.csv") for table in ranked]},
            {"ranked": ranked},
            maker="ranks",
            **LARGE,
        ),
        Group(
            "make_coverings",
            "Tables",
            [Item("coverings")],
            "Holding the coverings of legrand2018 against its Table 2",
            {
                "surfaces": [covered(*covering) for covering in coverings],
                "pure": results("pure", example)[0],
                "published": printed["published"],
            },
            row("coverings") | {"coverings": coverings},
            **LARGE,
        ),
        Group(
            "make_evidence",
            "Tables",
            [Item("table2_evidence")],
            "Looking for reasons of Table 2 of legrand2018",
            {
                "surfaces": [covered(scaling, example.threshold) for scaling in SCALINGS],
                **{kind: results(kind, example)[0] for kind in ("pure", "search", "varied")},
                **printed,
            },
            row("table2_evidence") | {"scalings": SCALINGS},
            **LARGE,
        ),
        Group(
            "make_conclusions",
            "Tables",
            [Item("conclusions")],
            "Holding what legrand2018 ran against its text",
            {
                "run": [study.shown(f"{table}.csv") for table in twice],
                "text": [study.shown(f"{table}{BY_TEXT}.csv") for table in twice],
            },
            **LARGE,
        ),
        Group(
            "check_claims",
            "Tables",
            [Item("claims", "table text")],
            "Checking what legrand2018 says",
            {
                "surfaces": results("deviation.surface", *weeks),
                "pure": results("pure", *weeks),
                "searches": results("search", *weeks),
                "claims": study.resource("claims.tsv"),
            },
            rows("claims"),
            **LARGE,
        ),
        Group(
            "learn_online",
            "Tables",
            [Item("online", "table text"), Item("fig_online", "figure")],
            written_out=True,
        ),
        Group(
            "make_sensitivity",
            "Tables",
            [Item("sensitivity")],
            "Writing the sensitivity of legrand2018",
            {
                "scaled": results("deviation.surface", varied)[0],
                "unscaled": results("none.surface", varied)[0],
                **{kind: results(kind, varied)[0] for kind in ("pure", "search", "varied")},
            },
            row("sensitivity"),
            **LARGE,
        ),
        Group(
            "toggle_sums",
            "Why does it differ?",
            [Item("toggles", "table text"), Item("fig_toggles", "figure")],
            written_out=True,
        ),
        Group(
            "draw_distributions",
            "Figures",
            with_own(["fig1"], "figure"),
            DRAWING,
            runs,
            rows,
            each=True,
            **LARGE,
        ),
        Group(
            "draw_best",
            "Figures",
            with_own(items_of(study, "best_item"), "figure"),
            DRAWING,
            runs,
            lambda item: row(item) | own(item),
            each=True,
            **LARGE,
        ),
        Group(
            "draw_mixed",
            "Figures",
            with_own(items_of(study, "mixed_item"), "figure"),
            DRAWING,
            lambda item: surface(item) | runs(item),
            lambda item: row(item) | own(item),
            each=True,
            **LARGE,
        ),
        Group(
            "draw_space",
            "Figures",
            [Item(name, "figure") for name in items_of(study, "space_item")],
            DRAWING,
            surface,
            row,
            each=True,
            **LARGE,
        ),
        Group(
            "draw_search",
            "Figures",
            [Item(name, "figure") for name in items_of(study, "search_item")],
            DRAWING,
            lambda item: surface(item) | {"search": results("search", *rows_of(study, item))[0]},
            row,
            each=True,
            **LARGE,
        ),
        Group(
            "draw_months",
            "Figures",
            with_own(items_of(study, "months_figure"), "figure"),
            DRAWING,
            lambda item: (
                runs(item) | {"surfaces": results("deviation.surface", *rows_of(study, item))}
            ),
            lambda item: rows(item) | own(item),
            each=True,
            **LARGE,
        ),
    ]
    example = [group for group in all_groups if group.items]
    return with_words(example, study, lambda item: facts_of(study, item))


def items_of(study: Study, column: str) -> list[str]:
    """Return the tables or figures that a column of the sheet names, in its order."""
    names = (getattr(row, column) for row in study.rows)
    return list(dict.fromkeys(name for name in names if name))


def rows_of(study: Study, item: str) -> list[PeriodExperiment]:
    """Return the experiments of a table or figure; by default the paper's traces by weeks."""
    base = item.removesuffix(OWN).removesuffix(COMPARISON)
    if base in OF_ONE_TRACE:
        return [drawn_trace(study.rows)]
    if base == "sensitivity":
        return [row for row in study.rows if row.sensitivity]
    item_rows = [row for row in study.rows if base in (*row.items.values(), row.months_figure)]
    return item_rows or by_weeks(study.rows)


def own_of(study: Study, item: str) -> list[str]:
    """Return your policies that a table or figure shows in addition to the paper's."""
    return list(study.config["policies"]) if item.endswith(OWN) else []


def jobs_of(row: PeriodExperiment) -> str:
    """Return the path of an experiment's jobs before they are cut into periods."""
    if row.is_model:
        return f"<results>/workloads/{row.source}.parquet"
    return f"<results>/traces/clean/{row.source}.{row.cleaning}.parquet"


def log_of(row: PeriodExperiment) -> dict[str, str]:
    """Return the paths of an experiment's log and its ledger, or of its model's jobs."""
    if row.is_model:
        return {"jobs": jobs_of(row)}
    ledger = f"<results>/traces/clean/{row.source}.{row.cleaning}.ledger.parquet"
    return {"jobs": f"resources/raw/{row.source}.swf", "ledger": ledger}


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
