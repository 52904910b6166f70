"""What the rules share: the sheets, and which file feeds which experiment."""

import functools
import re
from dataclasses import asdict
from pathlib import Path

from schedlab.config import ConfigError, load, read_sheet, read_yaml, validate
from schedlab.experiments import NO_CLEANING, read_experiments
from schedlab.traces.archive import archive_folders, find_all, read_registry

SCHEMAS = Path("workflow/schemas")
TABLE4 = ("table4", "table4_full")
GENERATED = ("generated", "generated_full")
# The items that each file of the shape of Table 4 shows.
TABLE4_FILES = {
    "table4": TABLE4[:1],
    "table4_full": TABLE4[1:],
    "table4_generated": GENERATED,
}


def check_config():
    """Hold every configuration file by itself, then all of them together, to the schema."""
    schema = SCHEMAS / "config.schema.yaml"
    for path in workflow.configfiles:
        load(path, schema, partial=True)
    validate(config, read_yaml(schema), "configuration")


def read_models(sheet):
    """Read the sheet of workloads drawn from models, by name."""
    rows = read_sheet(sheet, SCHEMAS / "models.schema.yaml").to_dict("records")
    return {row["model"]: row for row in rows}


def read_paper(paper):
    """Read the experiments of a paper as this configuration runs them, by name."""
    rows = read_experiments(
        config["sheets"][paper], SCHEMAS / "experiments.schema.yaml"
    )
    if not config["generated"]:
        rows = [row for row in rows if row.item not in GENERATED]
    if config["source"] == "models":
        rows = [row.on_model() for row in rows]
    if config["pieces_limit"]:
        rows = [row.limited(config["pieces_limit"]) for row in rows]
    return {row.experiment: row for row in rows}


def check_sources():
    """See that every experiment's log or model is registered."""
    for paper, rows in PAPERS.items():
        for row in rows.values():
            known, sheet = (MODELS, "models") if row.is_model else (LOGS, "traces")
            if row.source not in known:
                raise ConfigError(
                    f"{config['sheets'][paper]}: experiment '{row.experiment}': "
                    f"'{row.source}' is not in {config['sheets'][sheet]}"
                )


def one_of(names):
    """Return the wildcard constraint that allows these names alone."""
    return "|".join(re.escape(name) for name in sorted(names)) or "nothing"


def sources(*names):
    """List package sources, or all of a folder's: a rule that takes them in reruns on their edits."""
    root = Path("src/schedlab")
    files = []
    for name in names:
        inside = (
            sorted((root / name).iterdir()) if (root / name).is_dir() else [root / name]
        )
        files += [path for path in inside if path.suffix in (".py", ".pyx", ".pxd")]
    return [path.as_posix() for path in files]


@functools.cache
def local_logs():
    """Find the logs in the archive's folders, once."""
    return find_all(LOGS.values(), archive_folders(config["archive"]))


def local_log(wildcards):
    """Return the path of a log at hand, or nothing; a log that turns up is fetched anew."""
    return next((path.as_posix() for path in local_logs()[wildcards.log]), "")


def entry_of_log(wildcards):
    """Return the registry's row of a log; an edit of another row fetches nothing anew."""
    return asdict(LOGS[wildcards.log])


def without_log(wildcards):
    """Say what is made without a log, for the message that it is missing."""
    rows = [row for rows in PAPERS.values() for row in rows.values()]
    need = [row.experiment for row in rows if row.source == wildcards.log]
    named = (
        f"experiments {', '.join(need)}"
        if need
        else "what is measured on the log itself"
    )
    return (
        f"Everything else is made without it: of {len(rows)} experiments it is {named} "
        'that will say "log not at hand".'
    )


def entry_of_model(wildcards):
    """Return the row of a model's workload; an edit of another row draws nothing anew."""
    row = MODELS[wildcards.model]
    return {cell: value for cell, value in row.items() if cell != "model"}


def jobs_of_source(wildcards):
    """Return the jobs of a model's workload or of a cleaned log."""
    if wildcards.cleaning == NO_CLEANING:
        return f"results/workloads/{wildcards.source}.parquet"
    return f"results/traces/clean/{wildcards.source}.{wildcards.cleaning}.parquet"


def pieces_of_experiment(wildcards):
    """Return the pieces that an experiment runs on."""
    row = PAPERS[wildcards.paper][wildcards.experiment]
    return f"results/pieces/{row.source}.{row.cleaning}.{row.split}.parquet"


def settings_of_experiment(wildcards):
    """Return the cells of a row that its schedules depend on; a changed label reruns nothing."""
    row = PAPERS[wildcards.paper][wildcards.experiment]
    cells = "processors decisions backfill policies dialect tau head".split()
    return {cell: getattr(row, cell) for cell in cells} | {"pieces": row.numbers}


def simulations(paper, *items):
    """List the result files of a paper's experiments that belong to the items, in sheet order."""
    return [
        f"results/simulations/{paper}/{row.experiment}.parquet"
        for row in PAPERS[paper].values()
        if row.item in items
    ]


def items_of_table4(wildcards):
    """Return the items whose rows a file of the shape of Table 4 shows."""
    return list(TABLE4_FILES[wildcards.table4])


def simulations_of_table4(wildcards):
    """List the result files that a file of the shape of Table 4 shows."""
    return simulations("carastan2017", *items_of_table4(wildcards))


def simulations_of_figure(wildcards):
    """List the result files that a figure draws, one a panel and dialect."""
    return [
        f"results/simulations/carastan2017/{row.experiment}.parquet"
        for row in PAPERS["carastan2017"].values()
        if row.figure and row.figure[:-1] == wildcards.figure
    ]


def logs_shown(paper, *measured):
    """List the logs that a paper's experiments run on, and those that are only measured."""
    run = [row.source for row in PAPERS[paper].values() if not row.is_model]
    return list(dict.fromkeys([*run, *measured]))


check_config()
LOGS = read_registry(config["sheets"]["traces"], SCHEMAS / "traces.schema.yaml")
MODELS = read_models(config["sheets"]["models"])
PAPERS = {"carastan2017": read_paper("carastan2017")}
check_sources()


wildcard_constraints:
    cleaning=one_of({row.cleaning for rows in PAPERS.values() for row in rows.values()}),
    experiment=one_of({name for rows in PAPERS.values() for name in rows}),
    log=one_of(LOGS),
    model=one_of(MODELS),
    paper=one_of(PAPERS),
    source=one_of({*LOGS, *MODELS}),
    split=one_of({row.split for rows in PAPERS.values() for row in rows.values()}),
