"""Libraries of extras: what imports them, and a command without them."""

import json
import subprocess
import sys
import tomllib

import pytest
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from extras_case import IMPORT_ALL, MODULES_OF_EXTRAS, belongs_to_extra, modules
from schedlab import cli
from schedlab.cli.extras import libraries_of_extras, remedy
from schedlab.flow.build import OTHERWISE_NAMED, imported_by

#: imported with a library that is required, and installed with it
COME_ALONG = {"dask", "markupsafe"}


@pytest.fixture
def core(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    return {canonicalize_name(one.partition(">")[0]) for one in project["dependencies"]}


def test_every_imported_library_is_required_by_the_core_or_an_extra(core):
    libraries = imported_by(*modules()).libraries
    assert core < set(libraries)
    required = core | libraries_of_extras().keys() | COME_ALONG
    assert [library for library in libraries if library not in required] == []


@pytest.mark.slow
def test_core_needs_no_library_of_an_extra():
    names = {library: name for name, library in OTHERWISE_NAMED.items()}
    hidden = [names.get(library, library) for library in libraries_of_extras()]
    run = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *hidden, "dask"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    missing = json.loads(run.stdout)
    assert [module for module in missing if not belongs_to_extra(module)] == []
    unneeded = [
        prefix for prefix in MODULES_OF_EXTRAS if not any(one.startswith(prefix) for one in missing)
    ]
    assert unneeded == []


@pytest.fixture
def without(monkeypatch):
    """Hide a library, and modules that have imported it."""

    def hide(library, *modules):
        for name in [one for one in sys.modules if one.partition(".")[0] == library]:
            monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.setitem(sys.modules, library, None)
        for module in modules:
            monkeypatch.delitem(sys.modules, module, raising=False)

    return hide


@pytest.mark.parametrize("extra", ["checks", "workflow", "pool", "gym", "learners"])
def test_command_without_a_library_ends_in_a_line_with_the_remedy(extra, without, monkeypatch):
    library = next(one for one, of in libraries_of_extras().items() if of == extra)
    without(library)

    def import_it(name):
        __import__(library)

    monkeypatch.setattr(cli, "load_command", import_it)
    result = CliRunner().invoke(cli.app, ["simulate", "log.swf"])
    assert result.exit_code == 1
    assert result.stderr == (
        f"{library} is not installed, which this needs: pip install 'schedlab[{extra}]'\n"
    )


def test_a_missing_module_of_no_extra_is_raised(without, monkeypatch):
    def import_it(name):
        raise ModuleNotFoundError(name="schedlab.gone")

    monkeypatch.setattr(cli, "load_command", import_it)
    assert isinstance(CliRunner().invoke(cli.app, ["tune"]).exception, ModuleNotFoundError)
    assert remedy("schedlab.gone") == remedy("numpy") == remedy(None) == ""


def test_a_file_in_yaml_is_checked_by_a_library_of_an_extra(without, tmp_path):
    without("jsonschema", "schedlab.files.schema_problems")
    log, site = tmp_path / "log.swf", tmp_path / "site.yaml"
    log.write_text("1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n")
    site.write_text("nodes: []\n")
    result = CliRunner().invoke(cli.app, ["simulate", str(log), "--site", str(site)])
    assert "pip install 'schedlab[checks]'" in result.stderr
