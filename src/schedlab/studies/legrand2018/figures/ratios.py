"""Table 2 of legrand2018 as ratios: computed over published values, by policy."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from schedlab.report import columns, comparison
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import BLUE, GREY, ORANGE, titled
from schedlab.report.items import From, Given, Item, Study, each, item, resource
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.inputs import (
    COMPARISON,
    LARGE,
    Owners,
    Published,
    ranked,
    read_computed,
)

#: relative difference up to which two numbers count as equal: one digit of the smallest sums
SAME = 5e-4
POLICY = "policy"
COLUMNS = {"Training": (BLUE, "o", "training weeks"), "Testing": (ORANGE, "D", "testing weeks")}


def _index_of(study: Study, item: str) -> str:
    return {"table1": "trace", "table7": "rank"}.get(item.removesuffix(COMPARISON), POLICY)


@item(
    lambda study: [f"{table}{COMPARISON}" for table in ["table1", *ranked(study), "table7"]],
    section="Tables", apart=True,
)  # fmt: skip
def compare_columns(
    item: str,
    index: Annotated[str, Given(_index_of)],
    table: Annotated[
        str, From(lambda study, item: study.shown(f"{item.removesuffix(COMPARISON)}.csv"), str)
    ],
    published: Published,
    owners: Owners,
    reasons: Annotated[str, From(resource("reasons.tsv"), str)],
) -> Table:
    """Return the comparison of a table, whose rows the column `index` names."""
    compared = item.removesuffix(COMPARISON)
    printed = comparison.read_published(published, compared)
    computed = columns.read_ours(table, index)
    missing = columns.why_missing(computed, printed)
    known_reasons, ordered = comparison.read_reasons(reasons, compared), index == POLICY
    rows = columns.compare_columns(
        printed, columns.read_owners(owners, compared), computed, missing, known_reasons, ordered
    )
    return Table(rows, {"ratio": 4}, {"number": compared.removeprefix("table")})


@item("ranks", Item("fig_table2", "figure"), section="Tables", **LARGE)
def rank_columns(
    compared: Annotated[Sequence[str], Given(ranked)],
    computed_tables: Annotated[
        list[pd.DataFrame],
        From(
            lambda study, _: [study.shown(f"{table}.csv") for table in ranked(study)],
            each(read_computed),
        ),
    ],
    published: Published,
    owners: Owners,
) -> dict[str, Table | Picture]:
    """Rank computed columns against published ones, and draw Table 2 as ratios."""
    ranks, items = [], {}
    for name, computed in zip(compared, computed_tables, strict=True):
        printed = comparison.read_published(published, name)
        whose = columns.read_owners(owners, name)
        missing = columns.why_missing(computed, printed)
        frame = columns.rank_columns(printed, whose, computed, missing)
        trace = computed["trace"].iloc[0]
        frame.insert(0, "trace", trace)
        frame.insert(0, "table", name)
        ranks.append(frame)
        if name == "table2":
            drawn = ratios(printed.drop(index=list(missing)), computed)
            items["fig_table2"] = Picture(draw_ratios(drawn, trace), drawn)
    return items | {"ranks": Table(pd.concat(ranks, ignore_index=True), 4)}


def ratios(printed: pd.DataFrame, computed: pd.DataFrame) -> pd.DataFrame:
    """Return computed over published values, a row per policy and column, as published."""
    rows = printed.astype(float).rename_axis("policy").reset_index()
    rows = rows.melt("policy", var_name="column", value_name="published")
    places = zip(rows["policy"], rows["column"], strict=True)
    rows["computed"] = [float(computed.loc[policy, column]) for policy, column in places]
    return rows.assign(ratio=rows["computed"] / rows["published"])


def sums_as_printed(table: pd.DataFrame) -> str:
    """Return a sentence: how many sums equal the published ones, and how far the others are."""
    table = table.dropna(subset="ratio")
    away = table[(table["ratio"] - 1).abs() > SAME]
    count = f"{len(table) - len(away)} of {len(table)} sums of Table 2 match (to 0.05\u00a0%)"
    if away.empty:
        return count
    low, high = 100 * (away["ratio"].min() - 1), 100 * (away["ratio"].max() - 1)
    names = dict.fromkeys(away["policy"])
    return f"{count}; {', '.join(names)} differ, by {low:+.1f} to {high:+.1f}\u00a0%"


def draw_ratios(table: pd.DataFrame, title: str) -> Figure:
    """Draw the ratios of `ratios` on a logarithmic axis; no rows mean the log is not available."""
    if table.empty:
        return log_not_available(title)
    policies = list(dict.fromkeys(table["policy"]))
    with titled(0.9 + 0.19 * len(policies), sums_as_printed(table), title) as figure:
        axes = figure.subplots()
        axes.axvline(1, color=GREY, linewidth=0.8, zorder=1)
        for place, (column, (color, marker, label)) in enumerate(COLUMNS.items()):
            column_ratios = (
                table[table["column"] == column].set_index("policy")["ratio"].reindex(policies)
            )
            y = np.arange(len(policies)) + 0.2 * (place - 0.5)
            axes.hlines(y, 1, column_ratios, color=color, linewidth=1)
            axes.plot(column_ratios, y, marker, ms=4, color=color, label=label)
        axes.set_xscale("log")
        axes.margins(x=0.08)
        axes.minorticks_off()
        least, most = axes.get_xlim()
        ticks = [tick for tick in (0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.5, 2)
                 if least <= tick <= most]  # fmt: skip
        axes.set_xticks(ticks)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_yticks(range(len(policies)), policies)
        axes.invert_yaxis()
        axes.grid(axis="x")
        axes.set_xlabel("computed / printed")
        figure.legend(loc="outside lower center", ncols=len(COLUMNS))
    return figure
