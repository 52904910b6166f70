"""How fast the kernels are on this machine."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import show_json, show_table

#: as in `schedlab.workbench.benching`, whose import takes a second
SECONDS, JOBS = 0.3, 10_000


def time_kernels(
    seconds: Annotated[
        float, typer.Option(help="How long each kernel is repeated, three times at least.")
    ] = SECONDS,
    jobs: Annotated[int, typer.Option(help="Model jobs in a queue, at least 1,000.")] = JOBS,
    json: o.AsJson = False,
) -> None:
    """Time every kernel on this machine, on model work.

    Example: schedlab bench --seconds 1
    """
    from schedlab.workbench.benching import bench

    with mistakes_in_one_line():
        table = bench(seconds, jobs)
    setup = {
        "schedlab": version("schedlab"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }
    if json:
        show_json(setup | {"kernels": table.to_dict(orient="records")})
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
    typer.echo(", ".join(f"{name} {value}" for name, value in setup.items()))
