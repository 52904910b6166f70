"""A run as a Workflow Run RO-Crate, and its tables as a Data Package: two JSON files and copies.

In go the files of a run with how each was made; out comes a folder that can be archived alone.
Sources: RO-Crate 1.1, Workflow Run Crate 0.5, Data Package 1.0.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath

import pandas as pd

from schedlab.files.io import write_text
from schedlab.report.scoreboard import counted

METADATA, PACKAGE = "ro-crate-metadata.json", "datapackage.json"
WORKFLOW = "workflow/Snakefile"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
LICENSE = "https://spdx.org/licenses/BSD-3-Clause"
LIBRARIES = ("schedlab", "snakemake", "numpy", "scipy", "pandas", "pyarrow", "matplotlib")
_SEPARATORS = {".tsv": "\t", ".csv": ","}
_TYPES = {"i": "integer", "f": "number", "b": "boolean"}


@dataclass(frozen=True)
class Copy:
    """File of a run and its place in the crate, with what it is; `rules` made it, in `minutes`.

    Rules are names, the last one's job wrote the file; none if the workflow did not make it.
    Unknown minutes are nan.
    """

    source: str | Path
    place: str
    title: str
    rules: tuple[str, ...] = ()
    minutes: float = float("nan")

    @property
    def is_result(self) -> bool:
        """Whether the workflow made it."""
        return bool(self.rules)


def write_crate(
    folder: str | Path,
    copies: Sequence[Copy],
    logs: Sequence[Mapping],
    facts: Mapping[str, str],
    scoreboard: pd.DataFrame,
    period: tuple[datetime, datetime],
) -> None:
    """Copy the files of a run to a folder, with `METADATA` and `PACKAGE` on them.

    Parameters
    ----------
    folder : path
        Folder of the crate. Files of an earlier crate there are removed.
    copies : sequence of Copy
        What to copy; `WORKFLOW` must be among the places.
    logs : sequence of mapping
        Reports of the logs and pools that were looked for: log, status, source, sha256, urls,
        licence and acknowledge.
    facts : mapping
        commit, command, machine and scale of the run.
    scoreboard : pandas.DataFrame
        The published numbers, whose verdicts are counted.
    period : pair of datetime
        When the first and the last of the files were written.
    """
    folder = Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    for copy in copies:
        place = folder / copy.place
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copy.source, place)
    tables = [copy for copy in copies if PurePosixPath(copy.place).suffix in _SEPARATORS]
    package = data_package(folder, tables, facts["scale"])
    write_text(json.dumps(package, indent=1) + "\n", folder / PACKAGE)
    listed = [*copies, Copy("", PACKAGE, "Columns and checksums of the tables (Data Package)")]
    graph = [
        _descriptor(),
        _root(listed, logs, facts, period),
        _workflow(),
        *_versions(),
        _run(listed, logs, facts, scoreboard, period),
        *(_file(folder, copy) for copy in listed if copy.place != WORKFLOW),
        *_steps(copies),
        *map(_log, logs),
        *_verdicts(scoreboard),
        *({"@id": key, "@type": "CreativeWork", "name": name, "version": key.rpartition("/")[2]}
          for key, name in PROFILES.items()),
    ]  # fmt: skip
    crate = {
        "@context": [
            "https://w3id.org/ro/crate/1.1/context",
            "https://w3id.org/ro/terms/workflow-run/context",
        ],
        "@graph": graph,
    }
    write_text(json.dumps(crate, indent=1) + "\n", folder / METADATA)


def _reference(*keys: str) -> list[dict]:
    return [{"@id": key} for key in keys]


def _descriptor() -> dict:
    return {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": _reference(
            "https://w3id.org/ro/crate/1.1",
            "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
        ),
        "about": {"@id": "./"},
    }


def _root(
    copies: Sequence[Copy],
    logs: Sequence[Mapping],
    facts: Mapping[str, str],
    period: Sequence[datetime],
) -> dict:
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"schedlab {version('schedlab')}: a run at the scale '{facts['scale']}'",
        "description": "Published numbers of batch-scheduling papers with the computed ones, "
        "and how these were made",
        "datePublished": f"{period[1]:%Y-%m-%d}",
        "license": {"@id": LICENSE},
        "conformsTo": _reference(*PROFILES),
        "mainEntity": {"@id": WORKFLOW},
        "hasPart": _reference(
            *(copy.place for copy in copies), *(log["urls"][0] for log in logs if log["urls"])
        ),
        "mentions": _reference(
            "#run", *(f"#make-{copy.place}" for copy in copies if copy.is_result)
        ),
    }


def _workflow() -> dict:
    return {
        "@id": WORKFLOW,
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "schedlab's workflow",
        "version": version("schedlab"),
        "license": {"@id": LICENSE},
        "programmingLanguage": {"@id": "#snakemake"},
        "softwareRequirements": _reference(*(f"#{name}" for name in (*LIBRARIES, "python"))),
    }


def _versions() -> list[dict]:
    """Return the language of the workflow, and libraries and Python with their versions."""
    versions = {name: version(name) for name in LIBRARIES} | {"python": platform.python_version()}
    entities = [
        {"@id": f"#{name}", "@type": "SoftwareApplication", "name": name, "softwareVersion": number}
        for name, number in versions.items()
    ]
    for entity in entities:
        if entity["name"] == "snakemake":
            entity |= {
                "@type": ["ComputerLanguage", "SoftwareApplication"],
                "url": {"@id": "https://snakemake.github.io"},
                "version": entity["softwareVersion"],
            }
    terms = {"@id": LICENSE, "@type": "CreativeWork", "name": "BSD-3-Clause"}
    site = {"@id": "https://snakemake.github.io", "@type": "WebSite", "name": "Snakemake"}
    return [*entities, terms, site]


def _run(
    copies: Sequence[Copy],
    logs: Sequence[Mapping],
    facts: Mapping[str, str],
    scoreboard: pd.DataFrame,
    period: Sequence[datetime],
) -> dict:
    """Return the run of the workflow: what it read, what it made, and its verdicts."""
    read = [copy.place for copy in copies if not copy.is_result and copy.place != WORKFLOW]
    made = [copy.place for copy in copies if copy.is_result]
    return {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"{facts['command']} on {facts['machine']}",
        "description": f"git revision: {facts['commit'] or 'unknown'}",
        "instrument": {"@id": WORKFLOW},
        "object": _reference(*(place for place in read if place != PACKAGE), *map(_key, logs)),
        "result": _reference(*made, PACKAGE),
        "startTime": period[0].isoformat(timespec="seconds"),
        "endTime": period[1].isoformat(timespec="seconds"),
        "additionalProperty": _reference(*(one["@id"] for one in _verdicts(scoreboard))),
    }


def _file(folder: Path, copy: Copy) -> dict:
    content = (folder / copy.place).read_bytes()
    suffix = PurePosixPath(copy.place).suffix
    entity = {
        "@id": copy.place,
        "@type": "File",
        "name": copy.title,
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
        "encodingFormat": {".tsv": "text/tab-separated-values", ".csv": "text/csv"}.get(
            suffix, "application/json" if suffix == ".json" else "text/plain"
        ),
    }
    return entity


def _steps(copies: Iterable[Copy]) -> list[dict]:
    """Return, for each result, the rule that made it, the rules behind it, and their minutes."""
    entities: dict[str, dict] = {}
    for copy in copies:
        if not copy.is_result:
            continue
        *before, rule = copy.rules
        after = f", after {', '.join(before)}" if before else ""
        minutes = "" if math.isnan(copy.minutes) else f", {copy.minutes:.2f} minutes in all"
        entities[f"#rule-{rule}"] = {
            "@id": f"#rule-{rule}",
            "@type": "SoftwareApplication",
            "name": f"rule {rule} of the workflow",
        }
        entities[f"#make-{copy.place}"] = {
            "@id": f"#make-{copy.place}",
            "@type": "CreateAction",
            "name": f"Make {copy.place}",
            "description": f"rule {rule}{after}{minutes}",
            "instrument": {"@id": f"#rule-{rule}"},
            "result": {"@id": copy.place},
        }
    return list(entities.values())


def _key(log: Mapping) -> str:
    """Return the key of a log: its first address, if it has one."""
    return log["urls"][0] if log["urls"] else f"#log-{log['log']}"


def _log(log: Mapping) -> dict:
    entity = {
        "@id": _key(log),
        "@type": "File" if log["urls"] else "CreativeWork",
        "name": log["log"],
        "description": f"{log['status']}; acknowledge: {log['acknowledge']}",
        "conditionsOfAccess": log["licence"],
    }
    if log["sha256"]:
        entity["sha256"] = log["sha256"]
    if log["urls"][1:]:
        entity["sameAs"] = log["urls"][1:]
    return entity


def _verdicts(scoreboard: pd.DataFrame) -> list[dict]:
    return [
        {
            "@id": f"#verdict-{verdict.replace(' ', '-')}",
            "@type": "PropertyValue",
            "name": f"published numbers: {verdict}",
            "value": count,
        }
        for verdict, count in counted(scoreboard).items()
    ]


def data_package(folder: Path, tables: Iterable[Copy], scale: str) -> dict:
    """Return the description of tables in a folder: columns with types, sizes and checksums."""
    return {
        "profile": "tabular-data-package",
        "name": f"schedlab-{scale}",
        "title": "Published numbers of batch-scheduling papers, and the computed ones",
        "version": version("schedlab"),
        "licenses": [{"name": "BSD-3-Clause", "path": LICENSE}],
        "resources": [_resource(folder, table) for table in tables],
    }


def _resource(folder: Path, table: Copy) -> dict:
    place = PurePosixPath(table.place)
    content = (folder / place).read_bytes()
    columns = pd.read_csv(folder / place, sep=_SEPARATORS[place.suffix])
    return {
        "profile": "tabular-data-resource",
        "name": "-".join(place.with_suffix("").parts).lower().replace(".", "-"),
        "title": table.title,
        "path": str(place),
        "format": place.suffix[1:],
        "mediatype": "text/csv" if place.suffix == ".csv" else "text/tab-separated-values",
        "encoding": "utf-8",
        "dialect": {"delimiter": _SEPARATORS[place.suffix]},
        "bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "schema": {
            "fields": [
                {"name": name, "type": _TYPES.get(column.dtype.kind, "string")}
                for name, column in columns.items()
            ],
            "missingValues": ["", "nan", "NaN"],
        },
    }
