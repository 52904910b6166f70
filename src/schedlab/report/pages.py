"""Rendering of the report: a page for every paper, and the first page that links to them."""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from html import unescape
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path, PurePath

import pandas as pd
import yaml
from docutils.core import publish_parts
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from schedlab.core.markers import DRAWN
from schedlab.core.metrics import PAGE, tail_metrics, window_metrics
from schedlab.files.io import whole
from schedlab.files.programs import program
from schedlab.files.templates import page_templates
from schedlab.report.access import complete_tables
from schedlab.report.cards import (
    CARD,
    INDEX,
    checked,
    figures_by_card,
    link_cards,
    sentence_to_cite,
    spots_of,
    tables_of,
    totals,
)
from schedlab.report.cells import cell, crossed, is_number
from schedlab.report.claims import outcomes
from schedlab.report.comparison import UNEXPLAINED, unexplained
from schedlab.report.levels import FIRST, Part, address_links, neighbors, pages_of_anchors
from schedlab.report.pictures import inlined, numbers_in, thumbnail, title_of
from schedlab.report.scoreboard import COLUMNS, COMPARISON, computed_numbers, counted, grades_of
from schedlab.report.sources import places_of
from schedlab.report.story import Story, Teller
from schedlab.report.tables import show
from schedlab.report.verdicts import (
    CONSISTENT,
    DEFINITIONS,
    DIFFERS,
    GRADES,
    MATCH,
    NOT_AVAILABLE,
    SAME_RANKING,
    VERDICTS,
)
from schedlab.report.words import shown_name

SIGNS = {MATCH: "✓", CONSISTENT: "∈", SAME_RANKING: "≈", DIFFERS: "≠", NOT_AVAILABLE: "–"}
SCALES = {"papers": "the papers’ scale", "quick": "quick scale"}


def render(
    templates: str | Path,
    words: Mapping | Path,
    paper: Mapping,
    files: Iterable[str | Path],
    captions: Mapping[str, str],
    fetched: Iterable[str | Path],
    config: Mapping,
    html: str | Path,
    further: Callable[[Mapping[str, pd.DataFrame]], Mapping] | None = None,
    details: str | Path | None = None,
    story: Story | None = None,
    board: pd.DataFrame | None = None,
    made: Mapping[str, Mapping] | None = None,
    revision: str = "",
) -> None:
    """Fill the words of a study's page, and write its pages atomically to `html` and `details`.

    `words` has parts: the first page, then the pages of details, each with name, title and text; a
    part whose text comes out empty is left out. It has tables: how the macro ``show`` shows a
    table, by item. Titles and texts are Jinja templates with the macros of macros.html.j2 in the
    folder `templates`. A page without parts has the path of a template instead. All of them receive

    - `paper`, and `papers`: dicts with the key of every paper of the report,
    - `tables`: by item, the rows of its .csv as dicts of text,
    - `figures`: by item, a dict with item, name, caption, alt, uri (the picture), width and height
      (pixels), and spots, its links from `schedlab.report.cards.spots_of`,
    - `texts`: by item, the content of its .txt,
    - `captions`: by item, as HTML,
    - `counts`: by item ``<item>_comparison`` and dialect ("" if it has none), how many numbers got
      each verdict, and how many of those that differ are `unexplained`,
    - `graded`: by item ``<item>_comparison``, for the dialect of the paper, how many numbers have
      each of `schedlab.report.verdicts.GRADES`,
    - `logs`, `missing`, `drawn`: fetch reports of all logs, of those that are not available, and of
      those that are drawn from their seeds,
    - `stand_ins`, `scale_words`,
    - and what `further` returns for the tables, every cell of which is text.

    `paper` has key, title, authors, venue and summary, more values for the texts (further), and
    names of models that replace logs, by what tables have in their place. `files` are .csv, .png
    and .txt, named by item; captions are in reStructuredText; `fetched` are .json reports of the
    fetched logs. The folder `details` has the name of `html` without its suffix; without it the
    page has everything. `story` is what the first page tells. `board` has the rows of the paper in
    a scoreboard, from `schedlab.report.scoreboard.board_of`: each number has a card in `details`,
    to which comparisons link. `made` has by item of a comparison: rule, maker (its function), sheet
    (rows behind it: dicts of experiment, label, dialect and line), and steps (pairs of rule and
    script, in order). `revision` is the commit of the sources.

    Raises jinja2.UndefinedError if a text uses a variable that it does not receive.
    """
    paths, names = [Path(path) for path in files], paper.get("names", {})
    frames = {path.stem: read_table(path, names) for path in paths if path.suffix == ".csv"}
    if board is None:
        board = pd.DataFrame(columns=COLUMNS)
    frames = link_cards(frames, board)
    compared = {item: frame for item, frame in frames.items() if item.endswith(COMPARISON)}
    captions_html = {item: _html(text) for item, text in captions.items()}
    context = {
        "paper": paper,
        "papers": paper.get("papers", ()),
        "tables": {item: frame.to_dict("records") for item, frame in frames.items()},
        "figures": {
            path.stem: figure_of(path, captions_html.get(path.stem, ""))
            | {"spots": spots_of(numbers_in(path), board)}
            for path in paths
            if path.suffix == ".png"
        },
        "texts": {
            path.stem: path.read_text(encoding="utf-8").strip()
            for path in paths
            if path.suffix == ".txt"
        },
        "captions": captions_html,
        "counts": {item: verdict_counts(frame) for item, frame in compared.items()},
        "graded": {item: grades_of(frame) for item, frame in compared.items()},
        "layouts": {} if isinstance(words, Path) else words.get("tables", {}),
    }
    more_context = further(frames) if further else {}
    context |= log_context(fetched) | run_context(config) | more_context
    if isinstance(words, Path):
        write_page(words, context, html)
        return
    if details is None:
        body = "".join(part.body for part in parts_of(words["parts"], context, templates))
        write_page(Path(templates, "base.html.j2"), context | {"body": body}, html)
        return
    made = made or {}
    sheet = {item: facts["sheet"] for item, facts in made.items()}
    tables = tables_of(board, frames, sheet, names)
    for table in tables:
        facts = made.get(f"{table['item']}{COMPARISON}", made.get(table["item"], {}))
        table |= {"rule": facts.get("rule", ""), "places": places_of(facts.get("maker", ""))}
        table |= {"steps": facts.get("steps", [])}
        for card in table["cards"]:
            card["cite"] = sentence_to_cite(card, table["label"], paper, context["version"])
    context |= {
        "story": story or Story(),
        "number_tables": tables,
        "scored": counted(computed_numbers(board)),
        "checked": checked(counted(computed_numbers(board))),
        "totals": totals(board),
        "revision": revision,
    }
    write_levels(words["parts"], context, templates, html, details)


def parts_of(
    words: Iterable[Mapping[str, str]], context: Mapping, templates: str | Path
) -> list[Part]:
    """Fill the texts of a page, the first page and its pages of details, with `context`."""
    environment = _environment(Path(templates))
    macros = vars(environment.get_template("macros.html.j2").module)
    names = ", ".join(name for name in macros if not name.startswith("_"))
    head = f'{{% from "macros.html.j2" import {names} with context %}}\n'
    parts = []
    for each in words:
        title, body = (
            environment.from_string(text).render(context)
            for text in (each["title"], head + each["text"])
        )
        if body.strip():
            parts.append(Part(each["name"], unescape(title), body))
    names = [part.name for part in parts]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"pages of details: two are named {min(twice)!r}; rename one")
    return parts


def write_levels(
    words: Iterable[Mapping[str, str]],
    context: dict,
    templates: str | Path,
    html: str | Path,
    details: str | Path,
) -> None:
    """Write the first page of a paper to `html`, and its pages of details to a folder."""
    folder, key = Path(details), context["paper"]["key"]
    folder.mkdir(parents=True, exist_ok=True)
    environment = _environment(Path(templates))
    first, *parts = parts_of(words, context, templates)
    if not parts and not context["number_tables"]:
        write_page(Path(templates, "base.html.j2"), context | {"body": first.body}, html)
        return
    shown = _sections_of_numbers([first, *parts])
    cards = environment.get_template("numbers.html.j2")
    marked = figures_by_card(_placed(context["figures"], [first, *parts]))
    for table in context["number_tables"]:
        table["shown"] = shown.get(table["item"], "")
        for card in table["cards"]:
            card["figures"] = marked.get(card[CARD], ())
        for name in dict.fromkeys(card["page"] for card in table["cards"]):
            own = [card for card in table["cards"] if card["page"] == name]
            body = cards.render(context | {"table": table, "cards": own})
            title = f"Numbers of {table['label'].replace('Text', 'the text')}"
            title += f", page {name[-1]}" if own[0] is not table["cards"][0] else ""
            parts.append(Part(name, title, body, listed=False))
    if context["number_tables"]:
        body = cards.render(context | {"table": None})
        parts.append(Part(INDEX, "All numbers", body))
    places = pages_of_anchors(parts)
    papers = {f"{other['key']}.html": other["key"] for other in context["papers"]}
    menu = {f"{key}.html": "Overview"}
    menu |= {f"{key}/{part.name}.html": part.title for part in parts if part.listed}
    context |= {
        "parts": parts,
        "menu": menu,
        "gallery": _gallery(parts, context["figures"]),
        "moved": {
            anchor: f"{key}/{part.name}.html"
            for part in parts
            for anchor in part.anchors
            if part.listed and part.name != INDEX
        },
    }
    pages = [(html, FIRST, "overview.html.j2", {"body": first.body, "part": None})]
    pages += [
        (folder / f"{part.name}.html", part.name, "base.html.j2", {"body": part.body, "part": part})
        for part in parts
    ]
    for path, name, frame, own in pages:
        address = f"{key}/{name}.html" if name else f"{key}.html"
        row = menu if name or not papers else papers
        own |= {"address": address, "row": row, "onward": neighbors(list(row), address)}
        text = environment.get_template(frame).render(context | own)
        _write(address_links(text, name, key, places), path)


def _sections_of_numbers(parts: Iterable[Part]) -> dict[str, str]:
    """Return the anchor of the first section that links to a table's cards, by item."""
    sections: dict[str, str] = {}
    for part in parts:
        for text in part.body.split('<section id="')[1:]:
            for item in re.findall(r'class="card" href="#n-(\w+)-', text):
                sections.setdefault(item, text.partition('"')[0])
    return sections


def _gallery(parts: Iterable[Part], figures: Mapping[str, Mapping]) -> list[dict]:
    """Return the figures of the pages of details, each with a small picture.

    Figures of the paper come first, by number; then the others, in the order of the pages.
    """
    return [
        dict(drawn) | {"thumbnail": thumbnail(drawn["path"])} for drawn in _placed(figures, parts)
    ]


def _placed(figures: Mapping[str, Mapping], parts: Iterable[Part]) -> list[Mapping]:
    """Return the figures with an anchor on a page, in the order of `_gallery`."""
    anchors = [anchor for part in parts for anchor in part.anchors if anchor in figures]
    return [figures[item] for item in sorted(dict.fromkeys(anchors), key=_number_of_figure)]


def _number_of_figure(item: str) -> tuple[float, ...]:
    """Return the published number of a figure, to sort by; infinity if the paper has no such."""
    match = re.fullmatch(r"fig(\d+(?:_\d+)*)", item)
    return tuple(map(float, match[1].split("_"))) if match else (math.inf,)


def write_page(template: str | Path, context: Mapping, html: str | Path) -> None:
    """Fill a template with `context` and write the page atomically."""
    template = Path(template)
    _write(_environment(template.parent).get_template(template.name).render(context), html)


def _write(page: str, html: str | Path) -> None:
    """Write a page with complete tables atomically."""
    with whole(html) as draft:
        draft.write_text(complete_tables(page), encoding="utf-8")


@functools.cache
def _environment(folder: Path) -> Environment:
    """Return what fills the templates of a folder, with the filters and words of all of them."""
    environment = page_templates(FileSystemLoader([folder, folder.parent]))
    environment.filters |= {
        "show": show,
        "log10": math.log10,
        "item_name": item_name,
        "cell": cell,
        "crossed": crossed,
        "words": shown_name,
        "with_places": with_places,
        "outcomes": outcomes,
    }
    environment.tests |= {"number_text": is_number}
    environment.globals |= {"verdicts": VERDICTS, "definitions": DEFINITIONS, "signs": SIGNS}
    environment.globals["grades"] = GRADES
    environment.globals |= {"metrics": window_metrics(PAGE), "tails": tail_metrics(PAGE)}
    return environment


def item_name(item: str) -> str:
    """Return the name of an item as papers write it.

    >>> item_name("table4_comparison"), item_name("fig4_1"), item_name("fig7_learned")
    ('Table 4', 'Figure 4.1', 'Figure 7L')
    """
    match = re.match(r"(table|fig)(\d+(?:_\d+)*)", item)
    if not match:
        return item.removesuffix(COMPARISON).replace("_", " ")
    # a figure redrawn with the policies learned here is not a figure of the paper
    number = match[2].replace("_", ".")
    if match[1] == "table":
        return f"Table {number}"
    return f"Figure {number}{'L' if item.endswith('_learned') else ''}"


def with_places(text: str) -> Markup:
    """Return the place of a sentence with links to the figures and tables that it names.

    >>> print(with_places("fig 1 & x"))
    <a class="place" href="#fig1">fig 1</a> &amp; x
    """

    def link(match: re.Match) -> str:
        number = match[2].replace(".", "_")
        anchor = f"cards-table{number}" if match[1] == "table" else f"fig{number}"
        return f'<a class="place" href="#{anchor}">{match[0]}</a>'

    return Markup(re.sub(r"\b(fig|figure|table) (\d+(?:\.\d+)*)", link, str(escape(text))))


def function_of(study: str, name: str) -> Callable | None:
    """Return a function of the module ``page`` of a study's package; None if it has no such."""
    page = f"{study}.page"
    return getattr(import_module(page), name, None) if find_spec(page) else None


def read_story(
    study: str,
    words: Mapping,
    paths: Mapping[str, str],
    models: bool,
    names: Mapping[str, str] | None = None,
) -> Story | None:
    """Return the story of a study from its words and tables; None if it has none."""
    story = function_of(study, "story")
    if not paths or story is None:
        return None
    tables = {item: read_table(Path(path), names) for item, path in paths.items()}
    return story(tables, models, Teller(words["story"]))


def read_table(path: Path, names: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Read a .csv with every cell as text; `names` of models are shown in place of some cells."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    return table.replace(dict(names)) if names else table


def _html(text: str) -> str:
    """Return reStructuredText as HTML, without files or HTML that it includes."""
    settings = {"raw_enabled": False, "file_insertion_enabled": False, "report_level": 2}
    return publish_parts(text, writer="html5", settings_overrides=settings)["body"].strip()


def figure_of(path: Path, caption: str) -> dict:
    """Return what a page shows of a figure: its names, caption, alternative text and picture."""
    name = item_name(path.stem)
    labels = {"item": path.stem, "name": name, "caption": caption, "path": path}
    alt = title_of(path) or first_sentence(caption) or name
    return labels | {"alt": alt} | inlined(path)


def first_sentence(html: str) -> str:
    r"""Return the first sentence of a caption as plain text, for the alternative text of a picture.

    >>> first_sentence("<p>Figure 1 of <i>it</i>: waits,\nby log. The line is the mean.</p>")
    'Figure 1 of it: waits, by log.'
    """
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())
    return re.split(r"(?<=\.)(?<![ (][A-Z]\.) (?=[A-Z])", text, maxsplit=1)[0]


def verdict_counts(compared: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Count how many numbers of a comparison got each verdict, by dialect ("" if it has none).

    Each dialect also has `UNEXPLAINED`: how many of the numbers that differ have no reason.
    """
    dialects = compared["dialect"] if "dialect" in compared else pd.Series("", compared.index)
    counts = {}
    for dialect, numbers in compared.groupby(dialects, sort=False):
        counted = Counter(numbers["verdict"])
        counts[dialect] = {verdict: counted[verdict] for verdict in VERDICTS}
        counts[dialect][UNEXPLAINED] = int(unexplained(numbers).sum())
    return counts


def log_context(fetched: Iterable[str | Path]) -> dict:
    """Return the fetch reports, with the place that each log came from."""
    logs = [json.loads(Path(path).read_text(encoding="utf-8")) for path in fetched]
    for log in logs:  # its address, or the file name without folders of this machine
        source = log["source"]
        log["place"] = source if "://" in source else PurePath(source).name
    return {
        "logs": logs,
        "missing": [log for log in logs if log["status"] == NOT_AVAILABLE],
        "drawn": [log for log in logs if log["status"] == DRAWN],
    }


def run_context(config: Mapping) -> dict:
    """Return the context of a page that describes the run."""
    return {
        "scale_words": SCALES.get(config["scale"], config["scale"]),
        "stand_ins": config["source"] == "models",
        "config": yaml.safe_dump(dict(config), sort_keys=False),
        "version": version("schedlab"),
        "snakemake": program("snakemake"),
    }
