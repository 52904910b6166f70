"""The items of carastan2017, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Item, Study, groups_of, with_words
from schedlab.studies.carastan2017 import published, statistics
from schedlab.studies.carastan2017.figures import boxplots, scores
from schedlab.studies.carastan2017.figures import sites as figures_of_sites
from schedlab.studies.carastan2017.inputs import rows_of, simulations
from schedlab.studies.carastan2017.names import (
    DISTRIBUTIONS,
    PUBLISHED_SCORES,
    PUBLISHED_WORKLOAD,
    TABLE5,
)
from schedlab.studies.carastan2017.sheet import TABLE4
from schedlab.studies.carastan2017.tables import sites, table3, table4, table5

#: experiments whose window can be panned and zoomed: one row of a model, one of a log
EXPLORED = ("lublin256_backfill_artefact", "ctc_backfill_full")


def page(study: Study) -> dict[str, Any]:
    """Return the description of the page, without its items."""
    fits = [f"<results>/policies/{distribution}.parquet" for distribution in DISTRIBUTIONS]
    return {
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
    """Return the groups of items, in the order of the page."""
    listed = [
        table3,
        Group(
            "fit_policies",
            "Table 3",
            [Item(f"fitters_{one}") for one in ("published", "uniform")],
            each=True,
            written_out=True,
        ),
        table5,
        published,
        statistics,
        table4,
        sites,
        Group(
            "toggle_table4",
            "Why does it differ?",
            [Item("toggles", "table text"), Item("fig_toggles", "figure")],
            written_out=True,
        ),
        scores,
        figures_of_sites,
        boxplots,
    ]
    return with_words(groups_of(study, *listed), study, lambda item: facts_of(study, item))


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


def logs_shown(study: Study) -> list[str]:
    """List the logs that experiments run on, that are measured, or that policies learn from."""
    run = [row.source for row in study.rows if not row.is_model]
    learning = study.config[study.key]["learning"]
    learned = [learning["source"], PUBLISHED_WORKLOAD, *learning["sites"]["names"]]
    if study.config["source"] == "models":
        learned = []
    logs_learned_from = [name for name in learned if name not in study.models]
    return list(dict.fromkeys([*run, *TABLE5, *logs_learned_from, PUBLISHED_SCORES]))
