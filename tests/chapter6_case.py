"""Shifts of the means of chapter 6, and a schedule whose speedups change."""

import numpy as np
import pandas as pd

from schedlab.studies.kellari2025.tables.chapter6 import METRICS


def shift(scheduler, metric, by):
    return {scheduler: {name: by if name == metric else 0.0 for name in METRICS}}


def example(early=1.2, late=1.0):
    """Return a schedule whose job speedups change half way."""
    end = np.arange(1.0, 101.0)
    speedup = np.where(end <= 50, early, late)
    return pd.DataFrame({"start": end - 1.0, "end": end, "time": speedup, "compact": False})
