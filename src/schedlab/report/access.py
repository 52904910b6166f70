"""Accessibility of pages: captions and labels that tables need for screen readers and keyboards."""

from __future__ import annotations

import re
from collections import Counter
from html import escape, unescape

_TOKEN = re.compile(
    r"(?P<script><script\b.*?</script>)"
    r"|<h[1-6][^>]*>(?P<heading>.*?)</h[1-6]>|<summary[^>]*>(?P<summary>.*?)</summary>"
    r"|<div class=\"scroll(?P<more>[^\"]*)\"(?P<attributes>[^>]*)>\s*(?=<table)"
    r"|(?P<table><table[^>]*>)(?P<caption>\s*<caption[^>]*>(?P<words>.*?)</caption>)?",
    re.DOTALL,
)
_TABLE = re.compile(r"\s*<table[^>]*>\s*(?:<caption[^>]*>(.*?)</caption>)?", re.DOTALL)


def complete_tables(page: str) -> str:
    """Return a page on which every table has a caption, and scrolling ones are for the keyboard.

    >>> complete_tables('<h2>Waits</h2><div class="scroll"><table></table></div>')
    ... # doctest: +NORMALIZE_WHITESPACE
    '<h2>Waits</h2><div class="scroll" tabindex="0" role="region" aria-label="Waits"><table><caption
    class="unseen">Waits</caption></table></div>'
    """
    heading, label = "Table", ""
    used: Counter[str] = Counter()

    def name_of(words: str) -> str:
        used[words] += 1
        return words if used[words] == 1 else f"{words}, table {used[words]}"

    def complete(match: re.Match) -> str:
        nonlocal heading, label
        if match["script"]:  # words of a program that look like tables
            return match[0]
        if above := match["heading"] or match["summary"]:
            heading = _plain(above)
            return match[0]
        if match["table"] is None:
            table = _TABLE.match(page, match.end())
            words = _plain(table[1]) if table and table[1] else heading
            label = name_of(words)
            opening = f'<div class="scroll{match["more"]}"{match["attributes"]}'
            return f'{opening} tabindex="0" role="region" aria-label="{escape(label)}">'
        name, label = label or name_of(heading), ""
        if match["caption"]:
            return match[0]
        return f'{match["table"]}<caption class="unseen">{escape(name)}</caption>'

    return _TOKEN.sub(complete, page)


def _plain(html: str) -> str:
    """Return HTML as plain text on one line, without the mark that links a heading to itself."""
    text = re.sub(r'<a class="headerlink".*?</a>|<[^>]+>', "", html)
    return " ".join(unescape(text).split())
