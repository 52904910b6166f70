"""What a run says last: where the report is, what matched, how to get the papers' numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from schedlab.report.comparison import UNEXPLAINED
from schedlab.report.pages import verdict_counts
from schedlab.report.scoreboard import COMPARISON, of_the_paper
from schedlab.report.verdicts import CONSISTENT, DIFFERS, MATCH, NOT_AT_HAND, ORDERING_HOLDS
from schedlab.traces.archive import VARIABLE

# Verdicts on a number that was held against the paper's, as a sentence has them.
HELD = {
    MATCH: "match",
    CONSISTENT: "are consistent",
    ORDERING_HOLDS: "differ in an ordering that holds",
    DIFFERS: "differ",
}


def verdicts_by_paper(figures: Path) -> dict[str, Counter]:
    """Count the verdicts of every paper's comparisons.

    Parameters
    ----------
    figures : Path
        The folder of the papers' folders of tables and figures.

    Returns
    -------
    dict of paper to Counter
        In all comparisons together, of dialects the first, which is the paper's; with how many
        differences are `UNEXPLAINED`.
    """
    counts: dict[str, Counter] = {}
    for path in sorted(figures.glob(f"*/*{COMPARISON}.csv")):
        compared = pd.read_csv(path, dtype=str, keep_default_na=False)
        paper = counts.setdefault(path.parent.name, Counter())
        for dialect in verdict_counts(of_the_paper(compared)).values():
            paper.update(dialect)
    return counts


def sentence(counts: dict[str, Counter]) -> str:
    """Say in a line what matched; of numbers whose logs are not at hand, that nothing is said.

    Examples
    --------
    >>> sentence({"kellari2025": Counter({"match": 3, "differs": 1, "log not at hand": 2})})
    'Held against the papers: kellari2025 3 of 4 numbers match, 1 differ (2 more: log not at hand)'
    """
    said = [
        f"{paper} {_verdicts(found)}"
        for paper, found in counts.items()
        if any(found[verdict] for verdict in HELD)
    ]
    if said:
        return f"Held against the papers: {'; '.join(said)}"
    waiting = sum(found[NOT_AT_HAND] for found in counts.values())
    return (
        "Held against the papers: nothing yet; without logs models stand in their place, and "
        f"{waiting:,} published numbers wait for their logs"
    )


def _verdicts(found: Counter) -> str:
    """Say how many of a paper's numbers got which verdict."""
    held = sum(found[verdict] for verdict in HELD)
    first, *others = (
        f"{found[verdict]:,}{f' of {held:,} numbers' if verdict == MATCH else ''} {words}"
        for verdict, words in HELD.items()
        if found[verdict] or verdict == MATCH
    )
    unknown = f", {found[UNEXPLAINED]:,} of them {UNEXPLAINED}" if found[UNEXPLAINED] else ""
    missing = f" ({found[NOT_AT_HAND]:,} more: {NOT_AT_HAND})" if found[NOT_AT_HAND] else ""
    return ", ".join([first, *others]) + unknown + missing


def main(
    report: Annotated[Path, typer.Argument(help="The report's first page.")],
    command: Annotated[str, typer.Option(help="How Snakemake is called.")] = "snakemake",
) -> None:
    """Print the three lines; exit code 1 where there is no report."""
    if not report.is_file():
        typer.secho(f"{report}: the report was not made", fg="red", err=True)
        raise typer.Exit(1)
    typer.echo(f"The report: {report}, a page a paper; tables and figures beside it")
    typer.echo(sentence(verdicts_by_paper(report.parent.parent / "figures")))
    typer.echo(
        f"The papers' numbers: export {VARIABLE}=/folder/with/logs, then {command} --cores all "
        "(docs/howto/reproduce.md)"
    )


if __name__ == "__main__":
    typer.run(main)
