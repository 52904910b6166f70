"""Workflows on a Slurm whose stages are submitted before they are needed."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import print_result, print_text, show_json, show_table
from schedlab.files.durations import read_duration
from schedlab.files.known_words import check_known
from schedlab.slurm.client import SlurmError

if TYPE_CHECKING:
    from schedlab.slurm.run import WorkflowRun
    from schedlab.slurm.workflow_file import WorkflowFile

#: as in `schedlab.slurm`, whose import takes half a second
POLL, GIVE_UP, TIMEOUT = "10s", "12h", "3m"

RunOfFolder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Folder of a run of schedlab asa run.")
]
Detach = Annotated[
    bool,
    typer.Option(
        "--detach",
        help="Let the run go on in the background, also after you log out, with its lines in "
        "progress.txt of its folder.",
    ),
]

app = typer.Typer(no_args_is_help=True, help=__doc__, rich_markup_mode=None)


@app.callback()
def main() -> None:
    """Workflows on a Slurm whose stages are submitted before they are needed."""


@app.command("run", epilog="Example: schedlab asa run workflow.yaml --strategy asa")
@mistakes_in_one_line()
def run_on_slurm(
    workflows: Annotated[
        list[Path],
        typer.Argument(
            metavar="WORKFLOW...",
            help="YAML: name, sbatch (options of all stages) and stages, each with name, cores, "
            "seconds (expected), limit (asked for, like 1h), after (names), and command or tasks. "
            "Several files, with equal sbatch and different names, share one pool.",
        ),
    ],
    strategy: Annotated[
        str,
        typer.Option(
            help="bigjob (all as one job), perstage (each when those before it have ended), asa "
            "(as much earlier as it is expected to wait, with dependencies), naive (without), "
            "atonce (all at once, with dependencies) or pool (without, and early allocations run "
            "tasks of the present stage)."
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
    predictor: Annotated[
        str,
        typer.Option(
            help="What predicts waits: learned (from former waits, as in the paper), test-only "
            "(the start that sbatch --test-only prints) or conformal (the wait that 90 % of the "
            "recorded ones do not exceed)."
        ),
    ] = "learned",
    interface: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Network interface on which the pool's scheduler listens, like ib0; by default "
            "that of this machine's address.",
        ),
    ] = None,
    detach: Detach = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Submit nothing: print when each stage is expected to start, and why."
        ),
    ] = False,
    json: o.AsJson = False,
) -> None:
    """Run a workflow on the Slurm of this machine, and report its waits and its usage.

    Each job runs in the folder in which you call this command. When the command ends, also by
    Ctrl-C or SIGTERM, its remaining jobs are canceled. If the terminal is lost, the run goes on.
    After SIGKILL, a crash or a reboot, schedlab asa resume goes on with the run.
    """
    from schedlab.slurm.folder import FolderTakenError, next_folder
    from schedlab.slurm.joined_workflows import join_workflows
    from schedlab.slurm.predictors import PREDICTORS
    from schedlab.slurm.run import prepare_run
    from schedlab.slurm.strategies import TYPED
    from schedlab.slurm.workflow_file import WorkflowFile

    check_known(strategy, TYPED, "strategy")
    check_known(predictor, PREDICTORS, "predictor")
    pause = read_duration(poll, "--poll", least=0.1)
    limits = {
        "give_up": read_duration(give_up, "--give-up"),
        "timeout": read_duration(timeout, "--timeout", least=1),
    }
    described = join_workflows([WorkflowFile.read(path) for path in workflows])
    if state is None:  # in the user's state folder
        home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
        state = Path(home).expanduser() / "schedlab" / "waits.json"
    if dry_run:
        _show_plan(described, TYPED[strategy], state, limits["timeout"], predictor, json)
        return
    options = limits | {"state": state, "interface": interface, "predictor": predictor}
    while True:
        place = folder or next_folder(Path(), described.workflow.name)
        try:
            prepare_run(described, TYPED[strategy], place, pause, **options)
            break
        except FolderTakenError:  # by a run that has begun at the same time
            if folder:
                raise
    folder = place
    if detach:
        _detach(folder, json)
    else:
        _resume(folder, json)


@app.command(epilog="Example: schedlab asa resume workflow.1")
@mistakes_in_one_line()
def resume(
    folder: RunOfFolder,
    detach: Detach = False,
    detached: Annotated[bool, typer.Option("--detached", hidden=True)] = False,
    json: o.AsJson = False,
) -> None:
    """Go on with a run whose command has ended without its jobs, each stage once.

    The settings are those of the run's beginning. Use it after the command was killed, its machine
    restarted, or Slurm did not answer for too long. It is refused while another command runs.
    """
    if detach:
        _detach(folder, json)
    else:
        _resume(folder, json, detached)


@app.command(epilog="Example: schedlab asa status workflow.1")
@mistakes_in_one_line()
def status(folder: RunOfFolder, json: o.AsJson = False) -> None:
    """Report what ran, runs and waits in a run, and whether its command still runs."""
    from schedlab.slurm.status import read_status

    found = read_status(folder)
    if json:
        show_json(found.as_dict())
        return
    rows = []
    for job in found.jobs:
        times = map(_clock, (job.submit, job.start, job.end))
        rows.append((job.stage, str(job.number or ""), job.state, *times))
    columns = ("stage", "job", "state", "submitted", "started", "ended")
    show_table(f"{found.workflow} by {found.strategy} on {found.system}", columns, rows, words=3)
    for line in found.sentences():
        typer.echo(line)


def _show_plan(
    described: WorkflowFile,
    strategy: str,
    state: Path,
    timeout: float,
    predictor: str,
    json: bool,
) -> None:
    """Print the expected course of a run."""
    from schedlab.slurm.client import Slurm
    from schedlab.slurm.plan import plan_run
    from schedlab.waits.learner import Learner

    plan = plan_run(described, strategy, Learner(path=state), Slurm(timeout), predictor)
    if json:
        show_json(plan.as_dict())
        return
    rows = [
        (
            row["stage"],
            f"{row['cores']:,}",
            f"{row['limit_min']:,}",
            *(f"{row[name]:,}" for name in ("submit", "wait", "start", "end")),
        )
        for row in plan.stages.to_dict("records")
    ]
    columns = ("stage", "cores", "limit, min", "submitted, s", "waits", "starts, s", "ends, s")
    show_table(f"plan: {plan.workflow} by {plan.strategy} on {plan.system}", columns, rows)
    unknown = plan.stages.loc[~plan.stages["known"], "cores"].unique()
    if len(unknown):
        cores = ", ".join(f"{number:,}" for number in sorted(unknown))
        print_text(
            f"{predictor} cannot tell yet how long {cores} cores wait on {plan.system}: it counts "
            "as 0"
        )
    for note in plan.notes:
        print_text(f"note: {note}")
    print_text("nothing was submitted; seconds are from the beginning of the run")


def _clock(seconds: int | None) -> str:
    """Return local date and time; nothing for None."""
    return "" if seconds is None else time.strftime("%m-%d %H:%M:%S", time.localtime(seconds))


def _resume(folder: Path, json: bool, detached: bool = False) -> None:
    """Run a prepared or interrupted run to its end, and print its result."""
    from schedlab.slurm.interrupts import Interrupted
    from schedlab.slurm.journal import Journal
    from schedlab.slurm.retries import GivenUpError
    from schedlab.slurm.run import WorkflowsFailedError, resume_workflow
    from schedlab.waits.learner import Learner

    state = Journal.read(folder).about["state"]
    go_on = f"go on with: schedlab asa resume {quote(str(folder))}"
    if detached:  # the shell may have let the background ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        outcome = resume_workflow(
            folder,
            Learner(path=state),
            lambda words: typer.echo(words, err=json),
            detached=detached,
        )
    except GivenUpError as error:
        raise SlurmError(f"{error}; {go_on}") from error
    except WorkflowsFailedError as error:
        if error.outcome and json:
            show_json(error.outcome.as_dict() | {"error": str(error), "folder": str(folder)})
        elif error.outcome:
            _show(error.outcome)
        raise
    except Interrupted as interrupt:
        numbers = " ".join(map(str, interrupt.left))
        if interrupt.detached:
            message = f"ended by {interrupt}; its jobs stay: {numbers or 'none'}; {go_on}"
        else:
            message = f"ended by {interrupt}; its jobs were taken back"
            if interrupt.left and interrupt.hung_up:
                message += f", but for those that run: {numbers}; {go_on}"
            elif interrupt.left:
                message += f", but for those that may be left: scancel {numbers}"
        typer.secho(message, fg="red", err=True)
        raise typer.Exit(128 + interrupt.number) from None
    if json:
        show_json(outcome.as_dict() | {"folder": str(folder), "state": state})
        return
    _show(outcome)
    typer.echo(f"outputs, scripts and record.json are in {folder}; waits learned, in {state}")


def _detach(folder: Path, json: bool) -> None:
    """Start a process that runs a prepared or interrupted run, and outlives the terminal."""
    from schedlab.slurm.detached import start_detached
    from schedlab.slurm.folder import PROGRESS

    client = start_detached(folder)
    facts = {"folder": str(folder), "host": client.host, "process": client.process}
    lines = (
        f"{folder} is run by {client}, which goes on without this terminal",
        f"progress: {folder / PROGRESS}, schedlab asa status {quote(str(folder))}",
        f"to end it and take its jobs back: kill -INT {client.process}",
    )
    print_result(lines, facts, json)


def _totals(outcome: WorkflowRun) -> str:
    """Return the totals of a workflow, or of several in one run."""
    return (
        f"perceived wait {outcome.perceived:,} s in all, makespan {outcome.makespan:,} s, "
        f"{outcome.core_hours:,.2f} core-hours used"
        + (f", {outcome.idle_core_hours:,.2f} idled" if outcome.idle_core_hours else "")
    )


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
    for workflow in outcome.workflows:
        print_text(f"{workflow.workflow}: {_totals(workflow)}")
    print_text(_totals(outcome))
    print_text(
        "waited: from the first submission to its start; perceived: from the end of the stages "
        "before, or the beginning, to the start of what ran"
    )
