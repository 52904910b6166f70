"""Summary that a run prints last: the report, what matches, and how to get the papers' numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from schedlab.files.config import LOG_FOLDERS
from schedlab.report.comparison import UNEXPLAINED
from schedlab.report.pages import verdict_counts
from schedlab.report.scoreboard import COMPARISON, of_the_paper
from schedlab.report.verdicts import CONSISTENT, DIFFERS, MATCH, NOT_AVAILABLE, SAME_RANKING

# Phrases for the verdicts of numbers that were compared.
COMPARED = {
    MATCH: "match",
    CONSISTENT: "are consistent",
    SAME_RANKING: "differ with the same ranking",
    DIFFERS: "differ",
}


def verdicts_by_paper(figures: Path) -> dict[str, Counter]:
    """Count the verdicts of every paper's comparisons.

    `figures` is the folder of the papers' folders of tables and figures. Counts are over all
    comparisons, in the first dialect, which is that of the paper; with the number of differences
    that are `UNEXPLAINED`.
    """
    counts: dict[str, Counter] = {}
    for path in sorted(figures.glob(f"*/*{COMPARISON}.csv")):
        compared = pd.read_csv(path, dtype=str, keep_default_na=False)
        paper = counts.setdefault(path.parent.name, Counter())
        for dialect in verdict_counts(of_the_paper(compared)).values():
            paper.update(dialect)
    return counts


def sentence(counts: dict[str, Counter]) -> str:
    """Return a line with the counts of verdicts, or how many numbers need a log if none has one.

    Examples
    --------
    >>> sentence({"kellari2025": Counter({"match": 3, "differs": 1, "log not available": 2})})
    'Compared with the papers: kellari2025 3 of 4 numbers match, 1 differ; log not available: 2'
    """
    papers = [
        f"{paper} {_verdicts(by_verdict)}"
        for paper, by_verdict in counts.items()
        if any(by_verdict[verdict] for verdict in COMPARED)
    ]
    if papers:
        return f"Compared with the papers: {' | '.join(papers)}"
    waiting = sum(by_verdict[NOT_AVAILABLE] for by_verdict in counts.values())
    return (
        "Compared with the papers: nothing yet. Without logs, model workloads run instead; "
        f"{waiting:,} published numbers need their logs"
    )


def _verdicts(by_verdict: Counter) -> str:
    """Return how many numbers of a paper have each verdict."""
    compared = sum(by_verdict[verdict] for verdict in COMPARED)
    first, *parts = (
        f"{by_verdict[verdict]:,}{f' of {compared:,} numbers' if verdict == MATCH else ''} {text}"
        for verdict, text in COMPARED.items()
        if by_verdict[verdict] or verdict == MATCH
    )
    unknown = (
        f", {by_verdict[UNEXPLAINED]:,} of them {UNEXPLAINED}" if by_verdict[UNEXPLAINED] else ""
    )
    missing = (
        f"; {NOT_AVAILABLE}: {by_verdict[NOT_AVAILABLE]:,}" if by_verdict[NOT_AVAILABLE] else ""
    )
    return ", ".join([first, *parts]) + unknown + missing


def main(
    report: Annotated[Path, typer.Argument(help="The report's first page.")],
    command: Annotated[str, typer.Option(help="How Snakemake is called.")] = "snakemake",
) -> None:
    """Print the three lines; exit code 1 where there is no report."""
    if not report.is_file():
        typer.secho(f"{report}: the report was not made", fg="red", err=True)
        raise typer.Exit(1)
    typer.echo(f"The report: {report}, a page a paper; tables and figures next to it")
    typer.echo(sentence(verdicts_by_paper(report.parent.parent / "figures")))
    typer.echo(
        f"The papers' numbers: export {LOG_FOLDERS}=/folder/with/logs, then {command} "
        "--cores all (docs/howto/reproduce.md)"
    )


if __name__ == "__main__":
    typer.run(main)
