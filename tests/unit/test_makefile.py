"""The end of `make report`, with programs that only record their calls."""

import os
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
STAMP = ".venv/ready.stamp"


@pytest.fixture
def report(root, tmp_path):
    """Run `make report`, set up already, with a Snakemake of the given exit code."""

    def run(code, *options):
        program = tmp_path / "python"
        program.write_text(
            f'#!/bin/sh\necho "python $*"\n[ "$1" != workflow/forked_scripts.py ] || exit {code}\n'
        )
        program.chmod(0o755)
        # `make test` runs this: without its variables, this make does not print its folder
        inherited = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
        return subprocess.run(
            ["make", "-o", STAMP, *options, "report", f"BIN={tmp_path}"],
            cwd=root,
            env={name: value for name, value in os.environ.items() if name not in inherited},
            capture_output=True,
            text=True,
        )

    return run


@pytest.mark.parametrize("options", [(), ("-j", "4")])
def test_report_ends_with_its_summary(report, options):
    done = report(0, *options)
    assert done.returncode == 0, done.stderr
    first, snakemake, summary = done.stdout.splitlines()
    assert "quick scale" in first
    assert "config/quick.yaml" in snakemake
    assert "forked_scripts.py all arena " in snakemake
    assert summary.startswith("python -m schedlab.report.summary results/quick/report/index.html")


def test_failed_run_fails_without_a_summary(report):
    done = report(1)
    assert done.returncode != 0
    assert "summary" not in done.stdout
    assert "Not everything was made" in done.stderr
