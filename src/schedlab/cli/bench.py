"""How fast the kernels are on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import print_text, show_json, show_table

if TYPE_CHECKING:
    import pandas as pd

#: as in `schedlab.workbench.benching`, whose import takes a second
SECONDS, JOBS = 0.3, 10_000


def time_kernels(
    record: Annotated[
        Path | None,
        typer.Argument(help="A record of make bench, results/bench/<commit>.json."),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="An earlier record; times nothing and says what got slower since."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long each kernel is repeated, three times at least.")
    ] = SECONDS,
    jobs: Annotated[int, typer.Option(help="Model jobs in a queue, at least 1,000.")] = JOBS,
    json: o.AsJson = False,
) -> None:
    """Time every kernel on this machine, on model work, or compare two records of make bench.

    Records are compared by the ratio of each kernel to a C program that ran in turn with it, not by
    seconds; exit code 1 if a kernel got slower by more than 25 %.

    Example: schedlab bench --seconds 1
    """
    if record or against:
        with mistakes_in_one_line():
            _compare(record, against, json)
        return
    from schedlab.workbench.bench_records import machine_facts
    from schedlab.workbench.benching import bench

    with mistakes_in_one_line():
        table = bench(seconds, jobs)
    facts = machine_facts()
    if json:
        show_json(facts | {"kernels": table.to_dict(orient="records")})
        return
    rows = [
        (
            row.kernel,
            row.unit,
            *(f"{rate:,.0f}" for rate in (row.per_second, row.slowest, row.fastest)),
            row.repeats,
        )
        for row in table.itertuples()
    ]
    show_table(
        "Done per second by one thread: median, slowest and fastest repeat",
        ("kernel", "what", "per second", "slowest", "fastest", "repeats"),
        rows,
        words=2,
    )
    print_text(", ".join(f"{name} {value}" for name, value in facts.items()))


def show_comparison(table: pd.DataFrame) -> None:
    """Print a table of `schedlab.workbench.bench_records.compare_records`."""
    rows = [
        (case.kernel, case.work, "slower" if case.slower else "", f"{case.n:,}", case.threads,
         f"{case.before:.2f}", f"{case.now:.2f}", f"{case.change:+.0%}")
        for case in table.itertuples()
    ]  # fmt: skip
    columns = ("kernel", "work", "", "n", "threads", "before", "now", "change")
    show_table("Speed as a ratio to the C limit", columns, rows, words=3)


def _compare(record: Path | None, against: Path | None, json: bool) -> None:
    from schedlab.workbench.bench_records import compare_records, read_record

    if not (record and against):
        raise ValueError("give two records of make bench: schedlab bench RECORD --against EARLIER")
    before, now = read_record(against), read_record(record)
    table = compare_records(before, now)
    if table.empty:
        raise ValueError(f"{against} and {record} have no case in common that has a ratio")
    only = (len(before) - len(table), len(now) - len(table))
    if json:
        show_json({"cases": table.to_dict(orient="records"), "only_before": only[0],
                   "only_now": only[1]})  # fmt: skip
    else:
        show_comparison(table)
        if any(only):
            print_text(f"{only[0]} cases are only in {against}, {only[1]} only in {record}")
    if table["slower"].any():
        raise typer.Exit(1)
