"""Simulate job logs under any scheduling policy, without the workflow."""

from importlib.metadata import version
from typing import Annotated

import typer
import typer.core

from schedlab.cli.asa import app as asa
from schedlab.cli.bench import time_kernels
from schedlab.cli.compare import compare_policies
from schedlab.cli.explain import explain_job
from schedlab.cli.explore import explore_log
from schedlab.cli.export_slurm import export_slurm
from schedlab.cli.exports import export_batsim, export_schedule
from schedlab.cli.gantt import draw_gantt
from schedlab.cli.import_sacct import import_dump
from schedlab.cli.learn import learn_policy
from schedlab.cli.simulate import list_policies, simulate_log
from schedlab.cli.site import app as site
from schedlab.cli.tune import tune_policy
from schedlab.cli.verify import verify
from schedlab.cli.whatif import EXAMPLE, HELP, predict_starts

EXAMPLES = {
    "simulate": "site.swf.gz --policy fcfs --policy 'r * n' --by size",
    "compare": "site.swf.gz --policy fcfs --policy f1 --days 7",
    "explain": "site.swf.gz 17 --policy wfp3",
    "gantt": "site.swf.gz --policy spt --to 48h --out schedule.png",
    "tune": "site.swf.gz --points 5",
    "learn": "site.swf.gz --tuples 4 --trials 1024",
    "policies": "",
    "whatif": EXAMPLE,
}
#: group of commands: name: function or sub-application, and what the list of commands says of it
COMMANDS = {
    "Simulate and compare": {
        "simulate": (simulate_log, "Simulate a log under policies and print their metrics."),
        "compare": (compare_policies, "Compare policies with the first one, by windows."),
        "explain": (explain_job, "Explain why a job waits: each decision that passes it."),
        "gantt": (draw_gantt, "Draw which processors run which job when."),
        "explore": (explore_log, "Write schedules as a page to search and zoom."),
        "policies": (list_policies, "List the registered policies."),
    },
    "Find a policy": {
        "tune": (tune_policy, "Tune a mixed policy on half of a log, test on the rest."),
        "learn": (learn_policy, "Learn a policy from half of a log, test on the rest."),
    },
    "Your site and its Slurm": {
        "site": (site, "Report on your site from its accounting."),
        "import-sacct": (import_dump, "Make a log from a dump of Slurm's accounting."),
        "whatif": (predict_starts, "Predict starts of waiting jobs under each policy."),
        "export-slurm": (export_slurm, "Write a policy as settings and a plugin for Slurm."),
        "asa": (asa, "Run a workflow whose stages are submitted early."),
    },
    "Other simulators": {
        "export-batsim": (export_batsim, "Write a log as a Batsim workload."),
        "export-schedule": (export_schedule, "Write a log's schedule under a policy as SWF."),
    },
    "This installation": {
        "verify": (verify, "Compare the verdicts of a run with the expected ones."),
        "bench": (time_kernels, "Time the kernels on this machine."),
    },
}


class GroupedCommands(typer.core.TyperGroup):
    """Commands that are listed by group."""

    def format_commands(self, ctx, formatter) -> None:
        """Write a list per group, each with the summary of every command."""
        for group, commands in COMMANDS.items():
            with formatter.section(group):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()])


class WholeCommands(typer.core.TyperGroup):
    """Commands of a group, each with its whole summary."""

    def format_commands(self, ctx, formatter) -> None:
        """Write the list of commands; their summaries wrap and are not cut."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.help.split("\n\n")[0]) for name, command in self.commands.items()]
            )


app = typer.Typer(cls=GroupedCommands, no_args_is_help=True, help=__doc__, rich_markup_mode=None)
for commands in COMMANDS.values():
    for name, (command, _) in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, cls=WholeCommands, name=name)
        else:
            example = f"Example: schedlab {name} {EXAMPLES[name]}" if name in EXAMPLES else ""
            app.command(
                name, help=HELP if name == "whatif" else None, epilog=example.rstrip() or None
            )(command)


def _print_version(requested: bool) -> None:
    """Print the version and exit."""
    if requested:
        typer.echo(f"schedlab {version('schedlab')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Simulate job logs under any scheduling policy, without the workflow."""
