"""The command line: a log of one's own under any policy, without the workflow."""

import typer

from schedlab.cli.explore import explore_log
from schedlab.cli.exports import export_batsim, export_schedule
from schedlab.cli.import_sacct import import_dump
from schedlab.cli.learn import learn_policy
from schedlab.cli.simulate import list_policies, simulate_log

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
app.command("policies")(list_policies)
app.command("simulate")(simulate_log)
app.command("learn")(learn_policy)
app.command("import-sacct")(import_dump)
app.command("explore")(explore_log)
app.command("export-batsim")(export_batsim)
app.command("export-schedule")(export_schedule)
