"""Commands that schedlab prints start with something that exists."""

import shutil
import sys

import pytest

from schedlab.files.programs import program


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """An environment in a folder, with a program and nothing on the search path."""
    folder = tmp_path / "a checkout/.venv/bin"
    folder.mkdir(parents=True)
    (folder / "snakemake").touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return folder


def test_program_is_a_path_in_the_working_directory(installed, monkeypatch):
    monkeypatch.chdir(installed.parents[1])
    monkeypatch.setenv("PATH", str(installed))
    assert program("snakemake") == ".venv/bin/snakemake"


def test_elsewhere_it_is_what_the_search_path_finds(installed, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert program("snakemake") == "'a checkout/.venv/bin/snakemake'"
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert program("snakemake") == f"'{installed}/snakemake'"
    monkeypatch.setenv("PATH", str(installed))
    assert program("snakemake") == "snakemake"
    other = tmp_path / "other/snakemake"
    shutil.copy(installed / "snakemake", other)
    monkeypatch.setenv("PATH", f"{other.parent}:{installed}")
    assert program("snakemake") == f"'{installed}/snakemake'"


def test_without_such_a_program_it_is_its_name(installed):
    assert program("unheard-of") == "unheard-of"
