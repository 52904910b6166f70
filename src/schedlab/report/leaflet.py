"""Leaflet of a paper: a PDF of two pages with what holds, and how to reproduce it."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from PIL import Image as Picture
from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib.colors import HexColor, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Image, Paragraph, Spacer, Table

from schedlab.files.io import whole
from schedlab.files.programs import program
from schedlab.report.cells import crossed
from schedlab.report.claims import Outcome, outcomes
from schedlab.report.figures.style import SMALL, WIDE
from schedlab.report.verdicts import GRADES, NOT_AVAILABLE

#: points: the width of text, which is that of a figure, and the edge above and below it
WIDTH, EDGE = 72 * WIDE, 34
INK, QUIET, LINE = HexColor("#1d2733"), HexColor("#5b6672"), HexColor("#c9ced5")
#: tints behind numbers by verdict, and of the bar by grade, as on the pages
TINTS = {"match": "#e2f3ec", "consistent": "#e9f0dc", "same ranking": "#e3eefa"}
TINTS |= {"differs": "#fdeee0", NOT_AVAILABLE: "#f0f1f3"}
BARS = ("#009e73", "#8ab661", "#56b4e9", "#e69f00", "#c2410c", "#c9ced5")
#: the same verdicts as squares of a legend, which are smaller
DEEP = {"match": "#009e73", "consistent": "#8ab661", "same ranking": "#56b4e9"}
DEEP |= {"differs": "#e69f00", NOT_AVAILABLE: "#c9ced5"}
#: points of the widest column of names
FIRST_COLUMN = 118
_FONTS = {"Sans": "DejaVuSans", "Bold": "DejaVuSans-Bold", "Mono": "DejaVuSansMono"}
#: claims in the order of a leaflet: what fails is what a reader looks for
_ORDER = (Outcome.FAILS, Outcome.UNDECIDED, Outcome.HOLDS, NOT_AVAILABLE)


def write_leaflet(path: str | Path, context: Mapping[str, Any], address: str) -> None:
    """Write the leaflet of a paper atomically; equal contents give equal bytes.

    Parameters
    ----------
    path : path-like
        The .pdf.
    context : mapping
        Variables of the page, as `schedlab.report.pages.render` documents them: paper, tables,
        figures, story, number_tables, checked, totals, scale_words, stand_ins, version, revision.
        The optional headline of the paper is the item of a comparison and the columns that name
        its rows and its columns; its optional thumbnail is a figure.
    address : str
        The page of the paper, to state where everything else is.
    """
    _register_fonts()
    with whole(path) as draft:
        canvas = Canvas(str(draft), pagesize=A4, invariant=1, lang="en", pageCompression=1)
        canvas.setTitle(f"{context['paper']['key']}: what holds")
        canvas.setAuthor("schedlab")
        page = _Page(canvas, context)
        page.add(*_heading(context), *_verdict(context), *_findings(context))
        if figure := context["figures"].get(context["paper"].get("thumbnail")):
            page.add(Spacer(0, 6))
            page.add(_figure(figure, page.left - 14), _text(_caption(figure), quiet=True))
        page.add_all(_discoveries(context))
        page.end()
        ending = _reproduce(context, address)
        page.add(*_headline(context))
        page.add_claims(context["story"].claims, sum(each.wrap(WIDTH, 0)[1] for each in ending))
        page.add(*ending)
        page.end()
        canvas.save()


class _Page:
    """Page that is filled from its top."""

    def __init__(self, canvas: Canvas, context: Mapping[str, Any]):
        self.canvas, self.left = canvas, A4[1] - 2 * EDGE
        made = f"schedlab {context['version']} · {context['scale_words']}"
        self.made = made + (" · model workloads, no real logs" if context["stand_ins"] else "")
        self.key = context["paper"]["key"]

    def add(self, *parts: Flowable) -> None:
        """Put parts below each other; log one that does not fit, and leave it out."""
        for part in parts:
            if not self.fits(part):
                name = type(part).__name__.lower()
                logging.getLogger(__name__).warning(
                    "leaflet of %s: no space for a %s", self.key, name
                )
                continue
            _, height = part.wrap(WIDTH, self.left)
            self.left -= height
            part.drawOn(self.canvas, (A4[0] - WIDTH) / 2, EDGE + self.left)

    def add_all(self, parts: Sequence[Flowable]) -> None:
        """Put all parts below each other if all of them fit; none of them else."""
        if sum(part.wrap(WIDTH, self.left)[1] for part in parts) <= self.left:
            self.add(*parts)

    def fits(self, part: Flowable, reserved: float = 0) -> bool:
        """Return whether a part and `reserved` points fit below what is on the page."""
        return part.wrap(WIDTH, self.left)[1] + reserved <= self.left

    def add_claims(self, claims, reserved: float) -> None:
        """Put as many claims as fit above `reserved` points, and count the others."""
        if claims.empty:
            return
        count = outcomes(claims["result"]) or "no claim was tested"
        self.add(_text(f"Claims of the text: {count}", "Bold", 9, above=7))
        rows = [row for each in _ORDER for row in claims[claims["result"] == each].itertuples()]
        reserved += _text("more", above=2).wrap(WIDTH, 0)[1]
        for number, row in enumerate(rows):
            places = ", ".join(filter(None, (row.of, row.where)))
            where = f" ({places})" if places else ""
            claim = _text(f"<b>{row.result}</b> · {escape(f'{row.claim}{where}')}", above=1.5)
            if not self.fits(claim, reserved):
                left = len(rows) - number
                more = f"and {left} further claim{'s' * (left > 1)}, on the page of the paper"
                self.add(_text(more, quiet=True, above=2))
                return
            self.add(claim)

    def end(self) -> None:
        """Write the foot of the page and begin the next one."""
        self.canvas.setFont("Sans", SMALL)
        self.canvas.setFillColor(QUIET)
        number = self.canvas.getPageNumber()
        self.canvas.drawString(
            (A4[0] - WIDTH) / 2, EDGE - 14, f"{self.made} · {self.key}, page {number} of 2"
        )
        self.canvas.showPage()
        self.left = A4[1] - 2 * EDGE


@functools.cache
def _register_fonts() -> None:
    """Make known the fonts, which matplotlib brings."""
    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    for name, file in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, folder / f"{file}.ttf"))
    pdfmetrics.registerFontFamily(
        "Sans", normal="Sans", bold="Bold", italic="Sans", boldItalic="Bold"
    )


def _text(
    text: str, font: str = "Sans", size: float = 7.5, quiet: bool = False, above: float = 0, **more
) -> Paragraph:
    """Return a paragraph; `text` may have the tags b and br."""
    color = QUIET if quiet else INK
    # the space above is part of the paragraph, since pages are filled part by part
    style = ParagraphStyle(
        font, fontName=font, fontSize=size, leading=1.27 * size, textColor=color, **more
    )
    paragraph = _Spaced(text, style)
    paragraph.above = above
    return paragraph


class _Spaced(Paragraph):
    """Paragraph whose height has the space above it."""

    above = 0.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return width and height."""
        wide, high = super().wrap(width, height)
        return wide, high + self.above


def _heading(context: Mapping[str, Any]) -> list[Flowable]:
    paper = context["paper"]
    return [
        _text(escape(paper["title"]), "Bold", 13),
        _text(escape(f"{paper['authors']}, {paper['venue']}. {paper['summary']}"), size=8, above=3),
    ]


def _verdict(context: Mapping[str, Any]) -> list[Flowable]:
    """Return how many numbers match: a sentence, a bar and its legend."""
    counts = {name: count for name, count in context["checked"].items() if count}
    computed, *apart = context["totals"].values()
    parts = [_text(escape(computed), "Bold", 10, above=9)]
    if apart:
        parts.append(_text(escape(" ".join(apart)), size=8, above=2))
    if not counts:
        return parts
    bar, left, total = Drawing(WIDTH, 14), 0.0, sum(counts.values())
    colors = dict(zip(GRADES, BARS, strict=True))
    for name, count in counts.items():
        width = WIDTH * count / total
        bar.add(Rect(left, 0, width, 10, fillColor=HexColor(colors[name]), strokeColor=white))
        left += width
    words = (
        f'<font color="{colors[name]}">■</font> {count:,} {GRADES[name]}'
        for name, count in counts.items()
    )
    return [*parts, bar, _text(" &nbsp; ".join(words), quiet=True)]


def _findings(context: Mapping[str, Any]) -> list[Flowable]:
    hanging = {"leftIndent": 9, "firstLineIndent": -9}
    return [
        _text(
            f"• {escape(finding.text)}{' (on models)' if finding.models else ''}",
            size=8.5,
            above=5,
            **hanging,
        )
        for finding in context["story"].findings
    ]


def _discoveries(context: Mapping[str, Any]) -> list[Flowable]:
    """Return what the paper does not report, with its explanation."""
    story = context["story"]
    parts = [
        _text(f"<b>{escape(each.headline)}.</b> {escape(each.text)}", above=3)
        for each in story.discoveries
    ]
    heading = _text("What the paper does not report", "Bold", 9, above=9)
    return [heading, *parts] if parts else []


def _figure(figure: Mapping[str, Any], height: float) -> Image:
    """Return the picture in its true size, or smaller if the page has less than its `height`."""
    with Picture.open(figure["path"]) as picture:
        flat, (pixels, high) = BytesIO(), picture.size
        picture.convert("RGB").save(flat, "PNG")
    scale = min(WIDTH / pixels, max(height, 1) / high)
    if scale < WIDTH / pixels:
        share = 100 * scale * pixels / WIDTH
        logging.getLogger(__name__).info("%s: shown at %.0f %% of its size", figure["item"], share)
    flat.seek(0)
    return Image(flat, scale * pixels, scale * high, hAlign="LEFT")


def _caption(figure: Mapping[str, Any]) -> str:
    name = figure["name"][:1].upper() + figure["name"][1:]
    return (
        escape(f"{name}. Black ticks: published values.") if figure.get("spots") else escape(name)
    )


def _headline(context: Mapping[str, Any]) -> list[Flowable]:
    """Return the headline table: computed values above the published ones."""
    item, down, across = context["paper"].get("headline") or ("", "", "")
    rows = context["tables"].get(item, [])
    if "dialect" in (rows[0] if rows else {}):
        rows = [row for row in rows if row["dialect"] == rows[0]["dialect"]]
    if not rows:
        return []
    made = crossed(rows, down, across)
    label = next(
        (table["label"] for table in context["number_tables"] if item.startswith(table["item"])),
        item,
    )
    title = _text(f"{escape(label)}: computed, and published below it", "Bold", 9)
    words = {verdict: verdict for verdict in TINTS} | {NOT_AVAILABLE: "not compared"}
    shown = {row["verdict"] for row in rows}
    legend = " &nbsp; ".join(
        f'<font color="{DEEP[verdict]}">■</font> {words[verdict]}'
        for verdict in TINTS
        if verdict in shown
    )
    return [title, _text(legend, size=SMALL, quiet=True), Spacer(0, 2), _table(made)]


def _table(made: Mapping[str, Any]) -> Table:
    right = {"alignment": 2}
    head = [
        "",
        *(
            _text(escape(name.replace("_", " ")), size=SMALL, quiet=True, **right)
            for name in made["columns"]
        ),
    ]
    body, look = [], []
    for place, row in enumerate(made["rows"], start=1):
        body.append(
            [_text(escape(row["name"].replace("_", " ")), size=SMALL), *map(_cell, row["cells"])]
        )
        look += [
            ("BACKGROUND", (column, place), (column, place), HexColor(TINTS[cell["verdict"]]))
            for column, cell in enumerate(row["cells"], start=1)
            if cell
        ]
    longest = max(pdfmetrics.stringWidth(row["name"], "Sans", SMALL) for row in made["rows"])
    first = min(longest + 8, FIRST_COLUMN)
    width = (WIDTH - first) / len(made["columns"])
    table = Table([head, *body], [first, *(width for _ in made["columns"])], hAlign="LEFT")
    table.setStyle(
        [
            *look,
            ("FONT", (0, 0), (-1, -1), "Sans", SMALL, 1.17 * SMALL),
            ("TEXTCOLOR", (0, 0), (-1, -1), INK),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            ("VALIGN", (0, 1), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 0.6),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.4),
            ("LEFTPADDING", (0, 0), (-1, -1), 1.5),
            ("RIGHTPADDING", (0, 0), (-1, -1), 2.5),
            ("INNERGRID", (0, 0), (-1, -1), 0.5, white),
            ("LINEBELOW", (0, 0), (-1, -1), 0.3, LINE),
        ]
    )
    return table


def _cell(entry: Mapping[str, Any] | None) -> str:
    return f"{entry['shown'] or '–'}\n{entry['published']}" if entry else ""


def _reproduce(context: Mapping[str, Any], address: str) -> list[Flowable]:
    """Return how the headline table is made, and where the rest is."""
    item, *_ = context["paper"].get("headline") or ("",)
    tables = [
        table for table in context["number_tables"] if item and item.startswith(table["item"])
    ]
    parts = [_text("How to reproduce", "Bold", 9, above=7)]
    for table in tables[:1]:
        minutes = table["minutes"]
        time = (
            "" if minutes is None else f" ({minutes:.1f} minutes for all jobs, one after another)"
        )
        parts += [_text(f"{escape(table['label'])}{time}:", above=1), _code(table["command"])]
    parts += [_text("The whole paper:", above=1), _code(_command(tables, context["paper"]["key"]))]
    revision = f" Revision {context['revision']}." if context["revision"] else ""
    rest = f"Every number with its verdict, reason and source lines: {address}.{revision}"
    return [*parts, _text(escape(rest), above=2)]


def _command(tables: Sequence[Mapping[str, Any]], key: str) -> str:
    """Return the command that makes everything of a paper, as that of its table is called."""
    words: Iterable[str] = tables[0]["command"].split() if tables else [program("snakemake")]
    return " ".join(key if "/figures/" in word else word for word in words)


def _code(text: str) -> Paragraph:
    return _text(escape(text), "Mono", SMALL, leftIndent=9)
