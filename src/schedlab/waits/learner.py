"""A learner of waiting times for your submission script, with one state for each geometry.

Your script knows when the next stage of its work is needed: how early must it be submitted? It asks
for an estimate, submits the job that much earlier, and reports the real wait when the job has
started. Each of these calls may come from another run of the script, possibly at the same time, so
the state is kept in a file.

>>> import tempfile, pathlib
>>> state = pathlib.Path(tempfile.mkdtemp(), "waits.json")  # ~/.local/state/waits.json
>>> from schedlab.waits.learner import Geometry, Learner
>>> geometry = Geometry("cluster", cores=112)
>>> early = Learner(path=state).estimate(geometry)  # seconds before the stage is needed
>>> Learner(path=state).observe(geometry, wait=900, estimate=early)

After some jobs with waits of about 900 s most estimates are near, and some still try others:

>>> learner = Learner(path=state)
>>> for wait in (870, 930, 915, 880, 900, 905, 890, 910, 920, 900):
...     learner.observe(geometry, wait, learner.estimate(geometry))
>>> chance = learner.chances(geometry)
>>> max(chance, key=chance.get)
900

All processes that use the same file share its states: two workflows that submit jobs of 112 cores
to one cluster learn from each other (souza2020, section 4.3).
"""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from schedlab.core.streams import generator
from schedlab.kernels.waits.learning import play
from schedlab.waits.algorithm import Learners
from schedlab.waits.settings import Settings
from schedlab.waits.store import Records, Store

#: no pending estimate
NONE = -1
#: number of last waits that are kept by geometry
KEPT = 200


@dataclass(frozen=True, order=True)
class Geometry:
    """The properties that jobs share if the wait of one is informative for another.

    `system` is a machine, or one of its queues. `limit` names a class of requested times, such as
    ``4h`` for those up to four hours; without one, the requested time does not matter. Raises
    ValueError if the system has no name, or the number of requested cores is not a whole number of
    at least 1.
    """

    system: str
    cores: int
    limit: str = ""

    def __post_init__(self) -> None:
        if not self.system:
            raise ValueError("geometry: the system has no name")
        if isinstance(self.cores, bool) or self.cores != int(self.cores) or self.cores < 1:
            raise ValueError(f"geometry: {self.cores!r} cores, must be a whole number from 1 on")

    def __str__(self) -> str:
        limit = f"/limit={self.limit}" if self.limit else ""
        return f"{self.system}{limit}/{self.cores}"


@dataclass
class _Known:
    learners: Learners
    stream: np.random.Generator
    drawn: int = 0
    pending: int = NONE
    waits: list[float] = field(default_factory=list)

    def uniform(self, count: int) -> np.ndarray:
        """Draw the geometry's next random numbers: shape (1, count)."""
        self.drawn += count
        return self.stream.random((1, count))

    def observe(self, place: int, wait: float, uniform: np.ndarray) -> None:
        """Let the learner observe a wait for which an alternative was estimated."""
        self.waits = [*self.waits, float(wait)][-KEPT:]
        learners, settings = self.learners, self.learners.settings
        rounds = play(
            learners.chance[0], learners.loss[0], learners.last[0], int(learners.rounds[0]),
            np.array(settings.alternatives, dtype=float), settings.rate, settings.power,
            settings.draws, settings.redraws,
            np.ones(1, dtype=np.uint8), np.zeros(1, dtype=np.int64), np.array([float(wait)]),
            uniform[0], np.array([place], dtype=np.int32),
        )  # fmt: skip
        state = learners.chance, learners.loss, learners.last, np.array([rounds])
        self.learners = Learners(settings, *state)


class Learner:
    """Estimates of waits by geometry, learned with Algorithm 1 (souza2020, section 3.2).

    Parameters
    ----------
    settings : Settings, optional
        Alternatives, policy and rates; those of the paper's runs by default.
    key : tuple of str or int, default ("asa",)
        Key of the random streams, to which system and cores of the geometry are added. The same key
        gives the same estimates for the same waits, whatever happens in other geometries.
    path : path-like, optional
        File that keeps the state; without one it is gone with the learner. Read and written at
        every call, so that any number of scripts may use it at a time.

    Raises
    ------
    schedlab.files.io.DamagedError, schedlab.waits.store.StoreError, TimeoutError
        From any method: the file is damaged, has another format or other settings (the key is one
        of them), or other processes keep it locked. The message states what to do.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        key: tuple[str | int, ...] = ("asa",),
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        self.settings = Settings() if settings is None else settings
        self.key = tuple(key)
        self._known: dict[Geometry, _Known] = {}
        settings_of_file = asdict(self.settings) | {"key": self.key}
        self._store = None if path is None else Store(path, settings_of_file)

    def estimate(self, geometry: Geometry) -> int:
        """Estimate the wait of a job submitted now, in seconds."""
        with self._changing(geometry) as geometry_state:
            place = geometry_state.learners.choose(geometry_state.uniform(self.settings.draws))
            geometry_state.pending = int(place[0])
        return self.settings.alternatives[geometry_state.pending]

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn from the wait, in seconds, of a job that has started.

        `estimate` is the estimate for this job; it is needed if jobs of one geometry overlap. By
        default it is the geometry's last estimate without an observation. If there is none, an
        alternative is drawn now, so that you can train the learner with past waits. Raises
        ValueError if the wait is negative or not a number, or the estimate is not one of the
        alternatives.
        """
        if not 0 <= wait < math.inf:
            raise ValueError(f"{geometry}: a wait of {wait} s, must be a number from 0 on")
        if estimate is not None and estimate not in self.settings.alternatives:
            raise ValueError(f"{geometry}: {estimate} s is none of the alternatives")
        with self._changing(geometry) as geometry_state:
            if estimate is not None:
                place = self.settings.alternatives.index(estimate)
                if geometry_state.pending == place:
                    geometry_state.pending = NONE
            elif geometry_state.pending != NONE:
                place, geometry_state.pending = geometry_state.pending, NONE
            else:
                place = int(
                    geometry_state.learners.choose(geometry_state.uniform(self.settings.draws))[0]
                )
            geometry_state.observe(place, wait, geometry_state.uniform(self.settings.redraws))

    def chances(self, geometry: Geometry) -> dict[int, float]:
        """Return the probability of each alternative, by its seconds."""
        geometry_state = (
            self._loaded(geometry, self._store.read()) if self._store else self._state_of(geometry)
        )
        return dict(
            zip(self.settings.alternatives, geometry_state.learners.chance[0].tolist(), strict=True)
        )

    def waits(self, geometry: Geometry) -> list[float]:
        """Return the last waits of a geometry, at most `KEPT`, in seconds and in their order."""
        if self._store is None:
            return self._state_of(geometry).waits
        return (_record_of(geometry, self._store.read()) or {}).get("waits", [])

    @contextmanager
    def _changing(self, geometry: Geometry) -> Iterator[_Known]:
        """Yield the state of a geometry, and store its changes."""
        if self._store is None:
            self._known[geometry] = geometry_state = self._state_of(geometry)
            yield geometry_state
            return
        with self._store.change() as records:
            geometry_state = self._loaded(geometry, records)
            yield geometry_state
            records[str(geometry)] = _record(geometry_state)

    def _state_of(self, geometry: Geometry) -> _Known:
        return self._known.get(geometry) or self._loaded(geometry, {})

    def _loaded(self, geometry: Geometry, records: Records) -> _Known:
        """Return the state of a geometry; a class of requested times begins with what has none."""
        # without the class, so that it goes on with the numbers that follow the former ones
        stream = generator(*self.key, geometry.system, geometry.cores)
        record = _record_of(geometry, records)
        if record is None:
            return _Known(Learners.fresh(self.settings, 1), stream)
        # the n-th number of a stream must not depend on how often the state was read in between
        stream.bit_generator.advance(record["drawn"])
        columns = (np.array([record[name]]) for name in ("chance", "loss", "last", "rounds"))
        learners = Learners(self.settings, *columns)
        # files of former versions have no waits
        waits = record.get("waits", [])
        return _Known(learners, stream, record["drawn"], record["pending"], waits)


def _record_of(geometry: Geometry, records: Records) -> dict[str, Any] | None:
    """Return the record of a geometry; without one, that of its cores with any requested time."""
    return records.get(str(geometry)) or records.get(str(replace(geometry, limit="")))


def _record(geometry_state: _Known) -> dict[str, Any]:
    """Return the state of a geometry as JSON-compatible values."""
    learners = geometry_state.learners
    return {
        "rounds": int(learners.rounds[0]),
        "drawn": geometry_state.drawn,
        "pending": geometry_state.pending,
        "chance": learners.chance[0].tolist(),
        "loss": learners.loss[0].tolist(),
        "last": learners.last[0].tolist(),
        "waits": geometry_state.waits,
    }
