"""What pages of the documentation name: files, commands, targets, blocks of code."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "config/README.md", *sorted((ROOT / "docs").rglob("*.md")))
#: of a table that schemas make the schemas' own words
_MADE = re.compile(r"^<!-- (\S+schema.yaml) -->$.*?^<!-- /\1 -->$", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r'^```(\w+)(?: title="([^"\n]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, the file that it is to be, and its text."""

    kind: str
    file: str | None
    text: str


def text_of(page: Path) -> str:
    """A page without the tables that schemas make."""
    return _MADE.sub("", page.read_text(encoding="utf-8"))


def blocks(page: Path) -> list[Block]:
    return [Block(kind, file or None, text) for kind, file, text in _FENCED.findall(text_of(page))]


def spans(page: Path) -> list[str]:
    """The texts in backquotes on a page, one line each."""
    return _SPAN.findall(_FENCED.sub("", text_of(page)))


def lines_of_shell(page: Path) -> list[str]:
    """Commands in the blocks of a page for a shell, indented ones too, each in one line."""
    lines = [block.text for block in blocks(page) if block.kind in ("sh", "console")]
    plain = re.sub(r"^<div.*?^</div>", "", text_outside_blocks(page), flags=re.M | re.S)
    lines += [re.sub("^    ", "", text, flags=re.M) for text in _INDENTED.findall(plain)]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [line for line in joined if words_of(line)]


def calls(page: Path) -> list[list[str]]:
    """Words of every line for a shell on a page, in blocks or in backquotes."""
    return [words_of(line) for line in (*lines_of_shell(page), *spans(page)) if line.strip()]


def text_outside_blocks(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCED.sub("", text_of(page))


def words_of(line: str) -> list[str]:
    """Words of a line, none where it is none for a shell."""
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return []


def calls_of(page: Path, program: str) -> list[list[str]]:
    """Arguments of every call of a program on a page."""
    return [words[1:] for words in calls(page) if len(words) > 1 and Path(words[0]).name == program]
