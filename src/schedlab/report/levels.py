"""Levels of a paper's page: a first page, and pages of details in the folder next to it.

Links and anchors are written as if all of them were on one page; `address_links` writes addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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


def pages_of_anchors(parts: Iterable[Part]) -> dict[str, str]:
    """Return the page of details of every anchor; the first of two pages with the same anchor."""
    places: dict[str, str] = {}
    for part in parts:
        for anchor in part.anchors:
            places.setdefault(anchor, part.name)
    return places


def neighbors(addresses: Sequence[str], address: str) -> tuple[str, str]:
    """Return the addresses before and after an address in a row; empty if there is none.

    >>> neighbors(["a", "b", "c"], "b"), neighbors(["a"], "a"), neighbors(["a"], "b")
    (('a', 'c'), ('', ''), ('', ''))
    """
    if address not in addresses:
        return "", ""
    row, place = ["", *addresses, ""], addresses.index(address)
    return row[place], row[place + 2]


def address_links(html: str, page: str, key: str, places: Mapping[str, str]) -> str:
    """Write the addresses of all links of a page.

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
