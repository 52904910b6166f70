"""Tests of a group run in one process, so that what they share is made once."""

import re
import subprocess
import sys

import pytest

TESTS = """
import pytest

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("number", range(6))
def test_of_a_group(number):
    pass

@pytest.mark.parametrize("number", range(6))
def test_alone(number):
    pass
"""


@pytest.mark.slow
def test_a_group_runs_in_one_of_several_processes(tmp_path):
    (tmp_path / "test_them.py").write_text(TESTS)
    words = ["pytest", "-v", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", "."]
    run = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
    workers = re.findall(r"\[(gw\d)\].*PASSED.*test_of_a_group", run.stdout)
    assert len(workers) == 6
    assert len(set(workers)) == 1
