"""How commands print: tables and wrapped text on a terminal, plain and complete lines in pipes."""

import json
import re
import textwrap
from collections.abc import Iterable, Sequence

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

#: text for a number that does not exist
MISSING = "–"
#: blanks and number before the words of a line
_LEAD = re.compile(r" *(?:\d+\. )?")
#: what numbers with their units and intervals do not contain
_WORD = re.compile("[A-Za-z]{3}")


def show_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1
) -> None:
    """Print a table whose first columns (`words`) are words and whose others are numbers.

    On a terminal the table has the terminal's width: words wrap, numbers do not. If the columns do
    not fit, there are several tables with some of the number columns each, and all of the word
    columns. Otherwise every value is printed completely, in columns at least two blanks apart.
    """
    rows = [list(map(str, row)) for row in rows]
    console = Console()
    if console.is_terminal:
        widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
        fits = sum(widths) + _FRAME * len(widths) + 1 <= console.width
        for part, heading in _parts(columns, rows, words, console.width):
            table = Table(title=title if heading else None, title_justify="left")
            for place in part:
                cells = [row[place] for row in rows]
                justify = "right" if place >= words and _are_numbers(cells) else "left"
                narrow = place >= words and not fits
                width = _narrowest(columns[place], cells) if narrow else None
                table.add_column(columns[place], justify=justify, width=width)
            for row in rows:
                table.add_row(*(row[place] for place in part))
            console.print(table, markup=False)
        return
    cells = [list(columns), *rows]
    formats = []
    for place, (_, *column) in enumerate(zip(*cells, strict=True)):
        width = max(len(row[place]) for row in cells)
        side = ">" if place >= words and _are_numbers(column) else "<"
        formats.append(f"{side}{width}")
    typer.echo(title)
    for row in cells:
        padded = map(format, row, formats)
        typer.echo("  ".join(padded).rstrip())


#: width that a column needs besides its values: a blank on either side and a line
_FRAME = 3
#: minimum width for all word columns together
_WORDS = 12


def _are_numbers(cells: Sequence[str]) -> bool:
    """Return whether the cells of a column are numbers, perhaps with units or as intervals."""
    return not any(map(_WORD.search, cells))


def _narrowest(heading: str, cells: Sequence[str]) -> int:
    """Return the width that a column of numbers needs; its heading may wrap between words."""
    return max(len(word) for word in [*heading.split(), *cells])


def _parts(
    columns: Sequence[str], rows: Sequence[Sequence[str]], words: int, width: int
) -> list[tuple[list[int], bool]]:
    """Split the columns of a table into tables that fit a width; mark the first one."""
    wide = sum(max(len(row[place]) for row in [columns, *rows]) for place in range(words))
    room = width - 1 - min(wide, _WORDS) - _FRAME * words
    parts, space = [[]], room
    for place in range(words, len(columns)):
        need = _narrowest(columns[place], [row[place] for row in rows]) + _FRAME
        if parts[-1] and need > space:
            parts.append([])
            space = room
        parts[-1].append(place)
        space -= need
    return [([*range(words), *part], number == 0) for number, part in enumerate(parts)]


def print_text(text: str, err: bool = False, **style: object) -> None:
    """Print lines of text; on a terminal, lines that are too long wrap between words.

    Further lines begin below the first word of the first one. Words stay whole, also long paths.
    Commands and formulas that a reader copies are printed without this function.
    """
    console = Console(stderr=err)
    if console.is_terminal:
        text = "\n".join(_wrapped(line, console.width) for line in text.split("\n"))
    typer.echo(typer.style(text, **style) if style else text, err=err)


def _wrapped(line: str, width: int) -> str:
    """Return a line as lines of at most this width, where words permit."""
    indent = " " * len(_LEAD.match(line)[0])
    return textwrap.fill(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def number_or_missing(number: float, form: str = ",.2f") -> str:
    """Format a number; a dash if it does not exist (nan)."""
    return MISSING if number != number else f"{number:{form}}"


def warn(message: str) -> None:
    """Print a warning on stderr."""
    print_text(message, err=True, fg="yellow")


def show_json(content: dict) -> None:
    """Print one JSON object; nan is null."""
    typer.echo(json_of(content))


def print_result(text: str | Iterable[str], content: dict, json: bool) -> None:
    """Print a result, as one or more lines, or as JSON."""
    if json:
        show_json(content)
        return
    for line in [text] if isinstance(text, str) else text:
        print_text(line)


def json_of(content: dict) -> str:
    """Return one JSON object as text; nan is null."""
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """Return a value in a form that JSON supports."""
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
