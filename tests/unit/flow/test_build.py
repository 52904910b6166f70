"""Kernels that are older than their sources are reported, and no others."""

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from schedlab.files.config import ConfigError
from schedlab.flow import build
from schedlab.flow.build import PACKAGE, check_package, commit_of, imported_by, stale_kernels

BUILT = 1_000_000.0
SOURCES = {
    "queue/general.pyx": "from schedlab.kernels.common.heap cimport Heap\n",
    "traces/scan.pyx": "",
    "common/heap.pxd": "from schedlab.kernels.common.bitset cimport (\n    Bits,\n)\n",
    "common/bitset.pxd": "",
}


@pytest.fixture
def package(tmp_path):
    """A source tree of two kernels that were built after everything was written."""
    kernels = tmp_path / "src" / "schedlab" / "kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "setup.py").touch()
    for name, text in SOURCES.items():
        (kernels / name).parent.mkdir(exist_ok=True)
        (kernels / name).write_text(text)
        os.utime(kernels / name, (BUILT - 60, BUILT - 60))
    for name in ("queue/general", "traces/scan"):
        extension = kernels / (name + EXTENSION_SUFFIXES[0])
        extension.touch()
        os.utime(extension, (BUILT, BUILT))
    return kernels.parent


def edit(package, name, seconds=60.0):
    """Give a source the time of an edit so long after the build."""
    os.utime(package / "kernels" / name, (BUILT + seconds, BUILT + seconds))


def test_kernels_built_after_their_sources_are_fine(package):
    assert stale_kernels(package) == []


@pytest.mark.parametrize("name", ["queue/general.pyx", "common/heap.pxd", "common/bitset.pxd"])
def test_edit_of_a_source_makes_the_kernels_that_take_it_in_stale(package, name):
    edit(package, name)
    assert stale_kernels(package) == ["general.pyx"]


def test_kernel_without_extension_is_stale(package):
    (package / "kernels" / ("traces/scan" + EXTENSION_SUFFIXES[0])).unlink()
    assert stale_kernels(package) == ["scan.pyx"]


def test_source_and_extension_of_the_same_second_are_fine(package):
    """Build tools copy extensions with times cut to seconds."""
    edit(package, "traces/scan.pyx", 0.9)
    assert stale_kernels(package) == []


def test_installed_wheel_is_never_stale(package):
    edit(package, "queue/general.pyx")
    (package.parents[1] / "setup.py").unlink()
    assert stale_kernels(package) == []


def test_package_of_another_checkout_is_refused_with_both_paths(tmp_path):
    other = tmp_path / "src/schedlab"
    other.mkdir(parents=True)
    with pytest.raises(ConfigError) as error:
        check_package(other)
    assert str(other) in str(error.value)
    assert str(PACKAGE) in str(error.value)


def test_package_of_this_checkout_and_one_without_a_checkout_are_taken(tmp_path):
    check_package(PACKAGE)
    check_package(tmp_path / "missing")


def test_closure_includes_imports_in_functions_but_not_those_for_types(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from schedlab.learning import forms\n"
        "def run():\n    from schedlab.queue.simulation import simulate\n"
    )
    names = {path.relative_to(PACKAGE).as_posix() for path in imported_by(script).files}
    assert {"queue/simulation.py", "kernels/queue/general.pyx", "kernels/common/heap.pxd"} <= names
    assert "learning/forms.py" not in names
    assert "files/progress.py" not in names


def test_closure_takes_in_data_files_that_modules_name():
    names = {path.name for path in imported_by(PACKAGE / "report/figures/style.py").files}
    assert "schedlab.mplstyle" in names


@pytest.mark.slow
def test_digest_depends_only_on_the_bytes_of_direct_and_indirect_imports(tmp_path):
    """As read by new processes: one process reads every file once."""
    package = tmp_path / "schedlab"
    for room in ("", "files", "flow"):
        (package / room).mkdir()
        shutil.copy(PACKAGE / room / "__init__.py", package / room)
    names = ("flow/build", "files/config", "files/config_files", "files/durations")
    for name in (*names, "files/known_words"):
        shutil.copy(PACKAGE / f"{name}.py", package / f"{name}.py")
    for name, text in {"near": "from schedlab import far\n", "far": "A = 1\n"}.items():
        (package / f"{name}.py").write_text(text)
    program = (
        "from schedlab.flow.build import PACKAGE, imported_by\n"
        "print(imported_by(PACKAGE / 'near.py').digest)"
    )

    def digest():
        run = [sys.executable, "-c", program]
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        return subprocess.run(run, env=environment, capture_output=True, text=True, check=True)

    first = digest().stdout
    os.utime(package / "far.py", (BUILT, BUILT))
    assert digest().stdout == first
    (package / "other.py").write_text("B = 1\n")
    assert digest().stdout == first
    (package / "far.py").write_text("A = 2\n")
    assert digest().stdout != first
    (package / "far.py").write_text("A = 1\n")
    assert digest().stdout == first


def test_digest_does_not_depend_on_the_folder_of_the_package(tmp_path, monkeypatch):
    here = build.Closure((PACKAGE / "core/jobs.py",), ()).digest
    (tmp_path / "core").mkdir()
    shutil.copy(PACKAGE / "core/jobs.py", tmp_path / "core")
    monkeypatch.setattr(build, "PACKAGE", tmp_path)
    assert build.Closure((tmp_path / "core/jobs.py",), ()).digest == here


def test_environment_has_imported_libraries_and_the_build_of_kernels():
    assert set(imported_by(PACKAGE / "core/metrics.py").environment) == {
        "python",
        "numpy",
        "pandas",
    }
    assert "kernels" in imported_by(PACKAGE / "queue/simulation.py").environment


def test_package_with_only_a_docstring_is_not_in_the_digest():
    files = imported_by(PACKAGE / "comparison" / "comparing.py").files
    assert PACKAGE / "workbench" / "results.py" in files
    assert PACKAGE / "__init__.py" in files
    assert PACKAGE / "workbench" / "__init__.py" not in files


def test_commit_says_whether_files_differ_from_it(tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True, capture_output=True)

    assert commit_of(tmp_path) == ""
    git("init")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-m", "Add a")
    clean = commit_of(tmp_path)
    assert clean.isalnum()
    (tmp_path / "a").write_text("2")
    assert commit_of(tmp_path) == f"{clean}, with changes"
    assert commit_of(tmp_path, "-changed") == f"{clean}-changed"
