"""A site's own Slurm as a dialect of the queue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phases:
    """What a log does not tell of a controller: when its periodic work begins, in seconds.

    `clock` is the time of its clock at second 0: predicted ends and reservations are at its half
    minutes and minutes. `passes` are times of backfill passes, in place of periodic ones. `passes`: times of backfill passes, in place of periodic ones.
    """

    backfill: int = 0
    main: int = 0
    priority: int = 0
    clock: int = 0
    passes: tuple[int, ...] = ()
