"""Snakemake on a copy of the project with its own package and no results."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# Prints what the workflow has of every rule when it is read, by name.
LIST_RULES = """
import json
from pathlib import Path
from snakemake.api import ConfigSettings, OutputSettings, ResourceSettings, SnakemakeApi
OWN_SLURM = {"site": {"dialect": "site+slurm_conf=slurm.conf"}}
def rules_of(config):
    with SnakemakeApi(OutputSettings()) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(
                config=config, configfiles=[Path("config/quick.yaml")]
            ),
            snakefile=Path("Snakefile"),
        )._workflow
        return {
            rule.name: {
                "script": str(rule.script or ""),
                "benchmark": bool(rule.benchmark),
                "names": [*rule.wildcard_names, *(
                    name for values in (rule.input, rule.params, rule.output)
                    for name, _ in values.items()
                )],
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
                                said.category, said.subcategory, said.labels,
                                path.flags.get("captions")]
                    for path in rule.output if (said := path.flags.get("report"))
                },
            }
            for rule in workflow.rules
        }
# the report on a site's own Slurm has other rules
print(json.dumps(rules_of(OWN_SLURM) | rules_of({})))
"""
PARTS = ("Snakefile", "environment.yml", "config", "profiles", "resources", "src", "workflow")


# Snakemake's executor for Slurm asks the controller when it is imported. If Slurm is installed and
# no controller runs, it waits for ten seconds; without settings it fails at once.
WITHOUT_SLURM = {"SLURM_CONF": os.devnull}


@pytest.fixture(scope="module", autouse=True)
def _without_slurm() -> Iterator[None]:
    """Set the environment of every Snakemake that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in WITHOUT_SLURM.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def new_project(root) -> Callable[[Path], Path]:
    """Copy what the workflow is made of to a folder, compiled kernels and modules as well."""

    def copy(folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            if (root / part).is_dir():
                ignored = shutil.ignore_patterns("*.egg-info", "raw")
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
def snakemake(root, tmp_path_factory) -> Iterator[Callable[..., subprocess.CompletedProcess]]:
    """Run Snakemake in a folder, by default with its package and without an archive."""
    output = tmp_path_factory.mktemp("snakemake") / "output.txt"
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("forking.py"), root],
        env=os.environ | WITHOUT_SLURM,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def answer() -> int:
        return json.loads(server.stdout.readline())

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
        told = [*width, *map(str, arguments)]
        output.write_text("")
        request = {"folder": str(folder), "arguments": told, "environment": environment}
        print(json.dumps(request | {"output": str(output)}), file=server.stdin, flush=True)
        child = answer()
        late = threading.Timer(timeout, os.killpg, (child, signal.SIGKILL))
        late.start()
        try:
            code = answer()
        finally:
            late.cancel()
        printed = output.read_text()
        assert code != -signal.SIGKILL, f"not done within {timeout} s:\n{printed}"
        return subprocess.CompletedProcess(["snakemake", *told], code, printed)

    yield run
    server.stdin.close()
    server.wait()


@pytest.fixture(scope="session")
def inputs_digests() -> Callable[[Path, str, dict[str, list[str]]], dict[str, str]]:
    """Digest of what decides the targets of each group, in a folder with a configuration file."""

    def digests(folder: Path, file: str, groups: dict[str, list[str]]) -> dict[str, str]:
        run = subprocess.run(
            [sys.executable, Path(__file__).with_name("inputs_digest.py"), file],
            input=json.dumps(groups),
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder / "src")},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(run.stdout.splitlines()[-1])

    return digests


@pytest.fixture(scope="session")
def rules(project) -> dict[str, dict]:
    """Script, inputs, digest of the code, outputs and more of every rule, by name."""
    run = subprocess.run(
        [sys.executable, "-c", LIST_RULES],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])
