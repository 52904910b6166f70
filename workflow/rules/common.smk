"""What the rules share: the configuration, the sheets and the names they allow."""

import re
from pathlib import Path

from schedlab.build import stale_kernels
from schedlab.config import ConfigError, load, read_sheet, read_yaml, validate
from schedlab.cosched.experiments import check_schedulers, read_coexperiments
from schedlab.cosched.schedulers import load_orders
from schedlab.experiments import (
    NO_CLEANING,
    read_experiments,
    read_period_experiments,
)
from schedlab.policies import ALIASES, REGISTRY, ExpressionError
from schedlab.policies.expression import compile_expression
from schedlab.tables import LEARNED_COLUMNS
from schedlab.traces.registry import PoolEntry, read_registry

SCHEMAS = Path("workflow/schemas")
EXPERIMENTS_SCHEMA = SCHEMAS / "experiments.schema.yaml"
PERIODS_SCHEMA = SCHEMAS / "periods.schema.yaml"
COEXPERIMENTS_SCHEMA = SCHEMAS / "coexperiments.schema.yaml"
TABLE4 = ("table4", "table4_full")
GENERATED = ("generated", "generated_full")
LEARNING_FIGURES = ["fig1", "fig2", "fig3", "fig_samplers"]
LEARNING_TABLES = "table1 table3 table3_comparison table3_own table3_intercept".split()
# Trials see actual run times.
LEARNING_CLEANING = "sc17_actual"
# Site policies are tested with estimates as well; both halves hold jobs of the same kind.
SITE_CLEANING = "full_estimate"
SITE_SPLIT = "second_half15d"
SITE_TABLES = "sites sites_policies sites_summary sites_tuples".split()
# Co-scheduled jobs that arrive as those of a log take its submit times alone.
ARRIVALS_CLEANING = "full_actual"
SOURCE_SUFFIXES = (".py", ".pyx", ".pxd", ".mplstyle")


def check_config():
    """Hold every configuration file by itself, then all of them together, to the schema."""
    schema = SCHEMAS / "config.schema.yaml"
    for path in workflow.configfiles:
        load(path, schema, partial=True)
    validate(config, read_yaml(schema), "configuration")
    for name, expression in config["policies"].items():
        if name in REGISTRY or name in ALIASES:
            raise ConfigError(
                f"configuration: key 'policies.{name}': '{name}' is a registered policy; "
                "give yours another name"
            )
        try:
            compile_expression(expression)
        except ExpressionError as error:
            raise ConfigError(
                f"configuration: key 'policies.{name}': {error}"
            ) from error


def check_kernels():
    """See that the kernels that would run were built from the sources that are listed as inputs."""
    if stale := stale_kernels():
        raise ConfigError(
            f"the kernels are older than their sources ({', '.join(stale)}): "
            "run make report or make test (or pip install -e .)"
        )


def read_models(sheet):
    """Read the sheet of workloads drawn from models, by name."""
    rows = read_sheet(sheet, SCHEMAS / "models.schema.yaml").to_dict("records")
    return {row["model"]: row for row in rows}


def read_paper(paper):
    """Read the experiments of a paper as this configuration runs them, by name."""
    rows = read_experiments(config["sheets"][paper], EXPERIMENTS_SCHEMA)
    if not config["generated"]:
        rows = [row for row in rows if row.item not in GENERATED]
    if config["source"] == "models":
        rows = [row.on_model() for row in rows]
    if config["pieces_limit"]:
        rows = [row.limited(config["pieces_limit"]) for row in rows]
    return {row.experiment: row for row in rows}


def read_periods(paper):
    """Read a paper's experiments on weeks and months as this configuration runs them, by name."""
    rows = read_period_experiments(config["sheets"][paper], PERIODS_SCHEMA)
    if config["source"] == "models":
        rows = [row.on_model() for row in rows]
    limits = {name: config[paper][name] for name in ("weeks", "months")}
    rows = [row.limited(limits[row.split] or row.pieces) for row in rows]
    return {row.experiment: row for row in rows}


def check_periods():
    """See that one trace is drawn and varied: its figure, Tables 2 and 7 and the sensitivity."""
    for cell in ("space_item", "sensitivity"):
        rows = [row for row in PERIODS.values() if getattr(row, cell)]
        if len(rows) != 1 or rows[0].split != "weeks":
            sheet = config["sheets"]["legrand2018"]
            raise ConfigError(
                f"{sheet}: column '{cell}': one trace by weeks must have it, "
                f"{len(rows)} rows have"
            )


def check_sources():
    """See that every experiment's log or model is registered."""
    for paper, rows in {**PAPERS, "legrand2018": PERIODS}.items():
        for row in rows.values():
            known, sheet = (MODELS, "models") if row.is_model else (LOGS, "traces")
            if row.source not in known:
                raise ConfigError(
                    f"{config['sheets'][paper]}: experiment '{row.experiment}': "
                    f"'{row.source}' is not in {config['sheets'][sheet]}"
                )


def check_coexperiments():
    """See that every pool, log, model and order of the co-scheduling sheet is known."""
    try:
        load_orders(config["orders"])
    except ValueError as error:
        raise ConfigError(f"configuration: key 'orders': {error}") from error
    check_schedulers(config["sheets"]["kellari2025"], COEXPERIMENTS.values())
    for row in COEXPERIMENTS.values():
        for known, sheet, name in (
            (POOLS, "pools", row.pool),
            (LOGS, "traces", row.log),
            (MODELS, "models", row.standin),
        ):
            if name is not None and name not in known:
                raise ConfigError(
                    f"{config['sheets']['kellari2025']}: experiment '{row.experiment}': "
                    f"'{name}' is not in {config['sheets'][sheet]}"
                )


def check_learning():
    """See that the workloads that policies are learned from are registered."""
    for source in (config["learning"]["source"], *config["learning"]["sites"]["names"]):
        if source not in {*LOGS, *MODELS}:
            sheets = f"{config['sheets']['traces']} or {config['sheets']['models']}"
            raise ConfigError(f"configuration: learning: '{source}' is not in {sheets}")


def one_of(names):
    """Return the wildcard constraint that allows these names alone."""
    return "|".join(re.escape(name) for name in sorted(names)) or "nothing"


def sources(*names):
    """List package sources, or all of a folder's: a rule that takes them in reruns on their edits.

    What decides no number is left out: how files are checked, written and logged.
    """
    root = Path("src/schedlab")
    files = []
    for name in names:
        inside = (
            sorted((root / name).iterdir()) if (root / name).is_dir() else [root / name]
        )
        files += [path for path in inside if path.suffix in SOURCE_SUFFIXES]
    return [path.as_posix() for path in files]


check_kernels()
check_config()
LOGS = read_registry(config["sheets"]["traces"], SCHEMAS / "traces.schema.yaml")
POOLS = read_registry(
    config["sheets"]["pools"], SCHEMAS / "pools.schema.yaml", PoolEntry
)
MODELS = read_models(config["sheets"]["models"])
COEXPERIMENTS = read_coexperiments(
    config["sheets"]["kellari2025"], COEXPERIMENTS_SCHEMA
)
PAPERS = {"carastan2017": read_paper("carastan2017")}
PERIODS = read_periods("legrand2018")
EXPERIMENTS = [row for rows in (*PAPERS.values(), PERIODS) for row in rows.values()]
# The items that each file of the shape of Table 4 shows.
TABLE4_FILES = {"table4": TABLE4[:1], "table4_full": TABLE4[1:]}
TABLE4_FILES |= {"table4_generated": GENERATED} if config["generated"] else {}
TABLE4_FILES |= {"table4_own": TABLE4} if config["policies"] else {}
TABLE4_FILES |= {"table4_learned": TABLE4[:1], "table4_learned_full": TABLE4[1:]}
# The policies that get columns beside the paper's: never in Table 4 itself.
OWN_COLUMNS = {"table4_own": list(config["policies"])}
OWN_COLUMNS |= dict.fromkeys(("table4_learned", "table4_learned_full"), LEARNED_COLUMNS)
check_sources()
check_periods()
check_coexperiments()
check_learning()


wildcard_constraints:
    cleaning=one_of(
        {LEARNING_CLEANING, SITE_CLEANING, ARRIVALS_CLEANING, NO_CLEANING}
        | {row.cleaning for row in EXPERIMENTS}
    ),
    coitem=one_of({row.item for row in COEXPERIMENTS.values()}),
    experiment=one_of({name for rows in PAPERS.values() for name in rows}),
    log=one_of(LOGS),
    model=one_of(MODELS),
    paper=one_of(PAPERS),
    periods=one_of(PERIODS),
    pool=one_of(POOLS),
    source=one_of({*LOGS, *MODELS}),
    split=one_of({SITE_SPLIT} | {row.split for row in EXPERIMENTS}),
