"""Jobs of logs and models for derived rows, cleaned and split on request, in memory.

The workflow has files with the pieces for the rows of the sheet. The pieces of derived rows with
another cleaning or split are used by one job only and computed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Self

import pandas as pd

from schedlab.core.splitting import split
from schedlab.files.io import read_parquet
from schedlab.files.sheets import NO_CLEANING
from schedlab.traces.cleaning import clean
from schedlab.traces.fields import LogFields, read_fields


@dataclass(frozen=True)
class Source:
    """Locations of the jobs of a log or a model, by its name in the registry.

    `text` is the fetched log, empty if it is not available; None for a model. `model` has the jobs
    of the model, or of the model that draws the log; None if there is no model. `estimated` states
    whether the model that draws the log draws estimates.
    """

    name: str
    text: str | None
    model: str | None
    estimated: bool = False

    @cached_property
    def fields(self) -> LogFields:
        """Fields of the log, read once."""
        assert self.text is not None
        return read_fields(self.text, self.model, self.estimated)

    def jobs(self, cleaning: str) -> pd.DataFrame:
        """Return the jobs, cleaned by a rule set; a model's jobs stay unchanged."""
        if cleaning == NO_CLEANING:
            assert self.model is not None
            return read_parquet(Path(self.model))
        return clean(self.fields.jobs, cleaning, self.name, self.fields.unix_start)[0]


class Workloads:
    """Pieces by source, cleaning and split; each is computed at its first request."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._made: dict[tuple[str, str, str], pd.DataFrame] = {}
        self._lock = Lock()

    @classmethod
    def of(cls, places: Mapping[str, Mapping[str, Any]]) -> Self:
        """Create them from the parameters of a job: the fields of `Source`, by name."""
        return cls({name: Source(name, **place) for name, place in places.items()})

    def pieces(self, source: str, cleaning: str, cut: str) -> pd.DataFrame:
        """Return the pieces of a log or model, with the column piece; no rows without the log."""
        if source not in self._sources:
            raise ValueError(f"no jobs of '{source}'; there are {', '.join(self._sources)}")
        key = (source, cleaning, cut)
        with self._lock:
            if key not in self._made:
                self._made[key] = split(self._sources[source].jobs(cleaning), cut)
            return self._made[key]
