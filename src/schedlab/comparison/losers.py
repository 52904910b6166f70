"""Jobs that wait longer under a scheduler than under a reference (EASY in the arena)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, Schedule
from schedlab.workbench.results import SIZE_NAMES, SIZES

#: upper ends of the classes of requested time in seconds, and the names of the classes
LENGTHS = {3600: "at most 1 h", 21_600: "1 to 6 h", 86_400: "6 to 24 h"}
LONGER = "over 24 h"
#: smallest number of jobs, and smallest share of all jobs, of a class that is reported
FEWEST, SHARE = 10, 0.005
LOSERS = {"experiment": "str", "scheduler": "str", "longer": "float64", "group": "str"}
LOSERS |= {"jobs": "int64", "wait": "float64", "easy_wait": "float64"}
LOSERS |= {"user": "int64", "user_wait": "float64", "user_easy_wait": "float64"}


def find_losers(
    experiment: str,
    jobs: Jobs,
    users: np.ndarray,
    schedules: Mapping[str, Schedule],
    counted: slice | np.ndarray,
    reference: str,
) -> pd.DataFrame:
    """Return the class of jobs and the user that lose most, for each scheduler.

    `experiment` is the name of the row. Schedules are by scheduler; `reference` is the one that the
    others are compared with, EASY in the arena. Users are integers, negative if unknown; they have
    shape (n,). `counted` are the places of the counted jobs: a slice, or a mask. The columns are
    `LOSERS`, among them:

    - longer: the share of jobs that wait longer than under the reference.
    - group: the class of processors and requested time whose mean wait grows most, with its number
      of jobs and its mean waits in seconds ("" and nan if no class waits longer).
    - user: the known user with at least `FEWEST` jobs whose mean wait grows most (-1: none).
    """
    frame = pd.DataFrame({"group": _groups(jobs.take(counted)), "user": users[counted]})
    frame["easy"] = (schedules[reference].start - jobs.submit)[counted]
    known = slice(None) if (frame["user"] >= 0).all() else frame["user"] >= 0
    least = max(FEWEST, SHARE * len(frame))
    rows = []
    for name, schedule in schedules.items():
        frame["wait"] = (schedule.start - jobs.submit)[counted]
        longer = float((frame["wait"] > frame["easy"]).mean()) if len(frame) else np.nan
        group = _most(frame, "group", least) or ("", 0, np.nan, np.nan)
        user = _most(frame[known], "user", FEWEST) or (-1, 0, np.nan, np.nan)
        rows.append((experiment, name, longer, *group, user[0], *user[2:]))
    return pd.DataFrame(rows, columns=list(LOSERS)).astype(LOSERS)


def _groups(jobs: Jobs) -> pd.Categorical:
    """Return the class of processors and requested time of each job, in order of their names."""
    lengths = [*LENGTHS.values(), LONGER]
    names = [f"{size} processors, {length}" for size in SIZE_NAMES for length in lengths]
    size = np.searchsorted(SIZES, jobs.procs)
    codes = size * len(lengths) + np.searchsorted(list(LENGTHS), jobs.estimate)
    return pd.Categorical.from_codes(codes, names).reorder_categories(sorted(names))


def _most(frame: pd.DataFrame, by: str, least: float) -> tuple[object, ...] | None:
    """Return key, jobs and mean waits of the group whose mean wait grows most, or None."""
    groups = frame.groupby(by, observed=True).agg(
        jobs=("wait", "size"), wait=("wait", "mean"), easy=("easy", "mean")
    )
    groups = groups[(groups["jobs"] >= least) & (groups["wait"] > groups["easy"])]
    if groups.empty:
        return None
    key = (groups["wait"] - groups["easy"]).idxmax()
    return (key, int(groups.loc[key, "jobs"]), *groups.loc[key, ["wait", "easy"]])
