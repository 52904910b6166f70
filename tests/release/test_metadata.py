"""What describes a release: version, date, citation, changelog, workflow file."""

import json
import re
import runpy
import subprocess
import sys
import tomllib

import jsonschema
import pytest
import yaml

VERSION = r"\d+\.\d+\.\d+"


@pytest.fixture(scope="module")
def metadata(root):
    return runpy.run_path(str(root / ".ci/metadata.py"))


def test_descriptions_are_current(root):
    command = [sys.executable, root / ".ci/metadata.py", "--check"]
    assert subprocess.run(command, check=False).returncode == 0


def test_a_new_version_and_its_date_reach_all_descriptions(root, metadata, tmp_path):
    for name in ("pyproject.toml", "CHANGELOG.md", "CITATION.cff"):
        text = (root / name).read_text(encoding="utf-8")
        text = re.sub(rf'^version = "{VERSION}"', 'version = "9.8.7"', text, flags=re.M)
        text = re.sub(
            rf"^## \[{VERSION}\] - \S+", "## [9.8.7] - 2031-02-03", text, count=1, flags=re.M
        )
        (tmp_path / name).write_text(text, encoding="utf-8")
    texts = metadata["texts"](tmp_path, "https://example.org/a")
    citation = yaml.safe_load(texts["CITATION.cff"])
    assert (citation["version"], str(citation["date-released"])) == ("9.8.7", "2031-02-03")
    assert citation["repository-code"] == "https://example.org/a"
    codemeta, zenodo = json.loads(texts["codemeta.json"]), json.loads(texts[".zenodo.json"])
    assert codemeta["version"] == zenodo["version"] == "9.8.7"
    assert codemeta["codeRepository"] == "https://example.org/a"
    # once more with another address: it is replaced
    (tmp_path / "CITATION.cff").write_text(texts["CITATION.cff"], encoding="utf-8")
    again = metadata["texts"](tmp_path, "https://example.org/b")["CITATION.cff"]
    assert re.findall("repository-code: (.*)", again) == ["https://example.org/b"]


def test_a_version_without_a_section_of_the_changelog_is_refused(root, metadata):
    with pytest.raises(SystemExit, match=r"CHANGELOG\.md: no section '## \[7\.7\.7\] - DATE'"):
        metadata["cited"]({"version": "7.7.7"}, "## [1.0.0] - 2026-11-29\n", "", "")


def test_zenodo_gets_what_it_requires(root):
    zenodo = json.loads((root / ".zenodo.json").read_text(encoding="utf-8"))
    text = {"type": "string", "minLength": 3}
    related = {
        "required": ["identifier", "relation"],
        "properties": {"relation": {"const": "references"}},
    }
    schema = {
        "required": ["title", "upload_type", "description", "creators", "license", "access_right"],
        "properties": {
            "title": text,
            "upload_type": {"const": "software"},
            "description": {"type": "string", "minLength": 50},
            "creators": {"type": "array", "minItems": 1, "items": {"required": ["name"]}},
            "access_right": {"enum": ["open", "embargoed", "restricted", "closed"]},
            "keywords": {"type": "array", "items": text},
            "related_identifiers": {"type": "array", "minItems": 4, "items": related},
        },
    }
    jsonschema.validate(zenodo, schema)


def test_the_version_is_in_no_other_file(root):
    """Those of other files are written from it, or are the history."""
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    for name in ("README.md", "setup.py", "src/schedlab/__init__.py", "docs/index.md", "Makefile"):
        assert version not in (root / name).read_text(encoding="utf-8"), name


def test_changelog_has_sections_of_its_form_and_room_for_what_comes(root):
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(.+?)\]", text, flags=re.M)
    assert versions[0] == "Unreleased"
    assert len(versions) == len(set(versions))
    headings = set(re.findall(r"^### (.*)", text, flags=re.M))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_what_is_published_was_built_and_tested_by_jobs_before(root):
    release = yaml.safe_load((root / ".github/workflows/release.yml").read_text())
    jobs = release["jobs"]
    assert jobs["publish"]["needs"] == ["check", "wheels", "pages"]
    assert jobs["publish"]["if"] == jobs["show"]["if"] == "github.ref_type == 'tag'"
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    commands = " ".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
    for script in re.findall(r"\.ci/[\w-]+", commands):
        assert (root / script).stat().st_mode & 0o111
    built = tomllib.loads((root / "pyproject.toml").read_text())
    tested = built["tool"]["cibuildwheel"]["test-command"]
    assert (root / tested.removeprefix("{project}/").split()[0]).is_file()
    classifiers = re.findall(r"Python :: 3\.(\d+)", " ".join(built["project"]["classifiers"]))
    assert built["tool"]["cibuildwheel"]["build"] == [f"cp3{minor}-*" for minor in classifiers]
