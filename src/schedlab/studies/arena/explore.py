"""What the template of the page to explore receives: cells, numbers, charts and the library."""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd
import vl_convert

from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.core.metrics import CONTEST, shown_in
from schedlab.report.cards import CARD, with_addresses
from schedlab.report.cells import like
from schedlab.report.scoreboard import JOINT, computed_numbers, grades
from schedlab.report.verdicts import APART, GRADES
from schedlab.studies.arena.cells import ALL
from schedlab.studies.arena.charts import NONE, SAME, STEP, YOURS, charts

TEXTS = ("log", "metric", "scheduler", "verdict")
PART = {"name": "explore", "title": "Explore logs, policies and metrics"}
#: shown on every page that contains the library
LICENSE = (
    f"Vega {vl_convert.get_vega_version()}, Vega-Lite {vl_convert.get_vegalite_versions()[-1]} "
    f"and Vega-Embed {vl_convert.get_vega_embed_version()}, © University of Washington Interactive "
    "Data Lab, BSD 3-Clause License"
)


def context(
    cells: pd.DataFrame,
    windows: pd.DataFrame,
    schedules: Mapping[str, str],
    shown: Mapping[str, list[str]],
    board: pd.DataFrame,
) -> dict[str, Any]:
    """Return the values of the template from tables whose cells are text.

    `schedules` has by log the address of the page of its schedules, `shown` which schedulers are
    there. The board has no rows if the papers were not computed.
    """
    numbers = [column for column in cells if column not in TEXTS]
    table = cells.assign(**{name: pd.to_numeric(cells[name]) for name in numbers})
    labels = {name: metric.label for name, metric in shown_in(CONTEST).items()}
    compared, custom = compared_numbers(board), user_policies(list(cells["scheduler"].unique()))
    undecided = board.loc[board["difference"].notna(), "kind"]
    facts = {
        "cells": json.loads(table.to_json(orient="split", index=False)),
        "windows": ratios_by_window(windows),
        "numbers": json.loads(compared.to_json(orient="records")),
        "charts": {
            name: chart
            for name, chart in charts(custom).items()
            if name != "numbers" or len(compared)
        },
        "labels": labels,
        "units": {name: metric.unit or "no unit" for name, metric in shown_in(CONTEST).items()},
        "all": ALL,
        "step": STEP,
        "same": SAME,
        "none": NONE,
        "yours": custom,
        "mark": YOURS,
        "schedules": dict(schedules),
        "shown": dict(shown),
        "grades": [name for name in GRADES if name != NOT_AVAILABLE],
    }
    return {
        "part": PART,
        "logs_shown": list(dict.fromkeys(cells["log"])),
        "labels": labels,
        "boards": compared.value_counts("board", sort=False).to_dict(),
        "yours": custom,
        "left_out": int(board["difference"].isna().sum()),
        "apart": undecided[undecided.isin(list(APART))].value_counts(sort=False).to_dict(),
        "facts": as_json(facts),
        "library": library(),
        "license": LICENSE,
    }


def user_policies(labels: list[str]) -> list[str]:
    """Return the labels of schedulers that are not registered: policies of the configuration."""
    registered = {scheduler.label for scheduler in SCHEDULERS.values()}
    return [label for label in labels if label not in registered]


def ratios_by_window(windows: pd.DataFrame) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by log and metric the numbers of its windows, and the ratios by scheduler.

    Ratios have four significant digits; unknown ones are None.
    """
    by_log: dict[str, dict[str, dict[str, Any]]] = {}
    for (log, metric), rows in windows.groupby(["log", "metric"], sort=False):
        table = rows.pivot(index="window", columns="scheduler", values="ratio")
        table = table.set_axis(pd.to_numeric(table.index)).sort_index()
        ratios = {
            name: [float(f"{value:.4g}") if pd.notna(value) else None for value in column]
            for name, column in table.apply(pd.to_numeric).items()
        }
        by_log.setdefault(str(log), {})[str(metric)] = {
            "windows": [int(number) for number in table.index],
            "ratios": ratios,
        }
    return by_log


def compared_numbers(board: pd.DataFrame) -> pd.DataFrame:
    """Return the computed numbers of a scoreboard that were compared, with links to their cards.

    Numbers that no run decides are left out: arithmetic on the print, true by definition, blank.
    Columns: board (paper and table), cell, published and computed (numbers), their texts, grade
    and href.
    """
    board = with_addresses(board)
    board = board.assign(grade=grades(board))
    computed = computed_numbers(board)
    rows = computed[computed["difference"].notna()]
    return pd.DataFrame({
        "board": rows["paper"] + ", " + rows["label"],
        "cell": rows["cell"].str.replace(JOINT, " · ", regex=False),
        "published": pd.to_numeric(rows["published"]),
        "computed": pd.to_numeric(rows["computed"]),
        "published_text": rows["published"],
        "computed_text": [*map(like, rows["computed"], rows["published"])],
        "grade": rows["grade"],
        "href": rows["paper"] + "/" + rows["page"] + ".html#" + rows[CARD],
    })  # fmt: skip


def library() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as a script that defines `vegaEmbed`."""
    # the browser ends a script at the first "</script"
    return vl_convert.javascript_bundle().replace("</script", "<\\/script")


def as_json(value: object) -> str:
    r"""Return a value as JSON for a script of a page.

    >>> as_json({"a": "</script>"})
    '{"a":"\\u003c/script>"}'
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
