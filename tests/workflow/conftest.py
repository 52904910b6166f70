"""Snakemake on a copy of the project, with its own package, that has no results yet."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# Prints what the workflow has of every rule when it is read, by name.
LIST_RULES = """
import json, os
from pathlib import Path
from snakemake.api import ConfigSettings, OutputSettings, ResourceSettings, SnakemakeApi
with SnakemakeApi(OutputSettings()) as api:
    workflow = api.workflow(
        resource_settings=ResourceSettings(cores=1),
        config_settings=ConfigSettings(configfiles=[Path("config/quick.yaml")]),
        snakefile=Path("Snakefile"),
    )._workflow
    listed = {
        rule.name: {
            "script": str(rule.script or ""),
            "benchmark": bool(rule.benchmark),
            "inputs": [str(path) for path in rule.input],
            "code": rule.params.get("code"),
            "maker": rule.params.get("maker"),
            "stories": rule.params.get("stories"),
            "longest_param": max(
                [len(repr(value)) for _, value in rule.params.items()], default=0
            ),
            "outputs": {str(path): bool(path.flags.get("report")) for path in rule.output},
            "reported": {
                str(path): [str(said.caption.get_path_or_uri(True)) if said.caption else None,
                            said.category, said.subcategory, said.labels]
                for path in rule.output if (said := path.flags.get("report"))
            },
        }
        for rule in workflow.rules
    }
listed[""] = {name: os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
print(json.dumps(listed))
"""
PARTS = ("Snakefile", "environment.yml", "config", "profiles", "resources", "src", "workflow")


@pytest.fixture(scope="session")
def new_project(root) -> Callable[[Path], Path]:
    """Copy what the workflow is made of to a folder, compiled kernels as well."""

    def copy(folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            if (root / part).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "raw")
                shutil.copytree(root / part, folder / part, ignore=ignored)
            else:
                shutil.copy(root / part, folder / part)
        return folder

    return copy


@pytest.fixture(scope="session")
def project(new_project, tmp_path_factory) -> Path:
    """Copy of the workflow for dry runs; tests that run something use one of their own."""
    return new_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def snakemake() -> Callable[..., subprocess.CompletedProcess]:
    """Run Snakemake in a folder; its output is one text.

    The local archive of logs is `archive`; by default there is none.

    The package is that of `package` (a checkout's folder), by default of the folder itself.
    """

    def run(
        folder: Path,
        *arguments: str,
        cores: int | None = 2,
        package: Path | None = None,
        archive: Path | None = None,
        timeout: float = 300,
    ) -> subprocess.CompletedProcess:
        environment = {k: v for k, v in os.environ.items() if k != "SCHEDLAB_ARCHIVE"}
        if archive:
            environment["SCHEDLAB_ARCHIVE"] = str(archive)
        environment["PYTHONPATH"] = str((package or folder) / "src")
        width = [] if cores is None else ["--cores", str(cores)]
        return subprocess.run(
            [sys.executable, "-m", "snakemake", *width, *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )

    return run


@pytest.fixture(scope="session")
def as_read(project) -> dict[str, dict]:
    """What reading the workflow leaves: facts of every rule by name; by "" those of its jobs."""
    run = subprocess.run(
        [sys.executable, "-c", LIST_RULES],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def rules(as_read) -> dict[str, dict]:
    """Script, inputs, digest of the code, outputs and more of every rule, by name."""
    return {name: facts for name, facts in as_read.items() if name}


@pytest.fixture(scope="session")
def variables(as_read) -> dict[str, str]:
    """Environment variables that decide numbers, as jobs find them."""
    return as_read[""]
