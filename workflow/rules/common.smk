"""What the rules share: the configuration, the papers' sheets and the names they allow."""

import os
import re
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from snakemake.cli import get_argument_parser
from snakemake.exceptions import WorkflowError

from schedlab.flow.build import PACKAGE, check_package, imported_by, stale_kernels
from schedlab.files.config import (
    ConfigError,
    filled,
    load,
    nearest,
    read_sheet,
    read_yaml,
    typed,
    validate,
)
from schedlab.flow.items import LEARNED, SHEET, Study
from schedlab.flow.measured import read_table
from schedlab.flow.parameters import with_short_text
from schedlab.policies import ALIASES, REGISTRY, ExpressionError
from schedlab.policies.expression import compile_expression
from schedlab.files.sheets import (
    NO_CLEANING,
    REGISTRIES,
    cells_of,
    on_models,
    read,
    with_drawn,
)
from schedlab.traces.cleaning import RULE_SETS
from schedlab.traces.registry import PoolEntry, read_registry
from schedlab.core.splitting import SPLITS


def address(source):
    """Return where a file of the workflow lies, without detours."""
    return os.path.normpath(source.get_path_or_uri(True))


# The checkout that the workflow is of; one that is read from an address is cached file by file.
HERE = workflow.current_basedir
SCRIPTS = address(HERE.join("../scripts"))
HOME = (
    Path(HERE.get_path_or_uri(secret_free=True)).parents[1] if HERE.is_local else None
)


def of_workflow(path):
    """Return a file or folder that comes with the workflow, from wherever it is run."""
    return path_from_here(
        HOME / path if HOME else workflow.source_path(f"../../{path}")
    )


def of_workflow_if_any(path):
    """Return a file that comes with the workflow; None where there is none of this path."""
    try:
        found = of_workflow(path)
    except WorkflowError:
        return None
    return found if os.path.exists(found) else None


def here_or_of_workflow(path):
    """Return a file of the working directory; where it has none, the one that comes along."""
    return path if os.path.exists(path) else of_workflow(path)


def schema_of(name):
    """Return the schema of a sheet's rows."""
    return of_workflow(f"workflow/schemas/{name}.schema.yaml")


def config_schema():
    """Return the schema of the configuration, with the papers' sheets and keys."""
    schema = read_yaml(schema_of("config"))
    sheets = schema["properties"]["sheets"]["properties"]
    for paper in BUILT:
        sheets[paper] = {"type": "string"}
    for paper in (*BUILT, SITE, REFEREE):
        own = of_workflow_if_any(f"workflow/schemas/{paper}.config.schema.yaml")
        if own:
            schema["properties"][paper] = read_yaml(own)
            schema["required"].append(paper)
    return schema


def module_of(paper):
    """Return the package of a paper, or of what is built like one."""
    return f"schedlab.studies.{paper}"


def sheet_of(paper):
    """Return a paper's sheet of experiments."""
    named = config["sheets"].get(paper, f"config/experiments/{paper}.tsv")
    return here_or_of_workflow(named)


def check_config():
    """Hold every configuration file by itself, then all of them together, to the schema."""
    schema = config_schema()
    for path in workflow.configfiles:
        load(path, schema, partial=True)
    validate(config, schema, "configuration")
    for name, expression in config["policies"].items():
        # The last two stand where names of policies do.
        if name in REGISTRY or name in ALIASES or name in (SHEET, LEARNED):
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


def check_code():
    """See that what would run is this checkout's package, and its kernels those of their sources."""
    if HOME:
        check_package(HOME / "src/schedlab")
    if stale := stale_kernels():
        raise ConfigError(
            f"the kernels are older than their sources ({', '.join(stale)}): "
            "run make report or make test (or pip install -e .)"
        )


def read_models(sheet):
    """Read the sheet of workloads drawn from models, by name."""
    rows = read_sheet(sheet, schema_of("models")).to_dict("records")
    return {row["model"]: row for row in rows}


def check_needs():
    """See that every log, pool and model that a sheet names is registered."""
    known = {"traces": LOGS, "pools": POOLS, "models": MODELS}
    for log in LOGS.values():
        if log.model and log.model not in MODELS:
            raise ConfigError(
                f"{config['sheets']['traces']}: column 'model': log '{log.name}': "
                f"'{log.model}' is not in {config['sheets']['models']}"
                + nearest(log.model, MODELS)
            )
    for paper in BUILT:
        for row in (*SHEETS[paper].values(), *EXPERIMENTS[paper].values()):
            for registry, name in row.needs():
                if name not in known[registry]:
                    raise ConfigError(
                        f"{sheet_of(paper)}: experiment '{row.experiment}': "
                        f"'{name}' is not in {config['sheets'][registry]}"
                    )


def one_of(names):
    """Return the wildcard constraint that allows these names alone."""
    return "|".join(re.escape(name) for name in sorted(names)) or "nothing"


def mb(size):
    """Return memory in MB that grows with every attempt of a job."""
    return lambda wildcards, attempt: size * attempt


def minutes_of(time):
    """Return run time in minutes that grows with every attempt of a job."""
    return lambda wildcards, attempt: time * attempt


def measured(name, mem_mb=0, minutes=0):
    """Return what a rule's jobs ask for, by what was measured of it; more with every attempt.

    At least the numbers given here, where the papers' scale was measured in part or not at all. A
    profile can say how many jobs of a group have their turn at once.
    """
    if name in MEASURED:
        mem_mb = max(mem_mb, MEASURED[name].memory)
        minutes = max(minutes, MEASURED[name].minutes)
    if not (mem_mb and minutes):
        raise ConfigError(
            f"{MEASURED_FROM}: nothing was measured of '{name}': give it mem_mb and runtime "
            "of its own, run it, and take its benchmark in with python -m schedlab.flow.measured"
        )
    return {
        "mem_mb": mb(mem_mb),
        "runtime": minutes_of(minutes),
        "turn": 1,
    }


# Snakemake hands no limit on to a job of a cluster: without it the job would run side by side, on
# processors that it has not, what was to have its turn and asked for as little.
if workflow.remote_exec and workflow.resource_scopes.is_local("turn"):
    workflow.register_resource("turn", 1)


def rules_to_run():
    """Return the rules that this process may run: of the jobs that Snakemake starts, theirs alone."""
    if workflow.is_main_process:
        return workflow.rules
    named = get_argument_parser().parse_known_args(sys.argv[1:])[0].allowed_rules
    if not named:
        return workflow.rules
    return [each for each in workflow.rules if each.name in named]


def add_sources():
    """Make one digest of all that a script imports a parameter of its rule, and libraries another.

    So an edited module reruns what imports it, at any remove, and nothing else. Hundreds of files
    as inputs say the same, but Snakemake looks at every input of every ready job again and again.
    """
    for each in rules_to_run():
        if not each.script or "code" in each.params.keys():
            continue
        script = each.basedir.join(each.script)
        if not address(script).startswith(SCRIPTS):
            continue
        local = script if HOME else workflow.sourcecache.get_path(script)
        closure = imported_by(Path(local), *makers_of(each))
        each.set_params(code=closure.digest, environment=closure.environment)


def makers_of(each):
    """Return the module that makes what a rule's script writes, where it is a parameter."""
    if "maker" not in each.params.keys():
        return []
    return [PACKAGE.joinpath(*each.params.maker.split(".")[1:]).with_suffix(".py")]


def shorten_params():
    """Let Snakemake print and remember long parameters by a digest; scripts get their values."""
    for each in rules_to_run():
        for name, value in list(each.params.items()):
            setattr(each.params, name, with_short_text(value))


def path_from_here(path):
    """Return a path as it is written here: relative inside the working directory."""
    inside = os.path.relpath(path)
    return str(path) if inside.startswith("..") else Path(inside).as_posix()


check_code()
# Numbers inside a key of the command line come as text.
config = workflow.globals["config"] = filled(
    typed(config, config_schema()), read_yaml(of_workflow("config/config.yaml"))
)
check_config()
# Results of other scales than the papers' stand apart, and what is written says which it is of.
RESULTS = "results" if config["scale"] == "papers" else f"results/{config['scale']}"
os.environ.update(SCHEDLAB_SCALE=config["scale"])
# Over several threads BLAS adds up in another order, and fits end some digits away.
os.environ.update(OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
REGISTRY_OF = {name: here_or_of_workflow(config["sheets"][name]) for name in REGISTRIES}
MEASURED_FROM = of_workflow("workflow/measured.tsv")
MEASURED = read_table(Path(MEASURED_FROM))
LOGS = read_registry(REGISTRY_OF["traces"], schema_of("traces"))
POOLS = read_registry(REGISTRY_OF["pools"], schema_of("pools"), PoolEntry)
MODELS = read_models(REGISTRY_OF["models"])
DRAWN_BY = {name: log.model for name, log in LOGS.items() if log.model}
# The papers' sheets as they stand, and as this configuration runs them, by name of the experiment.
SHEETS, EXPERIMENTS = {}, {}
schema_of("row")  # fetched beside the others, which take columns of it
for paper in BUILT:
    sheet = import_module(f"{module_of(paper)}.sheet")
    rows = with_drawn(read(sheet.ROW, sheet_of(paper), schema_of(paper)), DRAWN_BY)
    run = getattr(sheet, "as_run", on_models)(rows, config)
    if hasattr(sheet, "check"):
        sheet.check(run, sheet_of(paper), config)
    SHEETS[paper] = {row.experiment: row for row in rows}
    EXPERIMENTS[paper] = {row.experiment: row for row in run}
check_needs()
# What the studies show, as their lists of items say; two have a key of the configuration, no sheet.
for study in (SITE, REFEREE):
    SHEETS[study], EXPERIMENTS[study] = {}, {}
STUDIES = {
    key: Study(
        key,
        tuple(rows.values()),
        config,
        here_or_of_workflow,
        tuple(SHEETS[key].values()),
        frozenset(MODELS),
    )
    for key, rows in EXPERIMENTS.items()
}
LISTS = {
    key: import_module(f"{module_of(key)}.items.index")
    for key in STUDIES
    if (PACKAGE.joinpath(*module_of(key).split(".")[1:]) / "items/index.py").exists()
}
GROUPS = {key: listed.groups(STUDIES[key]) for key, listed in LISTS.items()}


pathvars:
    results=RESULTS,
    logs="<results>/logs",
    benchmarks="<results>/benchmarks",


wildcard_constraints:
    cleaning=one_of({*RULE_SETS, NO_CLEANING}),
    experiment=one_of({name for rows in EXPERIMENTS.values() for name in rows}),
    log=one_of(LOGS),
    model=one_of(MODELS),
    paper=one_of(BUILT),
    policies=one_of({SHEET, LEARNED, *config["policies"]}),
    pool=one_of(POOLS),
    source=one_of({*LOGS, *MODELS}),
    split=one_of(SPLITS),
