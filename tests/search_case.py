"""Hand-made searches of plans of klusacek2016, and rows of their tables."""

import numpy as np
import pandas as pd

from schedlab.studies.klusacek2016.searches import BEFORE, COLUMNS, PLAIN
from schedlab.studies.klusacek2016.tables import searches as tables


def runs(gains, kind=BEFORE, iterations=300, days=None, longest=None):
    """Searches of plans, a day each: before the search, and after so many iterations.

    ``gains`` has a plan's numbers by rule, one of them or one for each seed.
    """
    rows = []
    for rule, values in gains.items():
        for plan, own in enumerate(values):
            day = plan if days is None else days[plan]
            for seed, gain in enumerate(np.atleast_1d(own)):
                known = (kind, plan, day * 86_400 + 5, 30 + plan, rule, seed)
                rows.append((*known, 0, 100.0, 4.0, 50.0, 0.0))
                rows.append((*known, iterations, 80.0, 3.0, 49.0, gain))
                if longest is not None:
                    rows.append((*known, 100_000, 50.0, 2.0, 40.0, longest[plan]))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def comparisons(*rows, kind=BEFORE, iterations=300, gain=0.2):
    """Rows of `compare_searches`: rule, difference and its interval, p."""
    known = {"plans": kind, "iterations": iterations, "kept": 20}
    plain = {"rule": PLAIN, "gain": gain, "gain_low": 0.1, "gain_high": 0.3}
    table = [known | plain | {"better": "", "worse": ""}]
    for rule, difference, low, high, p in rows:
        own = {"rule": rule, "difference": difference, "difference_low": low}
        table.append(known | own | {"difference_high": high, "p": p, "better": 4, "worse": 3})
    return pd.DataFrame(table, columns=tables.COMPARED)
