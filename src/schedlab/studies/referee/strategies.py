"""A workflow by each strategy on a real Slurm, compared with the simulation of the same load."""

from collections.abc import Mapping

import pandas as pd

#: log whose window is the background load, and submit times of the workflow in seconds
LOG, INSTANTS = "KTH-SP2", (1500, 4000, 6500)
HOUR = 3600
KINDS = ("real", "simulated")
COLUMNS = ("perceived", "makespan", "core_hours", "idle_core_hours", "resubmitted")


def per_run(stages: pd.DataFrame) -> pd.DataFrame:
    """Aggregate the stages of each run, from `schedlab.slurm.background_load`.

    Columns, by run: perceived and makespan in seconds; core_hours of the stages, idle_core_hours of
    allocations that started too early, resubmitted (number of resubmissions of stages).
    """
    runs = stages.groupby("run")
    return pd.DataFrame(
        {
            "perceived": runs["perceived"].sum(),
            "makespan": runs["end"].max() - runs["at"].first(),
            "core_hours": runs["core_seconds"].sum() / HOUR,
            "idle_core_hours": runs["idle_core_seconds"].sum() / HOUR,
            "resubmitted": runs["resubmitted"].sum(),
        }
    )


def strategies_table(stages: Mapping[tuple[str, str], pd.DataFrame]) -> pd.DataFrame:
    """Compare real runs with simulated ones.

    `stages` has the stages of each strategy's runs, for each of `KINDS`. A row for each strategy
    and run, and one with its means: strategy, run ("1", …, "mean"), and each of `COLUMNS` real and
    simulated.
    """
    rows = []
    for strategy in dict.fromkeys(strategy for strategy, _ in stages):
        sides = {kind: per_run(stages[strategy, kind])[list(COLUMNS)] for kind in KINDS}
        for run in sides["real"].index:
            cells = {kind: side.loc[run] for kind, side in sides.items()}
            rows.append(_row(strategy, str(run), cells))
        rows.append(_row(strategy, "mean", {kind: side.mean() for kind, side in sides.items()}))
    return pd.DataFrame(rows)


def _row(strategy: str, run: str, cells: Mapping[str, pd.Series]) -> dict[str, object]:
    values = {f"{name}_{kind}": cells[kind][name] for name in COLUMNS for kind in KINDS}
    return {"strategy": strategy, "run": run} | values
