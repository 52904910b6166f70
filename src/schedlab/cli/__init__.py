"""The command line: your log under any policy, without the workflow."""

from importlib.metadata import version
from typing import Annotated

import typer

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

app = typer.Typer(no_args_is_help=True, help=__doc__, rich_markup_mode=None)

COMMANDS = {
    "simulate": (simulate_log, "site.swf.gz --policy fcfs --policy 'r * n' --by size"),
    "compare": (compare_policies, "site.swf.gz --policy fcfs --policy f1 --days 7"),
    "explain": (explain_job, "site.swf.gz 17 --policy wfp3"),
    "gantt": (draw_gantt, "site.swf.gz --policy spt --to 48h --out schedule.png"),
    "tune": (tune_policy, "site.swf.gz --points 5"),
    "learn": (learn_policy, "site.swf.gz --tuples 4 --trials 1024"),
    "policies": (list_policies, ""),
}
for name, (command, example) in COMMANDS.items():
    app.command(name, epilog=f"Example: schedlab {name} {example}".rstrip())(command)
app.command("import-sacct")(import_dump)
app.command("explore")(explore_log)
app.command("export-batsim")(export_batsim)
app.command("export-schedule")(export_schedule)
app.command("export-slurm")(export_slurm)
app.command("verify")(verify)
app.add_typer(site, name="site")
app.add_typer(asa, name="asa")
app.command("bench")(time_kernels)
app.command("whatif", help=HELP, epilog=f"Example: schedlab whatif {EXAMPLE}")(predict_starts)


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
            "--version", callback=_print_version, is_eager=True, help="Say which this is."
        ),
    ] = False,
) -> None:
    """Simulate and compare policies on your log, without the workflow."""
