"""Results of comparisons made by hand, and what choices between schedulers are told."""

import pandas as pd

from schedlab.comparison.losers import LOSERS
from schedlab.core.metrics import METRICS

ADVICE = {"longest_wait": 3, "most_loss": 0.1, "late_days": 1, "allow_youth": False}
NO_LOSERS = pd.DataFrame(columns=list(LOSERS)).astype(LOSERS)


def results_of(values, first=0, log="site", **ratios):
    """Results by window of schedulers with fixed ratios to EASY by metric, or by "all" of them."""
    rows = [
        {"experiment": log, "scheduler": name, "window": window, "jobs": 10}
        | {metric: value * own.get(metric, own.get("all", 1.0)) for metric in METRICS}
        for name, own in {"fcfs": {}, **ratios}.items()
        for window, value in enumerate(values, first)
    ]
    return pd.DataFrame(rows)
