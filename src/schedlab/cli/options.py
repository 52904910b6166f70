"""Arguments that several commands take, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schedlab.queue.dialects import DIALECTS
from schedlab.traces.cleaning import CHOICES
from schedlab.workbench.log import RULES

LogPath = Annotated[
    Path,
    typer.Argument(
        help="A log in SWF (packed or not) or Parquet, or a dump of sacct.", metavar="LOG"
    ),
]
Processors = Annotated[
    int | None, typer.Option(help="Size of the machine; by default the header's MaxProcs.")
]
Rules = Annotated[str, typer.Option(help=f"Cleaning rules: {', '.join(CHOICES)}.")]
DefaultLimit = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SECONDS",
        help="What jobs without a time limit are taken to ask for; QUEUE=SECONDS for those of one "
        "queue, which may be repeated.",
    ),
]
DropWide = Annotated[
    bool, typer.Option("--drop-wide", help="Leave out jobs that do not fit the machine.")
]
# of a dump of Slurm's accounting
Partitions = Annotated[
    Path | None,
    typer.Option(
        help="Limits of jobs that name none: what scontrol show partition prints, or a table "
        "with tabs between the columns partition, max_time and default_time."
    ),
]
LimitOfRest = Annotated[
    str | None,
    typer.Option(
        "--default-limit",
        help="Limit of jobs that have none otherwise: 24:00:00, 2-12, or minutes.",
    ),
]
Timezone = Annotated[
    str | None,
    typer.Option(help="What local times are of: Europe/Paris; UTC for XDMoD's exports."),
]
Salt = Annotated[
    str | None,
    typer.Option(
        help="A secret that names are hashed with, so that their numbers are the same in each "
        "import; by default they are numbered from 1."
    ),
]
Reservations = Annotated[
    str, typer.Option(help="Who has one: none (strict order), head (EASY) or every (conservative).")
]
Order = Annotated[
    str | None, typer.Option(help="Order of backfilling (EASY); the policy's own by default.")
]
Compression = Annotated[
    str | None,
    typer.Option(
        help="When reservations of every job move up, as jobs end early: none (never), "
        "completion (after each, one at a time; default) or instant (once an instant)."
    ),
]
Threshold = Annotated[
    int | None,
    typer.Option(help="Seconds after which a waiting job is in front of all others."),
]
Youth = Annotated[
    bool,
    typer.Option("--allow-youth", help="Allow orders that put younger jobs before older ones."),
]
Dialect = Annotated[str, typer.Option(help=f"One of {', '.join(DIALECTS)}.")]
Policy = Annotated[str, typer.Option(help="Name, or expression over r, n, s, w.")]
Policies = Annotated[
    list[str], typer.Option(help="Name, or expression over r, n, s, w; may be repeated.")
]
Threads = Annotated[int, typer.Option(min=1, help="How many simulations at a time.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

DEFAULT_RULES = RULES
