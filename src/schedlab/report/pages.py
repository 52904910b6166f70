"""Rendering the report: a page for every paper, and the one that leads to them."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from html import unescape
from importlib.metadata import version
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pandas as pd
import yaml
from docutils.core import publish_parts
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from schedlab.core.markers import DRAWN
from schedlab.files.io import about, whole
from schedlab.report.cells import cell, crossed, is_number
from schedlab.report.comparison import UNEXPLAINED, unexplained
from schedlab.report.pictures import inlined
from schedlab.report.scoreboard import COMPARISON, grades_of
from schedlab.report.tables import show
from schedlab.report.verdicts import (
    CONSISTENT,
    DEFINITIONS,
    DIFFERS,
    MATCH,
    NOT_AT_HAND,
    ORDERING_HOLDS,
    VERDICTS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SIGNS = {MATCH: "✓", CONSISTENT: "∈", ORDERING_HOLDS: "≈", DIFFERS: "≠", NOT_AT_HAND: "–"}
SCALES = {"papers": "the papers’ scale", "quick": "quick scale"}


def render(
    template: str | Path,
    paper: Mapping,
    files: Iterable[str | Path],
    captions: Mapping[str, str | Path],
    fetched: Iterable[str | Path],
    config: Mapping,
    html: str | Path,
    further: Callable[[Mapping[str, pd.DataFrame]], Mapping] | None = None,
) -> None:
    """Fill a paper's template and write the page, whole or not at all.

    Parameters
    ----------
    template : path-like
        Jinja template; those beside it can be extended and imported. It is given

        - `paper`, and `papers`: dicts with the key of every paper of the report,
        - `tables`: by item, the rows of its .csv as dicts of text,
        - `figures`: by item, a dict with item, name, caption, alt, uri (the picture), width and
          height (pixels),
        - `texts`: by item, what its .txt says,
        - `captions`: by item, as HTML,
        - `counts`: by item ``<item>_comparison`` and dialect ("" where it has none), how many
          numbers got each verdict, and how many of those that differ are `unexplained`,
        - `graded`: by item ``<item>_comparison``, of the paper's own dialect, how many numbers have
          each of `schedlab.report.verdicts.GRADES`,
        - `logs`, `missing`: fetch reports, of all logs and of those that are not at hand; those
          that are drawn from their seeds are `drawn`,
        - `stand_ins`, `scale_words`,
        - and what `further` makes of the tables.
    paper : mapping
        key, title, authors, venue and summary; told: by item, what captions know of it.
    files : iterable of path-like
        .csv, .png and .txt, named by item.
    captions : mapping of item to path-like
        .rst, as for Snakemake's own report: Jinja over ``snakemake.wildcards`` (each is the item),
        ``snakemake.config`` and ``snakemake.params.told``.
    fetched : iterable of path-like
        .json reports of the fetched logs.
    config : mapping
        The configuration of the run.
    html : path-like
        The page.
    further : callable, optional
        From the tables by item, every cell the text that stands in the .csv, to what else the
        template is given.

    Raises
    ------
    jinja2.UndefinedError
        The template uses a name that it is not given.
    """
    paths = [Path(path) for path in files]
    frames = {path.stem: read_table(path) for path in paths if path.suffix == ".csv"}
    told = paper.get("told", {})
    words = {
        item: _caption(Path(path), item, config, told.get(item, {}))
        for item, path in captions.items()
    }
    context = {
        "paper": paper,
        "papers": paper.get("papers", ()),
        "tables": {item: frame.to_dict("records") for item, frame in frames.items()},
        "figures": {
            path.stem: _figure(path, words.get(path.stem, ""))
            for path in paths
            if path.suffix == ".png"
        },
        "texts": {
            path.stem: path.read_text(encoding="utf-8").strip()
            for path in paths
            if path.suffix == ".txt"
        },
        "captions": words,
        "counts": _counts(frames),
        "graded": {
            item: grades_of(frame) for item, frame in frames.items() if item.endswith(COMPARISON)
        },
    }
    made = further(frames) if further else {}
    write_page(template, context | logs_told(fetched) | run_told(config) | made, html)


def write_page(template: str | Path, context: Mapping, html: str | Path) -> None:
    """Fill a template with `context` and write the page, whole or not at all."""
    template = Path(template)
    environment = Environment(
        loader=FileSystemLoader([template.parent, template.parent.parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "show": show,
        "log10": math.log10,
        "item_name": item_name,
        "cell": cell,
        "crossed": crossed,
        "words": lambda name: name.replace("_", " "),
    }
    environment.tests |= {"number_text": is_number}
    environment.globals |= {"verdicts": VERDICTS, "definitions": DEFINITIONS, "signs": SIGNS}
    page = environment.get_template(template.name).render(context)
    with whole(html) as draft:
        draft.write_text(page, encoding="utf-8")


def item_name(item: str) -> str:
    """Name of an item as papers have it.

    Examples
    --------
    >>> item_name("table4_comparison"), item_name("fig4_1"), item_name("fig7_learned")
    ('Table 4', 'Figure 4.1', 'Figure 7L')
    """
    found = re.match(r"(table|fig)(\d+(?:_\d+)*)", item)
    if not found:
        return item.removesuffix(COMPARISON).replace("_", " ")
    # a figure of the paper once more, with the policies learned here, is none of the paper's
    number = found[2].replace("_", ".")
    if found[1] == "table":
        return f"Table {number}"
    return f"Figure {number}{'L' if item.endswith('_learned') else ''}"


def read_table(path: Path) -> pd.DataFrame:
    """Read a .csv with every cell the text that stands there."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def _caption(path: Path, item: str, config: Mapping, told: Mapping) -> str:
    """Caption of an item as HTML, from the .rst that Snakemake's report uses."""

    class Wildcards:
        """Whatever a rule calls its wildcard, it is the item."""

        def __getattr__(self, name: str) -> str:
            return item

    environment = Environment(undefined=StrictUndefined)
    snakemake = SimpleNamespace(
        wildcards=Wildcards(), config=config, params=SimpleNamespace(told=told)
    )
    text = environment.from_string(path.read_text(encoding="utf-8")).render(snakemake=snakemake)
    settings = {"raw_enabled": False, "file_insertion_enabled": False, "report_level": 2}
    return publish_parts(text, writer="html5", settings_overrides=settings)["body"].strip()


def _figure(path: Path, caption: str) -> dict:
    """What a page shows of a figure: what it is, and the picture."""
    name = item_name(path.stem)
    said = {"item": path.stem, "name": name, "caption": caption}
    return said | {"alt": first_sentence(caption) or name} | inlined(path)


def first_sentence(html: str) -> str:
    r"""Return the first sentence of a caption as text: what a picture is said to be.

    Examples
    --------
    >>> first_sentence("<p>Figure 1 of <i>it</i>: waits,\nby log. The line is the mean.</p>")
    'Figure 1 of it: waits, by log.'
    """
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())
    return re.split(r"(?<=\.)(?<![ (][A-Z]\.) (?=[A-Z])", text, maxsplit=1)[0]


def _counts(frames: Mapping[str, pd.DataFrame]) -> dict[str, dict[str, dict[str, int]]]:
    """Verdicts of every comparison among the tables, by item and dialect."""
    return {
        item: verdict_counts(frame) for item, frame in frames.items() if item.endswith(COMPARISON)
    }


def verdict_counts(compared: pd.DataFrame) -> dict[str, dict[str, int]]:
    """How many numbers of a comparison got each verdict, by dialect ("" where it has none).

    Beside the verdicts stands `UNEXPLAINED`: how many of the numbers that differ have no reason.
    """
    dialects = compared["dialect"] if "dialect" in compared else pd.Series("", compared.index)
    counts = {}
    for dialect, numbers in compared.groupby(dialects, sort=False):
        found = Counter(numbers["verdict"])
        counts[dialect] = {verdict: found[verdict] for verdict in VERDICTS}
        counts[dialect][UNEXPLAINED] = int(unexplained(numbers).sum())
    return counts


def logs_told(fetched: Iterable[str | Path]) -> dict:
    """Fetch reports, with the place that each log came from."""
    logs = [json.loads(Path(path).read_text(encoding="utf-8")) for path in fetched]
    logs = [log | {"place": _place(log["source"])} for log in logs]
    return {
        "logs": logs,
        "missing": [log for log in logs if log["status"] == NOT_AT_HAND],
        "drawn": [log for log in logs if log["status"] == DRAWN],
    }


def _place(source: str) -> str:
    """Where a log came from: its address, or the file's name without this machine's folders."""
    return source if "://" in source else PurePath(source).name


def run_told(config: Mapping) -> dict:
    """Describe the run that is shown."""
    return {
        "scale_words": SCALES.get(config["scale"], config["scale"]),
        "stand_ins": config["source"] == "models",
        "config": yaml.safe_dump(dict(config), sort_keys=False),
        "version": version("schedlab"),
    }


def made_by(computed: Iterable[str | Path]) -> dict[str, str]:
    """Versions that results were computed with, as their own jobs recorded them.

    Parameters
    ----------
    computed : iterable of path-like
        Files of `schedlab.files.io.write_parquet`.

    Returns
    -------
    dict of str to str
        By what has a version; several where results of several versions lie together.
    """
    found: dict[str, dict[str, None]] = {}
    for path in computed:
        for name, said in about(path).items():
            found.setdefault(name, {})[said] = None
    return {name: " and ".join(said) for name, said in found.items()}
