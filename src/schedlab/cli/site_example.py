"""Write a synthetic site, to see a report without a log."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import print_text
from schedlab.files.programs import program
from schedlab.studies.site.example import ACCOUNTS, CONF, DAYS, JOBS, LOG, TRUTH, make_example


def write_example(
    folder: Annotated[Path, typer.Argument(help="The folder to write; it may exist.")],
    seed: Annotated[int, typer.Option(help="Source of random numbers.")] = 1,
    days: Annotated[int, typer.Option(min=1, help="Length of the log in days.")] = DAYS,
    jobs: Annotated[int, typer.Option(min=1, help="Number of jobs.")] = JOBS,
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there.")
    ] = False,
) -> None:
    """Write a synthetic site with its log, to see a report without a log.

    It is a model, never a log. The recorded waits are simulated, with a maintenance, an outage and
    drained nodes, which only truth.csv names. More jobs are shorter jobs: the work stays.
    """
    with mistakes_in_one_line():
        paths = {name: folder / name for name in (LOG, CONF, ACCOUNTS, TRUTH)}
        if not force and (existing := [str(path) for path in paths.values() if path.exists()]):
            raise ValueError(
                f"{', '.join(existing)}: already there; give --force, or another folder"
            )
        example = make_example(folder, seed, days, jobs)
    print_text(
        f"{folder}: {len(example.jobs):,} jobs of {example.jobs['user'].nunique()} users in "
        f"{days} days; a model, never a log"
    )
    print_text(f"written: {', '.join(map(str, paths.values()))}; next:")
    log, conf, accounts, out = (
        quote(str(path))
        for path in (paths[LOG], paths[CONF], paths[ACCOUNTS], folder / "site.yaml")
    )
    typer.echo(
        f"  {program('schedlab')} site init {log} --slurm-conf {conf} --accounts {accounts} "
        f"--out {out}"
    )
