"""The wheel in empty environments: what the core and each extra bring, and what works with it."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from extras_case import IMPORT_ALL, belongs_to_extra
from schedlab.cli import COMMANDS
from uv_case import run

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("install")]

#: most packages and megabytes (10^6 bytes, unpacked) of the core, and of each extra with it
LIMITS = {
    "": (25, 430),
    "checks": (30, 440),
    "workflow": (85, 680),
    "slurm": (40, 440),
    "pool": (50, 460),
    "gym": (30, 440),
}
LOG = "1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"


@pytest.fixture(scope="session")
def wheel(root, tmp_path_factory):
    """Build the wheel of a copy, once: other tests use this folder at the same time."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "schedlab"
    for name in ("src", "build/cython"):
        # C that is newer than its source is compiled, and not made again
        ignored = shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__")
        shutil.copytree(root / name, sources / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy2(root / name, sources)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    run(*pip, "--wheel-dir", folder, sources)
    (built,) = folder.glob("schedlab-*.whl")
    return built


@pytest.fixture(scope="session")
def install(root, uv, wheel, tmp_path_factory):
    """Install the wheel with an extra into an empty environment, once; return its Python."""
    # constraints have no hashes
    lock = re.sub(r" \\\n    --hash=\S+", "", (root / "requirements.lock").read_text())
    constraints = tmp_path_factory.mktemp("lock") / "constraints.txt"
    constraints.write_text(lock)

    @functools.cache
    def installed(extra: str) -> Path:
        folder = tmp_path_factory.mktemp(extra or "core") / "environment"
        uv("venv", "--python", sys.executable, folder)
        python = folder / "bin/python"
        wanted = f"{wheel}[{extra}]" if extra else wheel
        uv("pip", "install", "--python", python, "-c", constraints, wanted)
        return python

    return installed


def clean(**more):
    """Return an environment of variables in which only the installed package is found."""
    return {name: text for name, text in os.environ.items() if name != "PYTHONPATH"} | more


def size_of(python):
    """Return packages and megabytes of an environment; compiled modules do not count."""
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    size = sum(path.stat().st_size for path in files) / 1e6
    return len(list(packages.glob("*.dist-info"))), size


@pytest.mark.parametrize("extra", LIMITS)
def test_packages_and_size_are_within_limits(extra, install, capsys):
    count, size = size_of(install(extra))
    with capsys.disabled():
        print(f"\nschedlab[{extra}]: {count} packages, {size:.0f} MB")
    packages, megabytes = LIMITS[extra]
    assert count <= packages
    assert size <= megabytes


def test_core_has_all_modules_and_commands_and_simulates(install, tmp_path):
    python = install("")
    missing = json.loads(run(python, "-c", IMPORT_ALL, cwd=tmp_path, env=clean()))
    assert [module for module in missing if not belongs_to_extra(module)] == []
    schedlab = python.with_name("schedlab")
    for name in [name for commands in COMMANDS.values() for name in commands]:
        assert name in run(schedlab, name, "--help", cwd=tmp_path, env=clean())
    (tmp_path / "log.swf").write_text(LOG)
    printed = run(schedlab, "simulate", "log.swf", "--processors", "1", cwd=tmp_path, env=clean())
    assert "mean wait" in printed
    gantt = [schedlab, "gantt", "log.swf", "--processors", "1", "--out", "schedule.png"]
    done = subprocess.run(gantt, cwd=tmp_path, env=clean(), capture_output=True, text=True)
    assert done.stderr.endswith("pip install 'schedlab[workflow]'\n")
    assert "Traceback" not in done.stderr


def test_workflow_extra_draws_and_has_every_module(install, tmp_path):
    python = install("workflow")
    missing = json.loads(run(python, "-c", IMPORT_ALL, cwd=tmp_path, env=clean()))
    assert list(missing) == ["schedlab.gym", "schedlab.slurm.pool.worker"]
    (tmp_path / "log.swf").write_text(LOG)
    gantt = ["gantt", "log.swf", "--processors", "1", "--out", "schedule.png"]
    run(python.with_name("schedlab"), *gantt, cwd=tmp_path, env=clean())
    assert (tmp_path / "schedule.png").stat().st_size


def test_extra_for_clusters_brings_the_executors_of_the_profiles(install):
    for name in ("slurm", "cluster_generic"):
        run(install("slurm"), "-c", f"import snakemake_executor_plugin_{name}")


def test_extra_for_pools_imports_the_worker(install):
    run(install("pool"), "-c", "import schedlab.slurm.pool.worker, cryptography")


def test_extra_for_learners_makes_an_environment(install, tmp_path):
    (tmp_path / "log.swf").write_text("; MaxProcs: 1\n" + LOG)
    make = "gymnasium.make('schedlab/Queue-v0', log='log.swf', jobs=2)"
    code = f"import gymnasium, schedlab.gym; print({make}.reset(seed=1)[1])"
    assert "(0, 2)" in run(install("gym"), "-c", code, cwd=tmp_path, env=clean())


def test_lock_to_run_has_what_make_report_imports(root, uv, tmp_path):
    folder = tmp_path / "environment"
    uv("venv", "--python", sys.executable, folder)
    python = folder / "bin/python"
    lock = root / "requirements-run.lock"
    uv("pip", "install", "--python", python, "--require-hashes", "-r", lock)
    missing = json.loads(
        run(python, "-c", IMPORT_ALL, cwd=tmp_path, env=clean(PYTHONPATH=str(root / "src")))
    )
    assert list(missing) == ["schedlab.gym", "schedlab.slurm.pool.worker"]
    run(python, "-c", "import Cython, mkdocs, material, mkdocstrings, setuptools, uv")
