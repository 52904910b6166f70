"""Compute the boxes of figures 4 to 9."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.cbook import boxplot_stats

from schedlab.studies.carastan2017.names import POLICY_COLUMNS


def boxes(sheet: pd.DataFrame, sequences: pd.DataFrame, custom: Iterable[str] = ()) -> pd.DataFrame:
    """Return the boxes of a boxplot figure: one row per experiment and policy."""
    custom = tuple(custom)
    labels = POLICY_COLUMNS | {name: name for name in custom}
    rows = []
    for name, experiment in sheet.iterrows():
        head = {
            "experiment": name,
            "panel": experiment["figure"][-1],
            "title": experiment["label"],
            "dialect": experiment["dialect"],
        }
        run = sequences[sequences["experiment"] == name].sort_values("piece")
        if run.empty:
            rows.append(head | {"policy": "", "n": 0})
        for policy, label in labels.items() if len(run) else ():
            values = run.loc[run["policy"] == policy, "avebsld"].to_numpy(dtype=float)
            if len(values) or policy not in custom:
                rows.append(head | {"policy": label} | _box(values))
    return pd.DataFrame(rows)


def _box(values: np.ndarray) -> dict:
    """Return quartiles, Tukey whiskers and outliers of `values`."""
    stats = boxplot_stats(values, whis=1.5)[0]
    return {
        "n": len(values),
        "q1": stats["q1"],
        "median": stats["med"],
        "q3": stats["q3"],
        "whisker_low": stats["whislo"],
        "whisker_high": stats["whishi"],
        "outliers": _join_numbers(np.sort(stats["fliers"])),
        "values": _join_numbers(values),
    }


def _join_numbers(values: Iterable[float]) -> str:
    return ";".join(f"{value:.6f}" for value in values)
