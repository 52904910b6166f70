"""The report: what was made, beside what was published, on one page that needs nothing else."""

from __future__ import annotations

import base64
import json
import math
import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from schedlab.comparison import DIFFERS, MATCH, ORDERING_HOLDS, VERDICTS
from schedlab.io import whole
from schedlab.tables import NOT_AT_HAND, POLICY_COLUMNS, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SIGNS = {MATCH: "✓", ORDERING_HOLDS: "≈", DIFFERS: "≠", NOT_AT_HAND: "–"}
AD_HOC = ["FCFS", "WFP", "UNI", "SPT"]
LEARNED = ["F4", "F3", "F2", "F1"]
CAPTIONS = {
    "fig4": "Workload model, decisions on actual run times",
    "fig5": "Workload model, decisions on modelled user estimates",
    "fig6": "Workload model, user estimates and aggressive backfilling",
    "fig7": "Real logs, decisions on actual run times",
    "fig8": "Real logs, decisions on user estimates",
    "fig9": "Real logs, user estimates and aggressive backfilling",
}
PACKAGES = ("schedlab", "numpy", "pandas", "scipy", "matplotlib", "snakemake")


def render(
    template: str | Path,
    tables: Mapping[str, str | Path],
    figures: Sequence[str | Path],
    fetched: Iterable[str | Path],
    config: Mapping,
    scale: str,
    html: str | Path,
) -> None:
    """Fill the page's template and write it, whole or not at all.

    Parameters
    ----------
    template : path-like
        Jinja template; the files beside it can be included.
    tables : mapping of item to path-like
        .csv of table2, table4, table4_full, table5, table5_comparison, table4_comparison,
        table4_ranks and, unless the configuration leaves it out, table4_generated.
    figures : sequence of path-like
        .png files named by item; they become part of the page.
    fetched : iterable of path-like
        .json reports of the fetched logs.
    config : mapping
        The configuration of the run.
    scale : str
        ``paper`` or ``quick``.
    html : path-like
        The page.

    Raises
    ------
    jinja2.UndefinedError
        The template uses a name that it is not given.
    """
    frames = {
        item: pd.read_csv(path, dtype=str, keep_default_na=False) for item, path in tables.items()
    }
    page = _read_template(Path(template)).render(
        context(frames, figures, [json.loads(Path(path).read_text()) for path in fetched])
        | {"scale": scale, "stand_ins": config["source"] == "models"}
        | {"config": yaml.safe_dump(dict(config), sort_keys=False), "versions": versions()}
    )
    with whole(html) as draft:
        draft.write_text(page, encoding="utf-8")


def _read_template(path: Path) -> Template:
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"show": show, "log10": math.log10}
    return environment.get_template(path.name)


def context(
    tables: Mapping[str, pd.DataFrame], figures: Iterable[str | Path], logs: Sequence[Mapping]
) -> dict:
    """Everything the template shows but the configuration.

    Parameters
    ----------
    tables : mapping of item to DataFrame
        As `render` reads them: every cell the text that stands in the .csv.
    figures : iterable of path-like
        .png files named by item.
    logs : sequence of mapping
        Fetch reports: log, status, source, jobs, message, licence, acknowledge.
    """
    compared = tables["table4_comparison"]
    compared = compared.assign(
        ours=pd.to_numeric(compared["ours"]), ratio=pd.to_numeric(compared["ratio"])
    )
    return {
        "policies": list(POLICY_COLUMNS.values()),
        "verdicts": VERDICTS,
        "signs": SIGNS,
        "counts": verdict_counts(compared),
        "table4": table4_rows(tables["table4"], compared, "artefact"),
        "table4_full": table4_rows(tables["table4_full"], compared, "full"),
        "advantage": advantage(compared),
        "compared": compared.to_dict("records"),
        "ranks": _rank_rows(tables["table4_ranks"]),
        "generated": tables.get("table4_generated", pd.DataFrame()).to_dict("records"),
        "table2": tables["table2"].to_dict("records"),
        "table5": tables["table5_comparison"].to_dict("records"),
        "figures": [_figure(path) for path in figures],
        "logs": [log | {"place": _place(log["source"])} for log in logs],
        "missing": [log for log in logs if log["status"] == NOT_AT_HAND],
    }


def verdict_counts(compared: pd.DataFrame) -> dict[str, dict[str, int]]:
    """How many numbers of Table 4 got each verdict, by dialect."""
    counts = {}
    for dialect, numbers in compared.groupby("dialect"):
        found = Counter(numbers["verdict"])
        counts[dialect] = {verdict: found[verdict] for verdict in VERDICTS}
    return counts


def table4_rows(table: pd.DataFrame, compared: pd.DataFrame, dialect: str) -> list[dict]:
    """Rows of Table 4 in one dialect, with the printed number and the verdict in every cell.

    Returns
    -------
    list of dict
        label, missing (bool: nothing was run), comparable (bool: and not on a stand-in), cells
        (dicts: policy, ours, published, verdict, reason, best).
    """
    own = compared[compared["dialect"] == dialect]
    groups = [group for _, group in own.groupby("experiment", sort=False)]
    rows = []
    for label, group in zip(table["experiment"], groups, strict=True):
        best = group["ours"].min()
        rows.append(
            {
                "label": label,
                "missing": bool(group["ours"].isna().all()),
                "comparable": bool((group["verdict"] != NOT_AT_HAND).all()),
                "cells": [
                    cell | {"best": cell["ours"] == best} for cell in group.to_dict("records")
                ],
            }
        )
    return rows


def advantage(compared: pd.DataFrame) -> dict:
    """By how much the best of F1-F4 beats the best ad-hoc policy, row by row.

    Returns
    -------
    dict
        rows (dicts: experiment, published, artefact, full: median of the best ad-hoc policy over
        that of the best of F1-F4, nan where nothing was run), regimes (dicts: regime and the
        median over its rows for published, artefact, full) and widest (for drawing).
    """
    rows = []
    for experiment, group in compared.groupby("experiment", sort=False):
        row = {"experiment": experiment, "regime": experiment.rsplit(", ", 1)[1]}
        for dialect, numbers in group.groupby("dialect"):
            numbers = numbers.set_index("policy")
            row["published"] = _gain(numbers["published"].astype(float))
            row[dialect] = _gain(numbers["ours"])
        rows.append(row)
    gains = pd.DataFrame(rows).set_index("experiment")
    # A regime's three numbers are over the same rows: those that were run.
    regimes = gains.dropna().groupby("regime", sort=False).median()
    return {
        "rows": rows,
        "regimes": regimes.reset_index().to_dict("records"),
        "widest": np.nanmax(gains.drop(columns="regime").to_numpy()),
    }


def _gain(medians: pd.Series) -> float:
    return float(medians[AD_HOC].min() / medians[LEARNED].min())


def _rank_rows(ranks: pd.DataFrame) -> list[dict]:
    """One row per row of Table 4, the dialects beside each other."""
    rows = []
    for experiment, group in ranks.groupby("experiment", sort=False):
        row = {"experiment": experiment, "published_order": group["published_order"].iloc[0]}
        rows.append(row | {entry["dialect"]: entry for entry in group.to_dict("records")})
    return rows


def _figure(path: str | Path) -> dict:
    """Item, caption and picture of a figure, the picture as a data URI."""
    path = Path(path)
    picture = base64.b64encode(path.read_bytes()).decode()
    return {
        "item": path.stem,
        "number": path.stem.removeprefix("fig"),
        "caption": CAPTIONS[path.stem],
        "uri": f"data:image/png;base64,{picture}",
    }


def _place(source: str) -> str:
    """Where a log came from: its address, or the file's name without this machine's folders."""
    return source if "://" in source else PurePath(source).name


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that made the numbers and the drawings."""
    return {"Python": platform.python_version()} | {name: version(name) for name in PACKAGES}
