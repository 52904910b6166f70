"""Modules that the command line imports at startup, and constants that it repeats."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import schedlab
from schedlab.cli import asa, bench
from schedlab.files.durations import read_duration
from schedlab.slurm.run import POLL
from schedlab.workbench import benching

PACKAGE = Path(schedlab.__file__).parent
HEAVY = (
    "pandas",
    "numpy",
    "scipy.stats",
    "scipy.optimize",
    "schedlab.waits",
    "schedlab.workbench.benching",
    "matplotlib",
    "snakemake",
)
ASK = """
import sys
from schedlab.cli import app
try:
    app(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
print("imported:", *sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--version", "--help"])
def test_heavy_modules_are_not_imported(option):
    run = subprocess.run(
        [sys.executable, "-c", ASK, option], capture_output=True, text=True, check=True
    )
    imported = set(run.stdout.splitlines()[-1].split())
    assert "schedlab.cli" in imported
    assert not imported & set(HEAVY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("schedlab comp", ["compare"]),
        ("schedlab compare --policy saf", ["saf", "saf_age"]),
        ("schedlab simulate --backfill-order sp", ["spt", "spt_age"]),
        ("schedlab tune --dialect sl", ["slurm"]),
        ("schedlab explore --rules klu", ["klusacek2016"]),
        ("schedlab compare --metric wa", ["wait"]),
    ],
)
def test_shells_complete_commands_and_values(typed, names):
    asked = {
        "_SCHEDLAB_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }
    code = "from schedlab.cli import app; app(prog_name='schedlab')"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | asked
    )
    assert run.stdout.split() == names


@pytest.mark.slow
def test_lists_of_items_do_not_import_what_only_their_jobs_need():
    lists = sorted(PACKAGE.glob("studies/*/items/index.py"))
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in lists]
    assert len(names) >= 7
    code = f"import importlib, sys; [importlib.import_module(name) for name in {names}]; "
    run = subprocess.run(
        [sys.executable, "-c", code + "print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not set(run.stdout.split()) & {"scipy.stats", "scipy.optimize", "matplotlib"}


def test_repeated_constants_are_those_of_the_modules():
    assert (bench.SECONDS, bench.JOBS) == (benching.SECONDS, benching.JOBS)
    assert read_duration(asa.POLL, "--poll") == POLL
