"""Compare schedulers with a base scheduler in every setting, paired by workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.studies.kellari2025.beyond import ENDS, PAIRED, change

COLUMNS = ["setting", "scheduler", *(f"{metric}_{end}" for metric in PAIRED for end in ENDS)]

if TYPE_CHECKING:
    from collections.abc import Mapping


def gaps(runs: pd.DataFrame, labels: Mapping[str, str], base: str) -> pd.DataFrame:
    """Return the change of each scheduler from a base scheduler (its label), in each setting.

    `runs` and `labels` are as in `beyond.by_setting`. Columns: setting, scheduler, and for slowdown
    and makespan speedup the mean change from `base` in percent over the workloads of the setting,
    with its 95 % interval, as in `by_setting`. A setting whose log is not available has no row.
    """
    rows = []
    for experiment, label in labels.items():
        setting_runs = runs[runs["experiment"] == experiment]
        reference = setting_runs[setting_runs["scheduler"] == base]
        for scheduler, scheduler_runs in setting_runs[setting_runs["scheduler"] != base].groupby(
            "scheduler", sort=False
        ):
            row = {"setting": label, "scheduler": scheduler}
            for metric in PAIRED:
                row |= change(metric, scheduler_runs, reference)
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)
