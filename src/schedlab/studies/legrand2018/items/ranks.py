"""Rank correlation of computed and published columns that rank policies; Table 2 as ratios."""

from collections.abc import Sequence

import pandas as pd

from schedlab.report import columns, comparison
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.figures.ratios import draw_ratios, ratios

DRAWN = "table2"


def make(
    ranked: Sequence[str], tables: Sequence[str], published: str, owners: str
) -> dict[str, Table | Picture]:
    """Return a row per table, column and reading of the published column; draw `DRAWN`."""
    ranks, items = [], {}
    for item, path in zip(ranked, tables, strict=True):
        printed = comparison.read_published(published, item)
        whose = columns.read_owners(owners, item)
        computed = columns.read_ours(path, "policy")
        missing = columns.why_missing(computed, printed)
        frame = columns.rank_columns(printed, whose, computed, missing)
        trace = computed["trace"].iloc[0]
        frame.insert(0, "trace", trace)
        frame.insert(0, "table", item)
        ranks.append(frame)
        if item == DRAWN:
            ratios_drawn = ratios(printed.drop(index=list(missing)), computed)
            items["fig_table2"] = Picture(draw_ratios(ratios_drawn, trace), ratios_drawn)
    return items | {"ranks": Table(pd.concat(ranks, ignore_index=True), 4)}
