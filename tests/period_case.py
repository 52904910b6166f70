"""A small trace by weeks, with runs of policies, a space of weights and searches."""

import numpy as np
import pandas as pd

from schedlab.learning.weights.mixed import grid
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.periods import PURE_COLUMNS, Surface
from schedlab.studies.legrand2018.search import SEARCH_COLUMNS
from schedlab.studies.legrand2018.sheet import PeriodExperiment

WEEKS = 6
POLICIES = ("saf", "fcfs", "sqf")
THRESHOLDS = (604_800, 200_000, 72_000)


#: cells of a trace whose log a model replaces
ON_MODEL = {
    "source": "lublin_quick_site",
    "stand_in": "model, 64 processors (stands in for SITE)",
}


def experiment(**changes) -> PeriodExperiment:
    """Return the trace's row of the sheet."""
    cells = {
        "experiment": "site_weeks",
        "label": "SITE",
        "source": "SITE",
        "standin": "lublin_quick_site",
        "processors": 64,
        "cleaning": "rr9212",
        "split": "log_weeks",
        "pieces": WEEKS,
        "train": (2, 4),
        "test": (5, 6),
        "threshold": 200_000,
        "thresholds": THRESHOLDS,
        "policies": POLICIES,
        "dialect": "ocs",
        "tau": 60,
        "thresholds_item": "table3",
        "best_item": "fig2",
        "mixed_item": "fig3",
        "space": (3, 6),
        "space_item": "fig4",
        "search_item": "fig5",
        "months_item": None,
        "sensitivity": True,
    }
    return PeriodExperiment(**cells | changes)


def pure(weeks: int = WEEKS, **values: float) -> pd.DataFrame:
    """Runs in which a policy gives its value in every week and with every threshold."""
    given = {"saf": 2.0, "fcfs": 8.0, "sqf": 4.0} | values
    rows = [
        (pd.NA if threshold is None else threshold, name, week, 100, value)
        for threshold in THRESHOLDS
        for name, value in given.items()
        for week in range(1, weeks + 1)
    ]
    return pd.DataFrame(rows, columns=list(PURE_COLUMNS)).astype(PURE_COLUMNS)


def surface(weeks: int = WEEKS) -> Surface:
    """Return a space in which smallest first is better and each week has its own optimum."""
    weights = grid(6)
    pieces = np.arange(1, weeks + 1)
    values = [3 - weights[:, 0] + 0.1 * (np.arange(len(weights)) != 7 * week) for week in pieces]
    return Surface(weights, pieces, np.array(values).reshape(weeks, len(weights)))


def search(weeks: int = WEEKS) -> pd.DataFrame:
    """Return searches that find 2 with three features and 1.9 with six."""
    rows = [
        (week, features, value, 10, *[1 / 6] * 6)
        for week in range(1, weeks + 1)
        for features, value in ((3, 2.0), (6, 1.9))
    ]
    return pd.DataFrame(rows, columns=list(SEARCH_COLUMNS)).astype(SEARCH_COLUMNS)


def table(weeks: int = WEEKS) -> pd.DataFrame:
    """Mixed and pure policies next to each other."""
    return by_period(surface(weeks), pure(weeks), 200_000, (2, 4))
