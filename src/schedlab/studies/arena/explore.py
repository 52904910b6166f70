"""What the template of the page to explore receives: cells, charts and the library."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from schedlab.core.metrics import METRICS
from schedlab.report.vega import LICENSE, as_json, library
from schedlab.studies.arena.cells import ALL
from schedlab.studies.arena.charts import NONE, SAME, STEP, charts

TEXTS = ("log", "metric", "scheduler", "verdict")
PART = {"name": "explore", "title": "Explore logs, policies and metrics"}


def context(
    cells: pd.DataFrame, schedules: Mapping[str, Iterable[tuple[str, str]]]
) -> dict[str, Any]:
    """Return the values of the template.

    `cells` is from `schedlab.studies.arena.cells.cells_of`, read from its file as text. `schedules`
    has by log the addresses of pages of its schedules, with their labels.
    """
    numbers = [column for column in cells if column not in TEXTS]
    table = cells.assign(**{name: pd.to_numeric(cells[name]) for name in numbers})
    labels = {name: metric.label for name, metric in METRICS.items()}
    facts = {
        "cells": json.loads(table.to_json(orient="split", index=False)),
        "charts": charts(),
        "labels": labels,
        "units": {name: metric.unit or "no unit" for name, metric in METRICS.items()},
        "all": ALL,
        "step": STEP,
        "same": SAME,
        "none": NONE,
        "schedules": {log: list(pages) for log, pages in schedules.items()},
    }
    return {
        "part": PART,
        "logs_shown": list(dict.fromkeys(cells["log"])),
        "labels": labels,
        "facts": as_json(facts),
        "library": library(),
        "license": LICENSE,
    }
