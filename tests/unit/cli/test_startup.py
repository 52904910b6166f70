"""Modules that the command line imports at startup, and constants that it repeats."""

import subprocess
import sys

import pytest

from schedlab.cli import bench
from schedlab.files.durations import read_duration
from schedlab.slurm.run import POLL
from schedlab.workbench import benching

HEAVY = (
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


def test_repeated_constants_are_those_of_the_modules():
    assert (bench.SECONDS, bench.JOBS) == (benching.SECONDS, benching.JOBS)
    assert read_duration(sys.modules["schedlab.cli.asa"].POLL, "--poll") == POLL
