"""Of Snakemake, the workflow uses more than is documented: all of it is here, with the reason.

A version of Snakemake without one of these names fails here first.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
import snakemake.cli  # noqa: F401  its parts import each other in this order alone

WORKFLOW = Path(__file__).parents[2] / "workflow"
#: names by module and class ("": functions of the module), and why each group is used
USED = {
    ("snakemake.cli", ""): {
        "get_argument_parser": "targets of the command line, while rules are still read",
    },
    ("snakemake.workflow", "Workflow"): {
        "current_basedir modifier source_path sourcecache": "files of a workflow that is deployed",
        "globals": "a configuration that is completed is that of scripts, too",
        "configfiles": "each file of the configuration is checked on its own",
        "is_main_process local_exec remote_exec": "jobs on other machines check and plan nothing",
        "register_resource resource_scopes resource_settings": "turns inside of a cluster job",
        "rules": "digests of the code that scripts import are parameters of their rules",
        "output_settings": "the message about a lock is printed although all others are hidden",
        "persistence workflow_settings": "records of jobs, for versions and minutes",
        "dag": "jobs that are submitted, and files that are fetched again",
        "executor_plugin executor_settings scheduler workdir_init": "a trial of what is submitted",
    },
    ("snakemake.dag", "DAG"): {
        "forcefiles get_job_group needrun_jobs": "see dag and scheduler",
    },
    ("snakemake.scheduling.job_scheduler", "JobScheduler"): {
        "get_executor": "the command line of a job that is submitted",
        "job_rate_limiter": "ready jobs are examined when a job ends, not every second",
    },
    ("snakemake.rules", "Rule"): {
        "basedir conda_env has_wildcards params script set_params": "see rules",
    },
    ("snakemake.script", "PythonScript"): {
        "execute_script": "scripts run in copies of a process that has imported the libraries",
    },
    ("snakemake.benchmark", ""): {"benchmarked": "as execute_script uses it"},
    ("snakemake.shell", "shell"): {
        "_get_process_prefix": "a prefix of a workflow that imports this one stays",
    },
    ("snakemake.persistence", "PersistenceBase"): {"metadata": "as persistence"},
    ("snakemake.io", ""): {
        "IOFile": "what records know files by",
        "flag": "captions of files in Snakemake's report",
    },
    ("snakemake_executor_plugin_slurm.submit_string", ""): {"get_submit_command": "as scheduler"},
    ("snakemake_executor_plugin_slurm.utils", ""): {"set_gres_string": "as scheduler"},
}
NAMES = [(*place, name) for place, names in USED.items() for each in names for name in each.split()]


@pytest.mark.parametrize(("module", "kind", "name"), NAMES)
def test_snakemake_still_has_it(module, kind, name):
    holder = import_module(module)
    if not kind:
        assert hasattr(holder, name)
        return
    holder = getattr(holder, kind)
    sources = [inspect.getsource(each) for each in holder.__mro__[:-1]]
    assert hasattr(holder, name) or any(f"self.{name}" in source for source in sources)


def test_every_name_of_the_workflow_that_rules_use_is_listed():
    files = [WORKFLOW / "Snakefile", *WORKFLOW.glob("rules/**/*.smk")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    found = set(re.findall(r"(?<![.\w\"'/])workflow\.([a-z_]+)", text)) - {"smk", "yaml"}
    listed = {name for module, kind, name in NAMES if kind == "Workflow"}
    assert found == listed
