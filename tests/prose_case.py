"""Split the prose of a template or an HTML page into sentences."""

from __future__ import annotations

import html
import re

#: elements whose content is no prose, with their content
NOT_PROSE = re.compile(
    r"<(style|script|pre|svg|form|code)\b.*?</\1>|<!--.*?-->", re.DOTALL | re.IGNORECASE
)
#: tags inside a sentence; every other tag ends it
INLINE = re.compile(
    r"</?(?:a|abbr|b|em|i|kbd|small|span|strong|sub|sup|var)\b[^>]*>", re.IGNORECASE
)
TAG = re.compile(r"<[^>]*>")
#: the block of a page's styles, comments and statements of a template
COMMENT, STYLE, STATEMENT = (
    re.compile(text, re.DOTALL)
    for text in (r"\{#.*?#\}", r"\{% block style %\}.*?\{% endblock %\}", r"\{%.*?%\}")
)
EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
#: a full stop, question or exclamation mark before a new sentence; not that of an abbreviation
END = re.compile(r"(?<=[.!?])(?<!\bvs\.)(?<!\be\.g\.)(?<!\bi\.e\.)[”’)]*\s+")
WORD = re.compile(r"\S*[^\W\d_]\S*")
#: sentences on a page have at most this many words
LIMIT = 35


def without_jinja(template: str) -> str:
    """Replace every expression of a template by one word; drop its comments and statements.

    Conditional parts of a sentence all count.

    >>> without_jinja("{# why #}{% if a %}<p>{{ a.b | c('x') }} runs.</p>{% endif %}")
    '<p>X runs.</p>'
    """
    return EXPRESSION.sub("X", STATEMENT.sub("", STYLE.sub("", COMMENT.sub("", template))))


def sentences_of(markup: str) -> list[str]:
    """Return the sentences of an HTML text, in its order, without tags.

    Sentences end at a full stop and at the end of an element such as a paragraph, a heading, a list
    item or a table's cell. Code counts as one word.

    >>> sentences_of("<h2>Waits</h2><p>EASY <b>waits</b> less. See <code>a b</code>.</p>")
    ['Waits', 'EASY waits less.', 'See X.']
    """
    prose = NOT_PROSE.sub(lambda found: "X" if found[1] == "code" else "\n\n", markup)
    blocks = TAG.sub("\n\n", INLINE.sub("", prose))
    return [
        sentence
        for block in re.split(r"\n\s*\n", html.unescape(blocks))
        for sentence in END.split(" ".join(block.split()))
        if WORD.search(sentence)
    ]


def words_of(sentence: str) -> int:
    """Count the words of a sentence; numbers and signs do not count.

    >>> words_of("A – B, 3.5 %")
    2
    """
    return len(WORD.findall(sentence))


def too_long(markup: str, limit: int = LIMIT) -> list[str]:
    """Return the sentences of an HTML text with more than `limit` words, with their count."""
    return [
        f"{words_of(sentence)} words: {sentence}"
        for sentence in sentences_of(markup)
        if words_of(sentence) > limit
    ]
