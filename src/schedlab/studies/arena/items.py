"""The items of the arena, and the contents of its page."""

import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import pandas as pd

from schedlab.comparison import tables
from schedlab.comparison.choice import choose, rule_of, why_not
from schedlab.comparison.figures import draw_survivors
from schedlab.comparison.findings import facts_of_choice, facts_of_metric, overloaded, worst_case
from schedlab.comparison.standing import Standing, compare_by_metric
from schedlab.comparison.tails import tail_table
from schedlab.core.metrics import METRICS, tail_metrics, window_metrics
from schedlab.files.io import read_parquet
from schedlab.files.stand_ins import kind_of
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.items import From, Given, Group, Item, Study, groups_of, item, with_words
from schedlab.report.parts import Data, Table, Text
from schedlab.studies.arena.cells import cells_of, windows_of_cells
from schedlab.studies.arena.figures import draw_guards, draw_ranks, ranks_drawn
from schedlab.studies.arena.guards import guards_table

TABLES = ("survivors", "why_not", "losers", "guards", "windows", "schedulers", "absent")


def page(study: Study) -> dict[str, Any]:
    """Return the texts of the page other than its items."""
    names = [row.experiment for row in study.rows]
    models = study.config["source"] == "models"
    return {
        "results": [f"<results>/simulations/{study.key}/{name}.parquet" for name in names],
        "logs": [] if models else [row.source for row in study.rows],
        "also": [
            *(f"<results>/report/{page}.html" for page in (study.key, "explore")),
            *(f"<results>/report/schedules/{name}.html" for name in names),
        ],
    }


def groups(study: Study) -> list[Group]:
    """Return the groups of items, in the order of the page."""
    return with_words(groups_of(study, sys.modules[__name__]), study, facts_of_metric)


def _results(kind: str) -> From:
    """Return a kind of results of every log as what a parameter gets, as one table."""

    def paths(study: Study, _item: str) -> list[str]:
        names = [row.experiment for row in study.rows]
        return study.results(kind, names) if kind else page(study)["results"]

    return From(paths, _together)


def _together(paths: Sequence[str]) -> pd.DataFrame:
    return pd.concat(map(read_parquet, paths), ignore_index=True)


def _items(_study: Study) -> list[Item]:
    """Return the items: a table and a figure of every metric, and what all logs share."""
    tables = map(Item, (*window_metrics(), *tail_metrics(), *TABLES))
    figures = ("fig_guards", "fig_survivors", *(f"fig_{name}" for name in window_metrics()))
    texts = [Item(name, "text") for name in ("findings", "rule")]
    data = [Item(name, "data") for name in ("cells", "window_cells")]
    return [*tables, *(Item(name, "figure") for name in figures), *texts, *data]


Frame = pd.DataFrame


@item(_items, section="Every scheduler", memory=2000, minutes=10)
def rank_schedulers(
    results: Annotated[Frame, _results("")],
    all_facts: Annotated[Frame, _results("facts")],
    lost: Annotated[Frame, _results("losers")],
    guarded: Annotated[Frame, _results("guards")],
    recorded_metrics: Annotated[
        Frame, From(lambda study, _: f"<results>/simulations/{study.key}/recorded/waits.parquet")
    ],
    labels: Annotated[
        Mapping[str, str], Given(lambda study, _: {row.experiment: row.name for row in study.rows})
    ],
    advice: Annotated[Mapping[str, float], Given(lambda study, _: study.config["advice"])],
) -> dict[str, Table | Picture | Data | Text]:
    """Return every table and every figure, and the recommendation."""
    standings = {name: compare_by_metric(results, name) for name in window_metrics()}
    all_tables = {
        name: tables.metric_table(standings[name], labels, recorded_metrics)
        for name in window_metrics()
    }
    all_tables |= {
        name: tail_table(results, name, labels, advice["longest_wait"]) for name in tail_metrics()
    }
    survivors = tables.survivors(standings, advice["most_loss"])
    youth = tables.youth_of(all_facts)
    choice = choose(standings, survivors, results, youth, labels, advice)
    answer = facts_of_choice(standings, survivors, choice) | {
        "kind": kind_of(labels.values()),
        "worst": worst_case(choice, results, labels, lost, all_facts),
        "overloads": overloaded(all_facts, labels),
    }
    logging.info("candidates, the best first: %s", ", ".join(choice.order))
    all_tables["why_not"] = why_not(choice, standings, survivors)
    all_tables |= {"survivors": tables.with_choice(survivors, choice)}
    all_tables |= {"windows": tables.windows_table(all_facts, labels)}
    all_tables |= {"losers": tables.losers_table(lost, labels), "guards": guards_table(guarded)}
    all_tables["schedulers"] = tables.schedulers_table(list(survivors["name"]))
    all_tables["absent"] = tables.absent_table()
    items = {name: _table(name, table, standings, labels) for name, table in all_tables.items()}
    empty = log_not_available("the arena") if results.empty else None
    for name in window_metrics():
        ranks = ranks_drawn(standings[name])
        items[f"fig_{name}"] = Picture(empty or draw_ranks(standings[name], ranks), ranks)
    items["fig_survivors"] = Picture(empty or draw_survivors(standings, survivors), survivors)
    guards_shown = all_tables["guards"]
    items["fig_guards"] = Picture(
        empty or draw_guards(guards_shown, advice["longest_wait"]), guards_shown
    )
    cells = cells_of(results, standings, labels, advice["longest_wait"])
    by_window = windows_of_cells(results, labels)
    return items | {
        "findings": Text(answer),
        "rule": Text(rule_of(choice)),
        "cells": Data(cells),
        "window_cells": Data(by_window),
    }


def _table(
    name: str, rows: pd.DataFrame, standings: Mapping[str, Standing], labels: Mapping[str, str]
) -> Table:
    """Return a table with its note and digits for each log's column."""
    note = _note(standings[name], labels) if name in window_metrics() else ""
    digits = dict.fromkeys(labels.values(), METRICS[name].digits if name in METRICS else 0)
    return Table(rows, digits, more=note)


def _note(standing: Standing, labels: Mapping[str, str]) -> str:
    """Return what the columns mean, and which logs have no ratio."""
    meaning = METRICS[standing.metric].meaning
    lacking = ", ".join(labels[log] for log in standing.left_out)
    without = f" Logs without a ratio, because too few windows have a value: {lacking}."
    note = (
        f"{meaning[0].upper()}{meaning[1:]}. Mean over the windows of each log. ratio: to EASY, "
        "geometric mean over logs, with its 95 % interval over windows. chance: Holm-adjusted. "
        f"rank: mean over {standing.blocks} windows; differences of at least "
        f"{standing.difference:.2f} are significant. The last row is the recorded schedule; it has "
        "no rank."
    )
    return note + (without if lacking else "")
