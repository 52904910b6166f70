"""Arguments that several commands take, each defined once."""

from pathlib import Path
from typing import Annotated

import typer

from schedlab.core.slurm_site import VERSIONS
from schedlab.policies import REGISTRY
from schedlab.queue.dialect_cells import GRAMMAR
from schedlab.queue.dialects import DIALECTS
from schedlab.traces.cleaning_rules import CHOICES
from schedlab.traces.slurm.sinfo_text import COMMAND
from schedlab.workbench.log import RULES


def names_of_policies() -> list[str]:
    """Return the names that shells complete, if they begin as what was typed does."""
    return list(REGISTRY)


LogPath = Annotated[
    Path,
    typer.Argument(
        help="A log in any format that schedlab formats lists, such as SWF or output of sacct; "
        "may be compressed.",
        metavar="LOG",
    ),
]
Processors = Annotated[
    int | None, typer.Option(help="Size of the machine; by default the header's MaxProcs.")
]
Rules = Annotated[
    str,
    typer.Option(help=f"Cleaning rules: {', '.join(CHOICES)}.", autocompletion=lambda: CHOICES),
]
DefaultLimit = Annotated[
    list[str] | None,
    typer.Option(
        metavar="DURATION",
        help="Time limit of jobs that have none in the log: 24h, 30m or 1-12:00:00. For jobs of "
        "one queue: QUEUE=DURATION; may be repeated.",
    ),
]
DropWide = Annotated[
    bool, typer.Option("--drop-wide", help="Leave out jobs that do not fit the machine.")
]
# of a site's own Slurm
SlurmConf = Annotated[
    Path | None,
    typer.Option(
        help="Simulate the site's own Slurm: its slurm.conf, with gres.conf and topology.conf of "
        "the same folder."
    ),
]
SiteFile = Annotated[
    Path | None,
    typer.Option(
        help="Simulate a Slurm that a small YAML file describes, without slurm.conf: nodes, "
        "partitions (the log's queues) and QOS."
    ),
]
Accounts = Annotated[
    list[Path] | None,
    typer.Option(
        help="With --slurm-conf, QOS and accounts: commands of sacctmgr, what sacctmgr dump or "
        "show prints, or sshare; may be repeated."
    ),
]
SlurmMore = Annotated[
    list[Path] | None,
    typer.Option(help="With --slurm-conf, further files, or what scontrol shows; may be repeated."),
]
SlurmVersion = Annotated[
    str | None,
    typer.Option(
        help=f"With --slurm-conf, the release whose rules apply: {', '.join(VERSIONS)}; "
        f"{VERSIONS[0]} by default."
    ),
]
SlurmSet = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="With --slurm-conf, a setting in place of that in the file: PriorityWeightAge=1000; "
        "of SchedulerParameters, bf_interval=60; a line of nodes or a partition, "
        "'PartitionName=long PriorityTier=2'; a command of sacctmgr, 'modify qos high set "
        "Priority=2'. May be repeated.",
    ),
]
SlurmPhase = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=SECONDS",
        help="With --slurm-conf or --site, when periodic work first happens: backfill, main or "
        "priority; may be repeated.",
    ),
]
SlurmPoints = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="With --slurm-conf or --site, points of priority of the first waiting job by a "
        "policy, as of export-slurm --points; by default PriorityWeightFairshare.",
    ),
]
# of a dump of Slurm's accounting
Partitions = Annotated[
    Path | None,
    typer.Option(
        help="Limits of jobs that name none, and the machine's size: what scontrol show partition "
        "prints. Limits alone: a table with tabs between the columns partition, max_time and "
        f"default_time. The size alone: what {COMMAND} prints."
    ),
]
LimitOfRest = Annotated[
    str | None,
    typer.Option(
        "--default-limit",
        metavar="DURATION",
        help="Time limit of jobs that have none in the log and none from their partition: 24h, 30m "
        "or 1-12:00:00.",
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
    str | None,
    typer.Option(
        help="Which jobs have one: none (strict order), fit (first fit without any), head (EASY, "
        "default), a number of jobs, or every (conservative; default in the dialect slurm)."
    ),
]
Order = Annotated[
    str | None,
    typer.Option(
        help="Order of backfilling (EASY); the policy's own by default.",
        autocompletion=names_of_policies,
    ),
]
Compression = Annotated[
    str | None,
    typer.Option(
        help="When reservations of every job move up, as jobs end early: none (never), "
        "completion (after each, one at a time; default) or instant (once an instant)."
    ),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        metavar="DURATION",
        help="Wait after which a job is in front of all others: 24h, 30m or 1-12:00:00.",
    ),
]
Youth = Annotated[
    bool,
    typer.Option("--allow-youth", help="Allow orders that put younger jobs before older ones."),
]
Dialect = Annotated[
    str,
    typer.Option(
        help=f"What the simulator imitates. {GRAMMAR}", autocompletion=lambda: list(DIALECTS)
    ),
]
Policy = Annotated[
    str,
    typer.Option(help="Name, or expression over r, n, s, w.", autocompletion=names_of_policies),
]
# of commands whose usual order depends on other options
OnePolicy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help="Name, or expression over r, n, s, w; fcfs by default. With --slurm-conf the site's "
        "own order is the default.",
        autocompletion=names_of_policies,
    ),
]
Policies = Annotated[
    list[str],
    typer.Option(
        help="Name, or expression over r, n, s, w; may be repeated.",
        autocompletion=names_of_policies,
    ),
]
# for commands that can also simulate user-defined Python functions
Schedulers = Annotated[
    list[str],
    typer.Option(
        help="Name, expression over r, n, s, w, file.py:function or network .npz; may be repeated.",
        autocompletion=names_of_policies,
    ),
]
Threads = Annotated[int, typer.Option(min=1, help="How many simulations at a time.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

DEFAULT_RULES = RULES
