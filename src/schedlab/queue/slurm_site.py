"""A site's own Slurm as a dialect of the queue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phases:
    """What a log does not tell of a controller: when its periodic work begins, in seconds.

    `clock` is the time of its clock at second 0: predicted ends and reservations are at its half
    minutes and minutes.
    """

    backfill: int = 0
    main: int = 0
    priority: int = 0
    clock: int = 0
