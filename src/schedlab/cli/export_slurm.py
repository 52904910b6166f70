"""A policy in the files that make a Slurm order its queue by it."""

import json as text
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import print_text, show_json, warn
from schedlab.exports.slurm import (
    LONGEST,
    MEANS,
    REPLACES,
    SlurmExport,
    limitations,
    slurm_export,
)
from schedlab.files.durations import format_duration, optional_seconds
from schedlab.files.io import whole
from schedlab.policies import get
from schedlab.policies.ageing import guarded


@mistakes_in_one_line()
def export_slurm(
    policy: Annotated[
        str,
        typer.Argument(
            help="Name, expression over r, n, s, w, or the JSON file that tune --out wrote."
        ),
    ],
    processors: Annotated[
        int | None,
        typer.Option(help="Slurm's CPUs of all nodes; by default what the JSON file has."),
    ] = None,
    longest: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="The longest time limit of the site: 14d, 24h; by default what the JSON file has, "
            f"at least {format_duration(LONGEST)}.",
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD",
            help="The day, in UTC, from which submissions are counted; today by default.",
        ),
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Wait after which a job goes first, as a guard: 2d; the files are then a script.",
        ),
    ] = None,
    means: Annotated[
        str | None,
        typer.Option(help=f"One of {', '.join(MEANS)}; by default the first that can say it."),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(
            help="Keep the site's priorities, such as fair share and QOS, and add points to them: "
            "this number for the first waiting job by the policy, proportionally fewer for each "
            "following one."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the files; by default they are printed.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there.")
    ] = False,
    json: o.AsJson = False,
) -> None:
    """Write a policy for Slurm: weights, a job_submit.lua, or a script if it is time-dependent.

    Example: schedlab export-slurm f1 --processors 1024 --out slurm
    """
    settings = _read(Path(policy)) if policy.endswith(".json") else {"policy": policy}
    limit = optional_seconds(longest, "--longest", least=1)
    processors = processors or settings.get("processors")
    if processors is None:
        raise ValueError("how large is the machine? give --processors (sinfo -o %C: the last)")
    guard = optional_seconds(threshold, "--threshold")
    order = settings["policy"] if guard is None else guarded(get(settings["policy"]), guard)
    export = slurm_export(
        order,
        processors=processors,
        longest=limit or max(settings.get("longest", 0), LONGEST),
        origin=_seconds(origin),
        means=means,
        points=points,
    )
    if points is None:
        warn(REPLACES)
    if out:
        _write(export, out, force)
    simulated = settings.get("threshold") if guard is None else None
    for limitation in limitations(
        threshold=simulated, backfill=settings.get("backfill"), points=points, guard=guard
    ):
        warn(limitation)
    if json:
        show_json(_facts(export, processors))
        return
    _show(export, out)


def _read(path: Path) -> dict:
    """Return the content of a file that tune wrote."""
    try:
        content = text.loads(path.read_text(encoding="utf-8"))
        if isinstance(content["policy"], str):
            return content
    except (KeyError, TypeError, ValueError):
        pass
    raise ValueError(f"{path}: no policy in it; a file of schedlab tune LOG --out FILE has one")


def _seconds(day: str | None) -> int:
    """Return the first second of a day, since 1970."""
    now = int(time.time())
    if day is None:
        return now // 86400 * 86400
    try:
        first = int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise ValueError(f"--origin {day}: a day is written YYYY-MM-DD") from None
    if first > now:
        raise ValueError(
            f"--origin {day}: is in the future; all that is submitted before it would count as of "
            "its first second"
        )
    return first


def _write(export: SlurmExport, folder: Path, force: bool) -> None:
    """Write all files, or none; overwrite existing files only with `force`."""
    existing = [str(folder / name) for name in export.files if (folder / name).exists()]
    if existing and not force:
        raise ValueError(f"there already: {', '.join(existing)}; give --force, or another --out")
    with ExitStack() as stack:
        for name, content in export.files.items():
            part = stack.enter_context(whole(folder / name))
            part.write_text(content, encoding="utf-8")


def _show(export: SlurmExport, folder: Path | None) -> None:
    """Print the export and its instructions."""
    print_text(f"{export.policy.label} by {MEANS[export.means]}")
    print_text(export.says)
    if folder is None:
        for name, content in export.files.items():
            typer.echo(f"\n==> {name} <==\n{content.rstrip()}")
        typer.echo()
    else:
        print_text(f"written: {', '.join(str(folder / name) for name in export.files)}")
        for line in export.lines:
            typer.echo(f"    {line}")
    print_text("next:")
    for place, step in enumerate(export.steps, start=1):
        print_text(f"{place}. {step}")


def _facts(export: SlurmExport, processors: int) -> dict:
    """Return the export as a dict for JSON."""
    policy = {"policy": export.policy.name, "expression": export.policy.expression}
    names = ("means", "exact", "says", "lines", "steps", "files")
    return policy | {"processors": processors} | {name: getattr(export, name) for name in names}
