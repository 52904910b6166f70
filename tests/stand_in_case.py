"""Find logs' names above numbers of models: in pages, and in figures as PDF."""

from __future__ import annotations

import csv
import html
import re
from pathlib import Path

from pypdf import PdfReader

from prose_case import sentences_of

ROOT = Path(__file__).parents[1]
#: what a page of a run on models has in its header
MODELS = "model workloads, no real logs"
#: how papers write the names of logs that the registry writes otherwise
SPELLINGS = ("KTH SP2", "CTC SP2", "SDSC SP2", "SDSC Blue", "Curie", "Interpid", "Intrepid", "Gaia")
SPELLINGS += ("wagap", "Zewura", "workload trace", "workload traces")
#: a sentence or label with one of these words says that a model ran, or is about what is published
ALLOWED = re.compile(
    r"\bstands? in for\b|\bin (?:the )?place of\b|\bmodels?\b|\bmodeled\b|publish|\bpaper|"
    r"\bthesis\b|\bnot available\b",
    re.I,
)
#: lists of logs, and what is published or ran on logs: no results of models
LISTED = re.compile(r"<!-- logs -->.*?<!-- end of logs -->", re.DOTALL)
SHOWN = re.compile(r'\b(?:alt|title|aria-label|data-label)="([^"]*)"')
OPTIONS = re.compile(r"<option[^>]*>(.*?)</option>", re.DOTALL)
SCRIPTS = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)


def names_of_logs() -> tuple[str, ...]:
    """Return the names of all logs as the registry and the papers write them.

    Without those that models draw job by job.
    """
    with (ROOT / "config/traces.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    drawn = ("lublin", "score-distribution")
    return (*(row["name"] for row in rows if not row["name"].startswith(drawn)), *SPELLINGS)


NAMES = re.compile(r"(?<![\w/.-])(?:" + "|".join(map(re.escape, names_of_logs())) + r")(?![\w/.])")


def bare_names(markup: str) -> list[str]:
    """Return the sentences and labels of a page that name a log above a model's numbers.

    >>> bare_names("<td>KTH-SP2</td><td>model, 100 processors (stands in for KTH-SP2)</td>")
    ["names a log on a page of models: 'KTH-SP2'"]
    >>> bare_names('<img alt="SAF leads on CTC-SP2"><p>The published CTC-SP2 differs.</p>')
    ["names a log on a page of models: 'SAF leads on CTC-SP2'"]
    >>> bare_names('<script>{"log": "HPC2N"}</script><code>HPC2N.swf</code>')
    ["names a log on a page of models: 'HPC2N'"]
    """
    text = LISTED.sub("", markup)
    quoted = [word for script in SCRIPTS.findall(text) for word in re.findall(r'"([^"]*)"', script)]
    keys = [word for word in quoted if NAMES.fullmatch(word)]
    attributes = map(html.unescape, SHOWN.findall(SCRIPTS.sub("", text)))
    units = [*sentences_of(text), *attributes, *map(html.unescape, OPTIONS.findall(text)), *keys]
    return _faults(units)


def bare_names_in_pdf(path: str | Path) -> list[str]:
    """Return the lines of a figure that name a log above a model's numbers.

    A line of a drawing is often a part of a label, so the text before and after it counts too.
    """
    text = " ".join(page.extract_text() for page in PdfReader(path).pages)
    words = " ".join(text.split())
    around = (words[max(0, name.start() - 90) : name.end() + 30] for name in NAMES.finditer(words))
    return _faults(list(around))


def _faults(units: list[str]) -> list[str]:
    """Return those of some texts that have a log's name and none of the allowed words."""
    bare = [unit for unit in units if NAMES.search(unit) and not ALLOWED.search(unit)]
    return [f"names a log on a page of models: {unit!r}" for unit in dict.fromkeys(bare)]
