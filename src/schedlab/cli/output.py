"""How commands print: tables for eyes on a terminal, plain and complete lines for pipes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np
import typer
from rich.console import Console
from rich.table import Table


def show_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1
) -> None:
    """Print a table whose first columns are words and whose others are numbers.

    On a terminal it is drawn as wide as that is; else every cell is printed whole, in columns at
    least two blanks apart.

    Parameters
    ----------
    title : str
        Printed above it.
    columns : sequence of str
        Headings.
    rows : iterable of sequences
        Cells.
    words : int
        How many columns are words.
    """
    rows = [list(map(str, row)) for row in rows]
    console = Console()
    if console.is_terminal:
        table = Table(title=title, title_justify="left")
        for place, column in enumerate(columns):
            table.add_column(column, justify="right" if place >= words else "left")
        for row in rows:
            table.add_row(*row)
        console.print(table, markup=False)
        return
    cells = [list(columns), *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    typer.echo(title)
    for row in cells:
        padded = (
            cell.rjust(width) if place >= words else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        typer.echo("  ".join(padded).rstrip())


def warn(words: str) -> None:
    """Say on stderr what the reader should not miss."""
    typer.secho(words, fg="yellow", err=True)


def show_json(content: dict) -> None:
    """Print one JSON object; what is no number is null."""
    typer.echo(json_of(content))


def say(words: str | Iterable[str], content: dict, json: bool) -> None:
    """Print what was made, in a line or in lines, or as JSON where that is asked for."""
    if json:
        show_json(content)
        return
    for line in [words] if isinstance(words, str) else words:
        typer.echo(line)


def json_of(content: dict) -> str:
    """Return one JSON object; what is no number is null."""
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """Return a value as JSON has it."""
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
