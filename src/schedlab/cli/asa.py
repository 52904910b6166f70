"""Workflows on a Slurm whose stages are submitted before they are needed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import show_json, show_table
from schedlab.files.config import check_known
from schedlab.files.durations import read_duration

if TYPE_CHECKING:
    from schedlab.slurm.run import WorkflowRun

#: as in `schedlab.slurm`, whose import takes half a second
POLL, GIVE_UP, TIMEOUT = "10s", "12h", "3m"

app = typer.Typer(no_args_is_help=True, help=__doc__, rich_markup_mode=None)


@app.callback()
def main() -> None:
    """Workflows on a Slurm whose stages are submitted before they are needed."""


@app.command("run", epilog="Example: schedlab asa run workflow.yaml --strategy asa")
@mistakes_in_one_line()
def run_on_slurm(
    workflow: Annotated[
        Path,
        typer.Argument(
            metavar="WORKFLOW",
            help="YAML: name, sbatch (options of all stages) and stages, each with name, cores, "
            "seconds (expected), limit (asked for, like 1h), after (names) and command.",
        ),
    ],
    strategy: Annotated[
        str,
        typer.Option(
            help="bigjob (all as one job), perstage (each when those before it have ended), asa "
            "(as much earlier as it is expected to wait, with dependencies), naive (without) or "
            "atonce (all at once, with dependencies)."
        ),
    ] = "asa",
    folder: Annotated[
        Path | None,
        typer.Option(
            help="For scripts, outputs and record; new or empty, where all nodes can write. By "
            "default the workflow's name with the next free number, here."
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            help="File with the waits learned so far; by default schedlab/waits.json in "
            "XDG_STATE_HOME (~/.local/state)."
        ),
    ] = None,
    poll: Annotated[
        str, typer.Option(metavar="DURATION", help="Time between two looks at the queue: 10s, 1m.")
    ] = POLL,
    give_up: Annotated[
        str,
        typer.Option(
            metavar="DURATION",
            help="How long Slurm may stay away, or refuse for now, until the run ends. "
            "Running jobs are left then.",
        ),
    ] = GIVE_UP,
    timeout: Annotated[
        str,
        typer.Option(
            metavar="DURATION",
            help="Time after which one command of Slurm is given up and tried again.",
        ),
    ] = TIMEOUT,
    json: o.AsJson = False,
) -> None:
    """Run a workflow on the Slurm of this machine, and report its waits and its usage.

    Each job runs in the folder in which you call this command. When the command ends, also by
    Ctrl-C or SIGTERM, its remaining jobs are canceled. If the terminal is lost, the run goes on.
    """
    from schedlab.slurm.folder import next_folder
    from schedlab.slurm.interrupts import Interrupted
    from schedlab.slurm.run import run_workflow
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.learner import Learner
    from schedlab.waits.strategies import TYPED

    check_known(strategy, TYPED, "strategy")
    pause = read_duration(poll, "--poll", least=0.1)
    limits = {
        "give_up": read_duration(give_up, "--give-up"),
        "timeout": read_duration(timeout, "--timeout", least=1),
    }
    described = WorkflowFile.read(workflow)
    folder = folder or next_folder(Path(), described.workflow.name)
    if state is None:  # in the user's state folder
        home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
        state = Path(home).expanduser() / "schedlab" / "waits.json"
    try:
        outcome = run_workflow(
            described,
            TYPED[strategy],
            folder,
            Learner(path=state),
            pause,
            tell=lambda words: typer.echo(words, err=json),
            **limits,
        )
    except Interrupted as signal:
        message = f"ended by {signal}; its jobs were taken back"
        numbers = " ".join(map(str, signal.left))
        if signal.left and signal.hung_up:
            message += f", but for those that run: {numbers}"
        elif signal.left:
            message += f", but for those that may be left: scancel {numbers}"
        typer.secho(message, fg="red", err=True)
        raise typer.Exit(128 + signal.number) from None
    if json:
        show_json(outcome.as_dict() | {"folder": str(folder), "state": str(state)})
        return
    _show(outcome)
    typer.echo(f"outputs, scripts and record.json are in {folder}; waits learned, in {state}")


def _show(outcome: WorkflowRun) -> None:
    """Print a table of the stages and their totals."""
    rows = [
        (
            row["stage"],
            f"{row['cores']:,}",
            f"{row['submit'] - outcome.at:,}",
            f"{row['wait']:,}",
            f"{row['perceived']:,}",
            f"{row['end'] - row['start']:,}",
            f"{row['idle_core_seconds'] / row['cores']:,.0f}",
        )
        for row in outcome.stages.to_dict("records")
    ]
    columns = ("stage", "cores", "submitted, s", "waited", "perceived", "ran", "idled")
    show_table(f"{outcome.workflow} by {outcome.strategy} on {outcome.system}", columns, rows)
    typer.echo(
        f"perceived wait {outcome.perceived:,} s in all, makespan {outcome.makespan:,} s, "
        f"{outcome.core_hours:,.2f} core-hours used"
        + (f", {outcome.idle_core_hours:,.2f} idled" if outcome.idle_core_hours else "")
    )
    typer.echo(
        "waited: from the first submission to its start; perceived: from the end of the stages "
        "before, or the beginning, to the start of what ran"
    )
