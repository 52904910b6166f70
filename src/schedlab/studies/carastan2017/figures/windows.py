"""Write pages that show one window of Table 4 job by job, under FCFS and the best policy."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from schedlab.comparison.sequences import schedules_of
from schedlab.core.jobs import jobs_by_piece
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.stand_ins import NOTE, is_stand_in
from schedlab.policies import get
from schedlab.studies.carastan2017.names import DIALECT_WORDS, POLICY_COLUMNS
from schedlab.workbench.explorer import write_explorer, write_notice

REFERENCE = "fcfs"
BACK = ("../carastan2017.html", "carastan2017")


def choose_window(metrics: pd.DataFrame) -> tuple[str, int]:
    """Choose the policy and the window of an experiment that its page shows."""
    table = metrics.pivot(index="piece", columns="policy", values="avebsld")
    medians = table.drop(columns=REFERENCE).median()
    reference = table[REFERENCE].sort_values(kind="stable")
    order = list(dict.fromkeys(metrics["policy"]))
    best = min(medians.index, key=lambda name: (medians[name], order.index(name)))
    return best, int(reference.index[(len(reference) - 1) // 2])


def explore_window(
    frame: pd.DataFrame, metrics: pd.DataFrame, settings: Mapping, label: str, path: str | Path
) -> None:
    """Write the .html page of an experiment's window under FCFS and the best policy."""
    if not len(metrics):
        write_notice(path, f"{label}: {NOT_AVAILABLE}", BACK)
        return
    best, window = choose_window(metrics)
    rows = frame[frame["piece"] == window]
    jobs = jobs_by_piece(rows, settings["decisions"] == "actual")[window]
    policies = {POLICY_COLUMNS.get(name, name): get(name) for name in (REFERENCE, best)}
    schedules = schedules_of(jobs, settings, policies)
    write_explorer(
        path,
        jobs,
        schedules,
        settings["processors"],
        title=f"Table 4, {label}: {' and '.join(schedules)}",
        note=(
            f"{NOTE * is_stand_in(label)}Window {window} (from 0), in which FCFS has the median "
            "of its windows. Of the other policies, "
            f"{POLICY_COLUMNS.get(best, best)} has the lowest median. "
            f"{DIALECT_WORDS[settings['dialect']].capitalize()}, decisions on "
            f"{settings['decisions']} run times, "
            f"backfilling {settings['backfill']}. Table 4 does not count the first "
            f"{settings['head']} jobs."
        ),
        back=BACK,
    )
