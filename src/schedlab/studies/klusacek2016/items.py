"""The items of klusacek2016, and the contents of its page."""

from typing import Any

from schedlab.report.items import Group, Item, Study, groups_of, with_words
from schedlab.report.words import listed_workloads
from schedlab.studies.klusacek2016 import statistics
from schedlab.studies.klusacek2016.figures import beyond, drawn, searching
from schedlab.studies.klusacek2016.figures import sets as figures_of_sets
from schedlab.studies.klusacek2016.inputs import names_of
from schedlab.studies.klusacek2016.tables import means, sets


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
    listed = [
        figures_of_sets,
        sets,
        means,
        statistics,
        drawn,
        searching,
        Group("time_plans", "The search", [Item("fig5", "figure")], written_out=True),
        beyond,
    ]
    models = dict.fromkeys(row.stand_in for row in study.rows if row.stand_in)
    words = {"stand_ins": listed_workloads(models)}
    return with_words(groups_of(study, *listed), study, lambda _: words)
