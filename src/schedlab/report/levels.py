"""Levels of a paper's page: a first page, and pages of details in the folder next to it.

A template marks where a page of details begins with the macro `page_of`, between sections. Links
and anchors are written as if all of them were on one page; `address_links` writes addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape

_BREAK = re.compile(r"<!-- page ([\w.-]+): (.*?) -->\n?")
_MAIN = re.compile(r"<main[^>]*>(.*)</main>", re.DOTALL)
_SECTION = re.compile(r'<section id="([^"]+)"[^>]*>\s*<h2[^>]*>(.*?)</h2>', re.DOTALL)
_ID = re.compile(r'\bid="([^"]+)"')
_HREF = re.compile(r'\bhref="([^"]*)"')
_PLACE = re.compile(r'<a class="place" href="#([^"]+)">(.*?)</a>')
#: links with a scheme or a host stay unchanged
_ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
#: name of the first page, which is not in the folder
FIRST = ""


@dataclass(frozen=True)
class Part:
    """Page of details: the name of its file without suffix, its title and its HTML.

    A `listed` page has a place in the menu of the paper.
    """

    name: str
    title: str
    body: str
    listed: bool = True

    @property
    def sections(self) -> list[tuple[str, str]]:
        """Anchor and heading of every section."""
        return [(match[1], match[2]) for match in _SECTION.finditer(self.body)]

    @property
    def anchors(self) -> list[str]:
        """All anchors of the page."""
        return _ID.findall(self.body)


def main_of(page: str) -> str:
    """Return the HTML between the tags of a page's main element."""
    match = _MAIN.search(page)
    return match[1] if match else ""


def split(body: str) -> tuple[str, list[Part]]:
    """Split the body of a page at its marks: what comes before them, and the pages of details.

    Raises ValueError if two pages have the same name.

    Examples
    --------
    >>> first, parts = split("a<!-- page why: Why &amp; how -->b")
    >>> first, parts[0].title, parts[0].body
    ('a', 'Why & how', 'b')
    """
    first, *rest = _BREAK.split(body)
    marks = zip(rest[::3], rest[1::3], rest[2::3], strict=True)
    parts = [Part(name, unescape(title), text) for name, title, text in marks]
    names = [part.name for part in parts]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"pages of details: two are named {min(twice)!r}; rename one")
    return first, parts


def pages_of_anchors(parts: Iterable[Part]) -> dict[str, str]:
    """Return the page of details of every anchor; the first of two pages with the same anchor."""
    places: dict[str, str] = {}
    for part in parts:
        for anchor in part.anchors:
            places.setdefault(anchor, part.name)
    return places


def neighbors(addresses: Sequence[str], address: str) -> tuple[str, str]:
    """Return the addresses before and after an address in a row; empty if there is none.

    Examples
    --------
    >>> neighbors(["a", "b", "c"], "b"), neighbors(["a"], "a"), neighbors(["a"], "b")
    (('a', 'c'), ('', ''), ('', ''))
    """
    if address not in addresses:
        return "", ""
    row, place = ["", *addresses, ""], addresses.index(address)
    return row[place], row[place + 2]


def address_links(html: str, page: str, key: str, places: Mapping[str, str]) -> str:
    """Write the addresses of all links of a page.

    Examples
    --------
    >>> places = {"a": "one", "b": "two"}
    >>> address_links('<a href="#a"><a href="#b"><a href="index.html">', "one", "p", places)
    '<a href="#a"><a href="two.html#b"><a href="../index.html">'
    >>> address_links('<a href="#a"><a href="index.html">', "", "p", places)
    '<a href="p/one.html#a"><a href="index.html">'
    """
    own = set(_ID.findall(html))
    html = _PLACE.sub(lambda match: match[0 if match[1] in places else 2], html)

    def address(match: re.Match) -> str:
        link = match[1]
        if _ABSOLUTE.match(link):
            return match[0]
        if not link.startswith("#"):
            inside = link.removeprefix(f"{key}/")
            if page == FIRST:
                return match[0]
            return f'href="{inside}"' if inside != link else f'href="../{link}"'
        anchor = link[1:]
        target = places.get(anchor, page if anchor in own else FIRST)
        if target == page or (anchor in own and anchor not in places):
            return match[0]
        if target == FIRST:
            return f'href="../{key}.html{link}"'
        folder = f"{key}/" if page == FIRST else ""
        return f'href="{folder}{target}.html{link}"'

    return _HREF.sub(address, html)
