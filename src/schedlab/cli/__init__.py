"""The command line: a log of one's own under any policy, without the workflow."""

import typer

from schedlab.cli.learn import learn_policy
from schedlab.cli.simulate import list_policies, simulate_log
from schedlab.cli.verify import verify

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
app.command("policies")(list_policies)
app.command("simulate")(simulate_log)
app.command("learn")(learn_policy)
app.command("verify")(verify)
