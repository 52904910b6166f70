"""Simulate job logs under any scheduling policy, without the workflow."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated

import typer
import typer.core

#: arguments of the example in a command's help, where its docstring has none
EXAMPLES = {
    "simulate": "site.swf.gz --policy fcfs --policy 'r * n' --by size",
    "compare": "site.swf.gz --policy fcfs --policy f1 --days 7",
    "explain": "site.swf.gz 17 --policy wfp3",
    "gantt": "site.swf.gz --policy spt --to 48h --out schedule.png",
    "tune": "site.swf.gz --points 5",
    "learn": "site.swf.gz --tuples 4 --trials 1024",
    "policies": "",
    "formats": "",
    "whatif": "squeue.txt sinfo.txt --policy fcfs --policy 'r * n' --hours 12",
}
#: group of commands: name: module in this package with its function, or its application of further
#: commands; and what the list of commands says of it
COMMANDS = {
    "Simulate and compare": {
        "simulate": (
            "simulate.simulate_log",
            "Simulate a log under policies and print their metrics.",
        ),
        "compare": ("compare.compare_policies", "Compare policies with the first one, by windows."),
        "explain": (
            "explain.explain_job",
            "Explain why a job waits: each decision that passes it.",
        ),
        "gantt": ("gantt.draw_gantt", "Draw which processors run which job when."),
        "explore": ("explore.explore_log", "Write schedules as a page to search and zoom."),
        "policies": ("simulate.list_policies", "List the registered policies."),
    },
    "Find a policy": {
        "tune": ("tune.tune_policy", "Tune a mixed policy on half of a log, test on the rest."),
        "learn": ("learn.learn_policy", "Learn a policy from half of a log, test on the rest."),
    },
    "Your site and its Slurm": {
        "site": ("site.app", "Report on your site from its accounting."),
        "import-log": (
            "import_log.import_log",
            "Make a log from an accounting or a table of jobs.",
        ),
        "import-sacct": ("import_log.import_log", "The same, by its earlier name."),
        "formats": ("import_log.list_formats", "List the formats of logs, and how to export them."),
        "why": ("why.explain_wait", "Tell why a job waits now, until when, and what would help."),
        "whatif": ("whatif.predict_starts", "Predict starts of waiting jobs under each policy."),
        "export-slurm": (
            "export_slurm.export_slurm",
            "Write a policy as settings and a plugin for Slurm.",
        ),
        "asa": ("asa.app", "Run a workflow whose stages are submitted early."),
    },
    "Other simulators": {
        "conformance": (
            "conformance.check_conformance",
            "Compare a simulator with exact starts, by rule.",
        ),
        "export-batsim": ("exports.export_batsim", "Write a log as a Batsim workload."),
        "export-schedule": (
            "exports.export_schedule",
            "Write a log's schedule under a policy as SWF.",
        ),
    },
    "This installation": {
        "verify": ("verify.verify", "Compare the verdicts of a run with the expected ones."),
        "bench": ("bench.time_kernels", "Time the kernels on this machine."),
    },
}
#: the same without groups
_ALL = {name: entry for commands in COMMANDS.values() for name, entry in commands.items()}


class WholeCommands(typer.core.TyperGroup):
    """Commands of a group, each with its whole summary."""

    def format_commands(self, ctx, formatter) -> None:
        """Write the list of commands; their summaries wrap and are not cut."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.help.split("\n\n")[0]) for name, command in self.commands.items()]
            )


@cache
def load_command(name: str) -> typer.core.TyperCommand:
    """Import a command. That takes up to two seconds, so only the called one is imported."""
    module, _, attribute = _ALL[name][0].partition(".")
    found = getattr(import_module(f"schedlab.cli.{module}"), attribute)
    holder = typer.Typer(rich_markup_mode=None, callback=lambda: None)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, cls=WholeCommands, name=name)
    else:
        example = f"Example: schedlab {name} {EXAMPLES[name]}" if name in EXAMPLES else ""
        holder.command(name, epilog=example.rstrip() or None)(found)
    return typer.main.get_command(holder).commands[name]


class LoadedCommands(Mapping):
    """Commands by name; each is imported when it is looked up."""

    def __getitem__(self, name: str) -> typer.core.TyperCommand:
        """Return a command; KeyError if there is none of this name."""
        return load_command(name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(_ALL)

    def __len__(self) -> int:
        """Return the number of commands."""
        return len(_ALL)


class GroupedCommands(typer.core.TyperGroup):
    """Commands that are listed by group and imported when they are called."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self.commands = LoadedCommands()

    def list_commands(self, ctx) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def invoke(self, ctx) -> object:
        """Run a command; if a library of an extra is missing, end in a line that says so."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            from schedlab.cli.extras import remedy

            if not (line := remedy(error.name)):
                raise
            typer.secho(line, err=True, fg="red")
            raise typer.Exit(1) from error

    def format_commands(self, ctx, formatter) -> None:
        """Write a list per group, each with the summary of every command."""
        for group, commands in COMMANDS.items():
            with formatter.section(group):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()])


app = typer.Typer(cls=GroupedCommands, no_args_is_help=True, help=__doc__, rich_markup_mode=None)


def _print_version(requested: bool) -> None:
    """Print the version and exit."""
    if requested:
        # this import takes as long as all others here
        from importlib.metadata import version

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
