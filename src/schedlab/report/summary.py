"""Summary that a run prints last: the report, what matches, and how to get the papers' numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from schedlab.files.config import LOG_FOLDERS
from schedlab.report.cards import totals
from schedlab.report.scoreboard import read_board
from schedlab.report.verdicts import is_compared


def sentence(board: pd.DataFrame) -> str:
    """Return a line with the totals of each paper, or how many numbers need a log."""
    compared = board[is_compared(board)]
    waiting = f"{len(board) - len(compared):,} published numbers need their logs"
    if compared.empty:
        return (
            "Compared with the papers: nothing yet. Without logs, model workloads run instead; "
            f"{waiting}"
        )
    papers = [
        f"{paper}: {' '.join(totals(own).values())}"
        for paper, own in compared.groupby("paper", sort=False)
    ]
    return f"Compared with the papers: {' | '.join([*papers, waiting])}"


def main(
    report: Annotated[Path, typer.Argument(help="The report's first page.")],
    command: Annotated[str, typer.Option(help="How Snakemake is called.")] = "snakemake",
) -> None:
    """Print the three lines; exit code 1 where there is no report."""
    if not report.is_file():
        typer.secho(f"{report}: the report was not made", fg="red", err=True)
        raise typer.Exit(1)
    typer.echo(f"The report: {report}, a page a paper; tables and figures next to it")
    typer.echo(sentence(read_board(report.with_name("scoreboard.csv"))))
    typer.echo(
        f"The papers' numbers: export {LOG_FOLDERS}=/folder/with/logs, then {command} "
        "--cores all (docs/howto/reproduce.md)"
    )


if __name__ == "__main__":
    typer.run(main)
