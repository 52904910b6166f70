"""Definitions that all rules share: the configuration, the papers' sheets and allowed names."""

import functools
import os
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from snakemake.cli import get_argument_parser
from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile

from schedlab.flow.build import PACKAGE, check_package, imported_by, stale_kernels
from schedlab.files.config import (
    ConfigError,
    fill_defaults,
    load,
    read_sheet,
    read_yaml,
    typed,
    validate,
)
from schedlab.files.known_words import nearest
from schedlab.report.items import LEARNED, SHEET, Study
from schedlab.report.minutes import JobRecords
from schedlab.flow.measured import read_table
from schedlab.flow.parameters import with_short_text
from schedlab.policies import ALIASES, REGISTRY, ExpressionError
from schedlab.policies.expression import compile_expression
from schedlab.files.programs import program
from schedlab.files.sheets import (
    NO_CLEANING,
    REGISTRIES,
    cells_of,
    on_models,
    read,
    with_drawn,
)
from schedlab.files.stand_ins import with_stand_ins
from schedlab.traces.cleaning_rules import RULE_SETS
from schedlab.traces.registry import PoolEntry, read_registry
from schedlab.core.splitting import SPLITS


def address(source):
    """Return the normalized path or address of a file of the workflow."""
    return os.path.normpath(source.get_path_or_uri(True))


# The checkout of the workflow; a workflow read from a remote address is cached file by file.
HERE = workflow.current_basedir
SCRIPTS = address(HERE.join("../scripts"))
HOME = (
    Path(HERE.get_path_or_uri(secret_free=True)).parents[1] if HERE.is_local else None
)


def of_workflow(path):
    """Return the path of a file or folder of the workflow, independent of the working directory."""
    return path_from_here(
        HOME / path if HOME else workflow.source_path(f"../../{path}")
    )


def of_workflow_if_any(path):
    """Return the path of a file of the workflow; None if it does not exist."""
    try:
        found = of_workflow(path)
    except WorkflowError:
        return None
    return found if os.path.exists(found) else None


def here_or_of_workflow(path):
    """Return a file of the working directory; if it has none, that of the workflow."""
    return path if os.path.exists(path) else of_workflow(path)


def schema_of(name):
    """Return the schema of a sheet's rows."""
    return of_workflow(f"workflow/schemas/{name}.schema.yaml")


@functools.cache
def config_schema():
    """Return the schema of the configuration, with the papers' sheets and keys."""
    schema = read_yaml(schema_of("config"))
    sheets = schema["properties"]["sheets"]["properties"]
    for paper in BUILT:
        sheets[paper] = {"type": "string"}
    for paper in (*BUILT, SITE, REFEREE, PROGRAMS):
        own = of_workflow_if_any(f"workflow/schemas/{paper}.config.schema.yaml")
        if own:
            schema["properties"][paper] = read_yaml(own)
            schema["required"].append(paper)
    return schema


def module_of(paper):
    """Return the package of a paper, or of a study that is built like one."""
    return f"schedlab.studies.{paper}"


def sheet_of(paper):
    """Return a paper's sheet of experiments."""
    named = config["sheets"].get(paper, f"config/experiments/{paper}.tsv")
    return here_or_of_workflow(named)


def check_config():
    """Validate every configuration file separately, then all of them together."""
    schema = config_schema()
    for path in workflow.configfiles:
        load(path, schema, partial=True)
    validate(config, schema, "configuration")
    for name, expression in config["policies"].items():
        # The last two are reserved: they appear in place of policy names.
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
    """Check that this checkout's package runs, and that its kernels are up to date."""
    if HOME:
        check_package(HOME / "src/schedlab")
    # Snakemake starts scripts with this path unquoted.
    if re.search(r"[\s'\"`$&;()<>|*?\[\]{}\\]", sys.executable):
        raise ConfigError(
            f"Snakemake cannot start scripts with {sys.executable}: a shell splits this path; "
            "move the checkout, or the environment, to a path of letters, digits and ._-"
        )
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
    """Check that every log, pool and model in a sheet is registered."""
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
    """Return the wildcard constraint that allows only these names."""
    return "|".join(re.escape(name) for name in sorted(names)) or "nothing"


def mb(size):
    """Return memory in MB that grows with every attempt of a job."""
    return lambda wildcards, attempt: size * attempt


def minutes_of(time):
    """Return run time in minutes that grows with every attempt of a job."""
    return lambda wildcards, attempt: time * attempt


def measured(name, mem_mb=0, minutes=0):
    """Return the resources of a rule's jobs, from measurements; they grow with every attempt.

    The numbers given here are lower bounds, for rules that were measured partly or not at all at
    the papers' scale. With `turn` a profile can limit how many jobs of a group run at a time.
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


# Snakemake does not pass limits on to a cluster job. Without this limit the job would run jobs
# concurrently that should take turns, on processors that it does not have.
if workflow.remote_exec and workflow.resource_scopes.is_local("turn"):
    workflow.register_resource("turn", 1)


@functools.cache
def requested_targets():
    """Return the targets of Snakemake's command line; empty in jobs that it starts.

    When this file is read, Snakemake has not yet set the targets of its workflow. A workflow that
    uses this one as a module has other targets.
    """
    typed = Path(sys.argv[0]).stem in ("snakemake", "__main__")
    main = workflow.is_main_process and workflow.modifier.is_main_snakefile()
    if not typed or not main:
        return []
    return get_argument_parser().parse_known_args(sys.argv[1:])[0].targets


def rules_to_run():
    """Return the rules that this process may run: a job of Snakemake's has its own alone."""
    if workflow.is_main_process:
        return workflow.rules
    named = get_argument_parser().parse_known_args(sys.argv[1:])[0].allowed_rules
    if not named:
        return workflow.rules
    return [each for each in workflow.rules if each.name in named]


def complete_scripts():
    """Add to every script's rule its environment, and digests of the imported code and libraries.

    An edited module thus reruns exactly the rules that import it, directly or indirectly. Hundreds
    of source files as inputs would do the same, but Snakemake checks every input of every ready job
    repeatedly.
    """
    for each in rules_to_run():
        if not each.script:
            continue
        script = each.basedir.join(each.script)
        if not address(script).startswith(SCRIPTS):
            continue
        each.conda_env = HERE.join("../../environment.yml")
        if "code" in each.params.keys():
            continue
        local = script if HOME else workflow.sourcecache.get_path(script)
        closure = imported_by(Path(local), *makers_of(each))
        each.set_params(code=closure.digest, environment=closure.environment)


def makers_of(each):
    """Return the module that makes the output of a rule's script, if it is a parameter."""
    if "maker" not in each.params.keys():
        return []
    made_in = each.params.maker.partition(":")[0]
    return [PACKAGE.joinpath(*made_in.split(".")[1:]).with_suffix(".py")]


def shorten_params():
    """Let Snakemake print and store a digest of long parameters; scripts get the values."""
    for each in rules_to_run():
        for name, value in list(each.params.items()):
            setattr(each.params, name, with_short_text(value))


def path_from_here(path):
    """Return a path for display: relative inside the working directory, else absolute."""
    inside = os.path.relpath(path)
    return str(path) if inside.startswith("..") else Path(inside).as_posix()


def threads_of_job(_wildcards):
    """Return the threads that a job may compute with: those of the configuration.

    Without a batch system at most half of the cores. A job keeps its threads until it ends, but needs more
    than one only for a part of that time; other jobs would have to wait.
    """
    cores = workflow.resource_settings.cores
    if workflow.is_main_process and workflow.local_exec and cores:
        return max(1, min(config["threads"], cores // 2))
    return config["threads"]


def job_records(_wildcards):
    """Return Snakemake's records of jobs, wherever this run keeps them."""
    settings = workflow.workflow_settings
    is_database = settings.persistence_backend.name == "DB"
    options = {"db_url": settings.persistence_backend_db_url} if is_database else {}
    return JobRecords(type(workflow.persistence), IOFile, options)


check_code()
# Numbers in nested keys on the command line arrive as text.
config = workflow.globals["config"] = fill_defaults(
    typed(config, config_schema()), read_yaml(of_workflow("config/config.yaml"))
)
check_config()
# Results of other scales than the papers' go to separate folders, and outputs name their scale.
RESULTS = "results" if config["scale"] == "papers" else f"results/{config['scale']}"
os.environ.update(SCHEDLAB_SCALE=config["scale"])
# With several threads BLAS changes the order of sums, and fits differ in the last digits. Snakemake
# gives every job of a shell the threads of its rule in the same variables, so its shell sets them.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS")}
os.environ.update(ONE_THREAD)
exports = "".join(f"export {name}={value}; " for name, value in ONE_THREAD.items())
shell.prefix(shell._get_process_prefix() + exports)
REGISTRY_OF = {name: here_or_of_workflow(config["sheets"][name]) for name in REGISTRIES}
MEASURED_FROM = of_workflow("workflow/measured.tsv")
MEASURED = read_table(Path(MEASURED_FROM))
LOGS = read_registry(REGISTRY_OF["traces"], schema_of("traces"))
POOLS = read_registry(REGISTRY_OF["pools"], schema_of("pools"), PoolEntry)
MODELS = read_models(REGISTRY_OF["models"])
MODEL_SIZES = {name: int(model["processors"]) for name, model in MODELS.items()}
DRAWN_BY = {name: log.model for name, log in LOGS.items() if log.model}
# The papers' sheets unchanged, and as this configuration runs them, by name of the experiment.
SHEETS, EXPERIMENTS = {}, {}
schema_of("row")  # fetched with the others, which refer to its columns
for paper in BUILT:
    sheet = import_module(f"{module_of(paper)}.sheet")
    rows = with_drawn(read(sheet.ROW, sheet_of(paper), schema_of(paper)), DRAWN_BY)
    run = getattr(sheet, "as_run", on_models)(rows, config)
    if hasattr(sheet, "check"):
        sheet.check(run, sheet_of(paper), config)
    SHEETS[paper] = {row.experiment: row for row in rows}
    EXPERIMENTS[paper] = {row.experiment: row for row in run}
check_needs()
for paper, rows in EXPERIMENTS.items():
    run = with_stand_ins(rows.values(), SHEETS[paper].values(), MODEL_SIZES)
    EXPERIMENTS[paper] = {row.experiment: row for row in run}
# Items of the studies, from their lists; these have a configuration key instead of a sheet.
for study in (SITE, REFEREE, PROGRAMS):
    SHEETS[study], EXPERIMENTS[study] = {}, {}
STUDIES = {
    key: Study(
        key,
        tuple(rows.values()),
        config,
        here_or_of_workflow,
        tuple(SHEETS[key].values()),
        MODEL_SIZES,
    )
    for key, rows in EXPERIMENTS.items()
}
LISTS = {
    key: import_module(f"{module_of(key)}.items")
    for key in STUDIES
    if find_spec(f"{module_of(key)}.items")
}
LISTED_PAGES = {key: listed.page(STUDIES[key]) for key, listed in LISTS.items()}
GROUPS = {key: list(listed.groups(STUDIES[key])) for key, listed in LISTS.items()}


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
