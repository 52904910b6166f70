"""Registries of raw logs and pools: names, addresses, checksums and sizes."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pandas as pd

from schedlab.files.config import ConfigError, read_sheet


@dataclass(frozen=True)
class Entry:
    """One row of a registry, by the name of its log or pool in sheets and paths."""

    name: str
    file: str  # uncompressed; ``FILE.gz``, .xz, .bz2 and .zst are found as well
    urls: tuple[str, ...]  # in the order of attempts
    sha256: str | None
    git_blob: str | None  # used if no sha256 is known
    licence: str
    acknowledge: str


@dataclass(frozen=True)
class LogEntry(Entry):
    """One row of the registry of raw logs.

    `model` draws every job of the log, so that its file can be missing.
    """

    processors: int
    jobs: int | None
    model: str | None = None


@dataclass(frozen=True)
class PoolEntry(Entry):
    """One row of the registry of pools: co-execution times measured on one machine.

    Sockets are per node, cores per socket.
    """

    nodes: int
    sockets: int
    cores: int
    #: a pool has no jobs, and no model draws it
    jobs: ClassVar[None] = None
    model: ClassVar[None] = None


KINDS: dict[str, type[Entry]] = {"log": LogEntry, "pool": PoolEntry}


def read_registry(
    path: str | Path, schema_path: str | Path, kind: type[Entry] = LogEntry
) -> dict[str, Entry]:
    """Read the registry of raw logs (config/traces.tsv) or of pools (config/pools.tsv).

    The JSON schema of rows is workflow/schemas/traces.schema.yaml or pools.schema.yaml. Returns
    entries by name, in the sheet's order. Raises `schedlab.files.config.ConfigError` if a column is
    unknown, a value violates the schema, or a name appears twice.
    """
    registry: dict[str, Entry] = {}
    for row in read_sheet(path, schema_path).to_dict("records"):
        values = {key: None if pd.isna(value) else value for key, value in row.items()}
        entry = kind(**values | {"urls": tuple((values["urls"] or "").split())})
        if entry.name in registry:
            raise ConfigError(f"{path}: column 'name': '{entry.name}' appears twice")
        registry[entry.name] = entry
    return registry
