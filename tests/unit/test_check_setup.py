"""Requirements of the set-up are checked before anything is downloaded."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

NO_SUCH = "no-such-compiler"


def check(root, **environment):
    return subprocess.run(
        [sys.executable, root / "check_setup.py"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def test_a_machine_that_compiled_the_kernels_has_all_parts(root):
    done = check(root)
    assert done.returncode == 0, done.stderr
    assert not done.stdout + done.stderr


def test_a_missing_compiler_is_named_with_its_packages(root):
    done = check(root, CC=f"{NO_SUCH} -pthread")
    assert done.returncode == 1
    assert f"a C compiler: {NO_SUCH}" in done.stderr
    assert "apt-get install gcc libc6-dev" in done.stderr
    assert "Nothing was downloaded yet" in done.stderr


@pytest.fixture
def missing_parts(root, monkeypatch):
    """Return the function of check_setup.py that lists what is missing."""
    monkeypatch.syspath_prepend(str(root))
    from check_setup import missing_parts

    return missing_parts


def test_every_missing_part_is_listed_at_once(missing_parts, tmp_path):
    """An old Python without a module, its headers elsewhere."""
    compiler = sysconfig.get_config_var("CC") or "cc"
    words, packages = zip(
        *missing_parts((3, 9), ["no_such_module"], str(tmp_path), compiler), strict=True
    )
    assert packages == ("python3", "python3-venv", "python3-dev")
    assert "3.11 or newer; this is 3.9" in words[0]
    assert str(Path(tmp_path, "Python.h")) in words[2]


def test_compiler_without_the_c_library_is_reported(missing_parts, tmp_path):
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    include = sysconfig.get_path("include")
    assert [names for _, names in missing_parts((3, 13), [], include, str(broken))] == ["libc6-dev"]


@pytest.mark.parametrize("name", ["a b", "it's", "a:b", "a$b", "a(1)"])
def test_folder_that_programs_would_split_is_refused_with_the_reason(root, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, root / "check_setup.py"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "Nothing was downloaded yet: this folder's path has" in done.stderr
    assert str(folder) in done.stderr


@pytest.mark.parametrize("name", ["a-b", "a.b_c+d@e", "é東京"])
def test_other_folders_are_not_refused(root, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    program = [sys.executable, root / "check_setup.py"]
    assert subprocess.run(program, cwd=folder, check=False).returncode == 0
