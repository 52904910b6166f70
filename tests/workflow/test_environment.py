"""environment.yml, pyproject.toml and requirements.lock have the same requirements."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from extras_case import modules
from schedlab.flow.build import UNUSED, imported_by

CONDA_NAMES = {"matplotlib-base": "matplotlib", "snakemake-minimal": "snakemake"}
NOT_LOCKED = {"learners"}  # extras that are too large
CONDA_ALONE = {"c-compiler", "pip"}  # what a Python package cannot ask for


@pytest.fixture
def pyproject(root):
    return tomllib.loads((root / "pyproject.toml").read_text())


def requirements(texts):
    found = map(Requirement, texts)
    return {canonicalize_name(one.name): str(one.specifier) for one in found}


def of_extras(project):
    return [
        one
        for extra, libraries in project["optional-dependencies"].items()
        if extra not in NOT_LOCKED
        for one in libraries
    ]


def test_conda_environment_has_the_dependencies_of_pyproject(root, pyproject):
    environment = yaml.safe_load((root / "environment.yml").read_text())
    conda = requirements(environment["dependencies"])
    conda = {CONDA_NAMES.get(name, name): bound for name, bound in conda.items()}
    project = pyproject["project"]
    wanted = requirements(project["dependencies"] + of_extras(project))
    wanted |= requirements(pyproject["build-system"]["requires"]) | wanted
    wanted |= {"python": project["requires-python"]}
    assert {name: bound for name, bound in conda.items() if name not in CONDA_ALONE} == wanted


@pytest.fixture
def lock(root):
    return (root / "requirements.lock").read_text()


def test_lock_file_names_no_registry(lock):
    assert not re.search(r"https?:|--(extra-)?index-url|--find-links", lock)


def test_lock_file_has_a_hash_for_every_package(lock):
    hashes = hashes_of(lock)
    assert hashes
    assert not [package for package, digests in hashes.items() if not digests]


def hashes_of(lock):
    """Return the hashes of each package in a lock, by its name, version and condition."""
    packages = re.split(r"^(?=[A-Za-z])", lock, flags=re.MULTILINE)[1:]
    return {
        package.split(" \\\n")[0]: set(re.findall("--hash=sha256:([0-9a-f]{64})", package))
        for package in packages
    }


def test_lock_to_run_is_a_part_of_the_lock_with_all_that_make_report_needs(root, lock, pyproject):
    run = (root / "requirements-run.lock").read_text()
    assert hashes_of(run).items() <= hashes_of(lock).items()
    project = pyproject["project"]
    needed = requirements(
        project["dependencies"]
        + project["optional-dependencies"]["workflow"]
        + pyproject["dependency-groups"]["run"]
    )
    assert needed.keys() <= {canonicalize_name(re.split("==", one)[0]) for one in hashes_of(run)}


def test_lock_file_pins_every_requirement_of_pyproject(lock, pyproject):
    pinned = dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^ ;\\]+)", lock, flags=re.MULTILINE))
    pinned = {canonicalize_name(name): version for name, version in pinned.items()}
    project = pyproject["project"]
    wanted = [
        *project["dependencies"],
        *of_extras(project),
        *pyproject["dependency-groups"]["run"],
        *(one for one in pyproject["dependency-groups"]["dev"] if isinstance(one, str)),
        *pyproject["build-system"]["requires"],
    ]
    for one in map(Requirement, wanted):
        assert one.specifier.contains(pinned[canonicalize_name(one.name)]), one


def test_lock_to_run_has_every_library_whose_version_a_job_depends_on(root):
    scripts = (root / "workflow/scripts").rglob("*.py")
    libraries = imported_by(*scripts, *modules()).libraries
    run = hashes_of((root / "requirements-run.lock").read_text())
    locked = {canonicalize_name(one.partition("==")[0]) for one in run}
    assert set(libraries) >= UNUSED
    missing = {canonicalize_name(one) for one in libraries if one not in UNUSED} - locked
    assert missing == set()
