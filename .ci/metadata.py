"""Write version and date to CITATION.cff, and codemeta.json and .zenodo.json from it.

usage: python .ci/metadata.py [--check] [--repository ADDRESS]

pyproject.toml has the version, CHANGELOG.md its date, CITATION.cff all that is cited. A release
names the repository, which no file here does: a fork has another one.
"""

import argparse
import json
import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]


def cited(project: dict, changelog: str, citation: str, repository: str) -> str:
    """Return CITATION.cff with the version of pyproject.toml and its date in the changelog."""
    version = project["version"]
    released = re.search(rf"^## \[{re.escape(version)}\] - (\S+)$", changelog, re.M)
    if not released:
        raise SystemExit(
            f"CHANGELOG.md: no section '## [{version}] - DATE', the version to release"
        )
    citation = re.sub(r"(?m)^version: .*$", f"version: {version}", citation)
    citation = re.sub(r"(?m)^date-released: .*$", f"date-released: {released[1]}", citation)
    if repository:
        citation = re.sub(r"(?m)^repository-code: .*\n", "", citation)
        citation = re.sub(r"(?m)^(license: .*)$", rf"\1\nrepository-code: {repository}", citation)
    return citation


def address_of(paper: dict) -> str:
    """Return the DOI or the address of a paper; empty if it has none."""
    return f"https://doi.org/{paper['doi']}" if "doi" in paper else paper.get("url", "")


def codemeta(project: dict, citation: dict) -> dict:
    """Return the description of the software in the terms of CodeMeta 3.0."""
    description = {
        "@context": "https://w3id.org/codemeta/3.0",
        "type": "SoftwareSourceCode",
        "name": project["name"],
        "description": citation["abstract"],
        "version": citation["version"],
        "dateModified": str(citation["date-released"]),
        "license": f"https://spdx.org/licenses/{project['license']}",
        "author": [{"type": "Organization", "name": one["name"]} for one in citation["authors"]],
        "keywords": citation["keywords"],
        "programmingLanguage": ["Python", "Cython"],
        "runtimePlatform": f"CPython {project['requires-python']}",
        "operatingSystem": ["Linux", "macOS"],
        "softwareRequirements": project["dependencies"],
        "referencePublication": [
            {"type": "ScholarlyArticle", "name": paper["title"]}
            | ({"url": address} if (address := address_of(paper)) else {})
            for paper in citation["references"]
        ],
    }
    if "repository-code" in citation:
        description["codeRepository"] = citation["repository-code"]
    return description


def zenodo(project: dict, citation: dict) -> dict:
    """Return what Zenodo asks for at a release."""
    return {
        "title": f"{project['name']}: {project['description']}",
        "upload_type": "software",
        "version": citation["version"],
        "publication_date": str(citation["date-released"]),
        "description": citation["abstract"],
        "license": project["license"],
        "access_right": "open",
        "creators": [{"name": one["name"]} for one in citation["authors"]],
        "keywords": citation["keywords"],
        "related_identifiers": [
            {"identifier": address, "relation": "references"}
            for paper in citation["references"]
            if (address := address_of(paper))
        ],
        "references": [paper["title"] for paper in citation["references"]],
    }


def texts(root: Path, repository: str = "") -> dict[str, str]:
    """Return the text of each file that this script writes, by its name."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = [(root / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")]
    text = cited(project, *files, repository)
    citation = yaml.safe_load(text)
    described = {"codemeta.json": codemeta, ".zenodo.json": zenodo}
    return {"CITATION.cff": text} | {
        name: json.dumps(describe(project, citation), indent=2, ensure_ascii=False) + "\n"
        for name, describe in described.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repository", default="", help="address of the repository")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if one is stale")
    options = parser.parse_args()
    written = texts(ROOT, options.repository)
    stale = [
        name
        for name, text in written.items()
        if not (ROOT / name).is_file() or (ROOT / name).read_text(encoding="utf-8") != text
    ]
    if options.check and stale:
        raise SystemExit(f"stale: {', '.join(stale)}; run python .ci/metadata.py")
    for name in stale:
        (ROOT / name).write_text(written[name], encoding="utf-8")
