"""Jobs of logs and models, cut as derived rows want them: cleaned and split when asked for.

The pieces that a sheet's own rows run on are files of the workflow; those of rows with another
cleaning or split are wanted once, by one job, and are made here in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self

from schedlab.core.splitting import split
from schedlab.files.io import read_parquet
from schedlab.files.sheets import NO_CLEANING
from schedlab.traces.cleaning import clean
from schedlab.traces.fields import LogFields, read_fields

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Source:
    """Where the jobs of a log or a model are.

    Parameters
    ----------
    name : str
        Its name in the registry.
    text : path-like or None
        The fetched log, empty where it is not at hand; None for a model.
    model : path-like or None
        The jobs of the model, or of the one that draws the log; None where none does.
    estimated : bool
        Whether the model that draws the log draws estimates.
    """

    name: str
    text: str | None
    model: str | None
    estimated: bool = False

    @cached_property
    def fields(self) -> LogFields:
        """The log's fields, read once."""
        return read_fields(self.text, self.model, self.estimated)

    def jobs(self, cleaning: str) -> pd.DataFrame:
        """Return the jobs by a rule set; of a model as they are."""
        if cleaning == NO_CLEANING:
            return read_parquet(Path(self.model))
        return clean(self.fields.jobs, cleaning, self.name, self.fields.unix_start)[0]


class Workloads:
    """Pieces by source, cleaning and split; each is made once, by whoever asks first.

    Parameters
    ----------
    sources : mapping of str to Source
        By name.
    """

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self._made: dict[tuple[str, str, str], pd.DataFrame] = {}
        self._lock = Lock()

    @classmethod
    def of(cls, places: Mapping[str, Mapping]) -> Self:
        """Make them of what a job is given: by name, the fields of `Source` but the name."""
        return cls({name: Source(name, **place) for name, place in places.items()})

    def pieces(self, source: str, cleaning: str, cut: str) -> pd.DataFrame:
        """Return the pieces of a log or model, with the column piece; no rows without the log.

        Raises
        ------
        ValueError
            There is no such source, or what `schedlab.traces.cleaning.clean` and
            `schedlab.core.splitting.split` raise.
        """
        if source not in self._sources:
            raise ValueError(f"no jobs of '{source}'; there are {', '.join(self._sources)}")
        key = (source, cleaning, cut)
        with self._lock:
            if key not in self._made:
                self._made[key] = split(self._sources[source].jobs(cleaning), cut)
            return self._made[key]
