"""What the items of klusacek2016 are made from: rows of the sheet, and files of their results."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.sheets import cells_of
from schedlab.report.items import From, Given, Study, each
from schedlab.studies.klusacek2016.sheet import (
    REACT,
    REPLAY,
    SHOWN_FOR,
    PlanExperiment,
    clusters_of,
)

#: the experiment whose plans are stored and searched by other searches
SEARCHED = "cerit_recorded_aggregate"
COLUMNS = {"experiment", "label", "source", "users", "mode", "intervals", "queues"}
COLUMNS |= {"factor", "cycle", "iterations", "scope"}


def names_of(study: Study) -> dict[str, str]:
    """Return the names of models that replace logs, also for the sets that none of its logs has."""
    models = {row.label: row.stand_in for row in study.of_item("table1") if row.stand_in}
    others = {
        name: f"{models[shown]}, for {name}" for name, shown in SHOWN_FOR.items() if shown in models
    }
    return study.names | others


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


def facts_of_budgets(study: Study) -> list[dict[str, Any]]:
    """Return the cells of the rows with other budgets, with the names that tables have."""
    facts = facts_of(study, study.of_item("budgets"))
    return [row | {"label": row["source"] if row["is_model"] else row["label"]} for row in facts]


def count_sets(study: Study) -> dict[str, int]:
    """Return the number of sets of each log in Table 1."""
    sources = [row.source for row in study.of_item("table1")]
    return {source: sources.count(source) for source in sources}


def rows_of(item: str = "") -> Given:
    """Return the rows of an item as what a parameter gets; by default those of the made item."""
    return Given(lambda study, name: facts_of(study, study.of_item(item or name)))


def results_of(kind: str, *items: str, read: Callable[[str], Any] = str) -> From:
    """Return a kind of results of items, or of the made item, as what a parameter gets."""

    def paths(study: Study, name: str) -> list[str]:
        return [path for item in items or (name,) for path in study.results_of(item, kind)]

    return From(paths, each(read))


def _by_node(kind: str, study: Study, _item: str) -> list[str]:
    return study.results(kind, (row.experiment for row in planned_by_node(study)))


def given(value: Callable[[Study], Any]) -> Given:
    """Return what a function has of the study as what a parameter gets."""
    return Given(lambda study, _: value(study))


Facts = list[Mapping[str, Any]]
Frames = list[pd.DataFrame]
#: the log planned by node
NodeRows = Annotated[Facts, given(lambda study: facts_of(study, planned_by_node(study)))]
NodeJobs = Annotated[list[str], From(partial(_by_node, "jobs"), list)]
NodeStarts = Annotated[list[str], From(partial(_by_node, "starts"), list)]
Periods = Annotated[Frames, results_of("periods", "periods", read=read_parquet)]
Names = Annotated[Mapping[str, str], given(names_of)]
#: accepted moves of the first row that is planned by node
Moves = Annotated[
    pd.DataFrame, From(lambda study, _: f"<results>/simulations/{study.key}/moves.parquet")
]
