"""Kernels that passed their tests with bounds checks are known by the bytes that decide them."""

import shutil
import subprocess
import sys

import pytest

import bounds


@pytest.fixture(scope="module")
def project(tmp_path_factory, root):
    """Copy what decides the tests of the kernels to a folder without a record."""
    folder = tmp_path_factory.mktemp("bounds")
    kept = shutil.ignore_patterns("*.so", "__pycache__", "bounds.txt")
    for name in ("src/schedlab", "tests/kernels", "tests/twins", "tests/oracles"):
        shutil.copytree(root / name, folder / name, ignore=kept)
    for path in [*root.glob("tests/*.py"), root / "setup.py", root / "requirements.lock"]:
        shutil.copy(path, folder / path.relative_to(root))
    shutil.copy(root / "Makefile", folder)
    return folder


def passed(project, *words, archive=""):
    """Return whether the script finds what is here recorded."""
    environment = {"PYTHONPATH": str(project / "src"), "SCHEDLAB_ARCHIVE": archive}
    run = subprocess.run(
        [sys.executable, "tests/bounds.py", *words],
        cwd=project, env=environment, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert not run.stderr
    return run.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "decides"),
    [
        ("src/schedlab/kernels/queue/backfilling.pxd", True),
        ("src/schedlab/queue/simulation.py", True),
        ("tests/twins/queue.py", True),
        ("tests/strategies.py", True),
        ("requirements.lock", True),
        ("tests/souza_case.py", False),
    ],
)
def test_kernels_are_tested_again_after_a_change_of_what_decides_their_tests(
    project, name, decides
):
    assert passed(project, "--record")
    with (project / name).open("a", encoding="utf-8") as file:
        file.write("# more\n")
    assert passed(project) is not decides


def test_imports_of_tests_are_followed_in_their_folder(root):
    found = bounds.imported_tests([root / "tests/kernels/test_general.py"])
    assert {root / "tests/strategies.py", root / "tests/twins/queue.py"} <= found
    assert root / "tests/souza_case.py" not in found
