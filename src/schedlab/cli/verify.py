"""Compare the verdicts of a run with the committed ones."""

import json
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import print_text
from schedlab.files.programs import program
from schedlab.report.drift import (
    BETTER,
    CHANGES,
    GONE,
    NEW,
    NOT_RUN,
    WORSE,
    Drift,
    drift,
    read_expected,
)
from schedlab.report.scoreboard import counted, read_board
from schedlab.report.verdicts import GRADES

BOARD = Path("results/report/scoreboard.csv")
EXPECTED = Path("resources/expected.tsv")
HEADINGS = {"paper": "paper", "label": "item", "numbers": "numbers"} | {
    grade: grade for grade in GRADES
}
#: changes that are listed by number; for numbers that were not run the counts suffice
LISTED = (WORSE, GONE, BETTER, NEW)


def verify(
    scoreboard: Annotated[
        Path,
        typer.Argument(
            help="The scoreboard that a run wrote with its report, or the run's folder."
        ),
    ] = BOARD,
    expected: Annotated[
        Path, typer.Option(help="The committed verdicts, number by number.")
    ] = EXPECTED,
    paper: Annotated[
        list[str] | None, typer.Option(help="Only this paper; may be repeated.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Also fail if a number was not run.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Compare every verdict of a run with the committed one; exit code 1 if one got worse.

    Example: snakemake --cores all && schedlab verify
    """
    with mistakes_in_one_line():
        if scoreboard.is_dir():
            scoreboard = scoreboard / BOARD.relative_to(BOARD.parts[0])
        if not scoreboard.is_file():
            raise ValueError(
                f"{scoreboard}: scoreboard not found; give that of another scale, "
                f"results/<scale>/report/{scoreboard.name}, or make it with\n"
                f"    {program('snakemake')} --cores all {quote(str(scoreboard))}"
            )
        board, expected_numbers = read_board(scoreboard), read_expected(expected)
        if paper:
            if unknown := set(paper) - set(expected_numbers["paper"]) - set(board["paper"]):
                names = ", ".join(expected_numbers["paper"].unique())
                raise ValueError(f"unknown paper '{min(unknown)}'; one of {names}")
            board = board[board["paper"].isin(paper)]
            expected_numbers = expected_numbers[expected_numbers["paper"].isin(paper)]
    changes = drift(board, expected_numbers, strict)
    typer.echo(as_data(board, changes)) if as_json else show(board, changes)
    if not changes.holds:
        raise typer.Exit(1)


def rows_of(board) -> list[dict]:
    """Return the counts of grades of every table of a scoreboard, with its minutes."""
    rows = []
    for (paper, label), numbers in board.groupby(["paper", "label"], sort=False):
        row = {"paper": paper, "label": label, "numbers": len(numbers), **counted(numbers)}
        minutes = numbers["minutes"].iloc[0]
        rows.append(row | {"minutes": None if minutes != minutes else round(float(minutes), 2)})
    return rows


def as_table(rows: list[dict]) -> Table:
    """Return the counts as a table for 80 columns: a section per paper, grades that occur."""
    grades = [grade for grade in GRADES if any(row[grade] for row in rows)]
    table = Table(
        *("", "all", *grades, "min"),
        title="Published and computed numbers",
        box=None,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.columns[0].min_width = max(len(row["paper"]) for row in rows)
    for column in table.columns[1:]:
        column.justify = "right"
    paper = None
    for row in rows:
        if row["paper"] != paper:
            paper = row["paper"]
            table.add_row(paper, style="bold")
        minutes = "" if row["minutes"] is None else f"{row['minutes']:.1f}"
        counts = [row[name] or "" for name in ("numbers", *grades)]
        table.add_row(f"  {row['label']}", *map(str, counts), minutes)
    return table


def show(board, changes: Drift) -> None:
    """Print the scoreboard by table, then the changes by number, then one sentence.

    On a terminal it is a table with lines; in a pipe it has columns separated by tabs.
    """
    rows, out = rows_of(board), Console()
    if out.is_terminal:
        out.print(as_table(rows))
    else:
        typer.echo("\t".join([*HEADINGS.values(), "minutes"]))
        for row in rows:
            minutes = "" if row["minutes"] is None else row["minutes"]
            typer.echo("\t".join(map(str, [*(row[name] for name in HEADINGS), minutes])))
    for change in LISTED:
        color = "red" if change in (WORSE, GONE) else "green"
        for number in changes.of(change).itertuples():
            verdicts = " -> ".join(filter(None, (number.expected, number.got)))
            values = (
                f" (published {number.published}, computed {number.computed})" if number.got else ""
            )
            print_text(
                f"{change}: {number.paper}, {number.item}, {number.cell}: {verdicts}{values}",
                fg=color,
            )
    style = "bold green" if changes.holds else "bold red"
    out.print(sentence(changes), style=style, highlight=False, soft_wrap=not out.is_terminal)


def sentence(result: Drift) -> str:
    """Return one line that compares the run with the expected verdicts."""
    counts = result.counts()
    changes = ", ".join(f"{counts[change]:,} {change}" for change in CHANGES if counts[change])
    worse = "nothing got worse" if result.holds else "something got worse"
    hint = ""
    if counts[NOT_RUN] and not result.strict:
        hint = "; numbers that were not run need their logs (--strict fails on them)"
    return f"Of {len(result.numbers):,} published numbers: {changes}: {worse}{hint}"


def as_data(board, changes: Drift) -> str:
    """Return the result as JSON: ok, counts, tables and the numbers that changed."""
    changed_numbers = {
        change: changes.of(change).to_dict("records") for change in (*LISTED, NOT_RUN)
    }
    data = {
        "ok": changes.holds,
        "counts": changes.counts(),
        "tables": rows_of(board),
        **changed_numbers,
    }
    return json.dumps(data, ensure_ascii=False, indent=1)
