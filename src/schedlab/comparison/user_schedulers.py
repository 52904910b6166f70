"""User-defined schedulers in the arena: expressions, and functions in Python files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.files.config import ConfigError
from schedlab.policies.functions import decides
from schedlab.policies.neural import policy_in_file
from schedlab.policies.published import find_published, policy_named, published
from schedlab.policies.user_files import is_place
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.slurm import default_reservations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    import pandas as pd

    from schedlab.comparison.settings import ContestSettings
    from schedlab.core.jobs import Jobs, Schedule
    from schedlab.policies import Policy
    from schedlab.queue.dialects import Dialect


def user_policies(
    schedulers: Iterable[str], custom: Mapping[str, str], frame: pd.DataFrame
) -> dict[str, Policy]:
    """Return the user-defined policies that run on a log, by name.

    Of `schedulers` only those of the form ``file.py:function``, or files with a network, count;
    `custom` has an expression, or such a file, by name. They receive users and queues of `frame`,
    the clean jobs of the log. Raises ValueError if a file cannot be run, or its function cannot
    schedule; the message names the place.
    """
    places = {name: name for name in schedulers if is_place(name)}
    policies: dict[str, Policy] = {}
    for name, text in (places | dict(custom)).items():
        if name in published():
            policy: Policy = find_published(name, [Path(text).parent])
        else:
            policy = policy_named(text, name)
        policies[name] = policy.of_log(frame)
    return policies


def run_user_policy(
    processors: int, policy: Policy, dialect: Dialect, jobs: Jobs, users: np.ndarray
) -> Schedule:
    """Run a log with EASY and the order, or with the decisions of a function that makes them."""
    reservations = None if decides(policy) else default_reservations(dialect)
    run = Run(jobs, processors, policy, dialect=dialect, reservations=reservations)
    return simulate(run)


def check_user_schedulers(
    rows: Iterable[ContestSettings], path: str | Path, config: Mapping[str, Any]
) -> None:
    """Check that the functions of a configuration and of a sheet can be loaded.

    `path` is the sheet, for messages; in the configuration ``arena.schedulers`` maps names to
    functions. Raises ConfigError if a file cannot be run, its function cannot schedule, or a name
    is already used.
    """
    for name, place in config["arena"]["schedulers"].items():
        where = f"configuration: key 'arena.schedulers.{name}'"
        if name in SCHEDULERS or name in config["policies"]:
            raise ConfigError(f"{where}: there is a scheduler '{name}' already; rename yours")
        _load(place, where)
    for row in rows:
        for name in filter(is_place, row.schedulers):
            _load(name, f"{path}: experiment '{row.experiment}': column 'schedulers'")


def _load(place: str, where: str) -> None:
    try:
        policy_in_file(place)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error
