"""Deviations of simulated schedules from those of a real Slurm, and spread of the real ones."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import REFEREE, compute_metrics, shown_in
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.simulators import REAL, SIMULATORS, phases_of, simulate_window
from schedlab.studies.referee.windows import NODES

#: starts and ends of a window's jobs, shape (n,) each, by scheduler and number of the run
Runs = dict[tuple[str, int], tuple[np.ndarray, np.ndarray]]


def runs_of(jobs: Jobs, setting: str, replays: Sequence[pd.DataFrame]) -> Runs:
    """Collect the real runs of a window, and simulate it.

    Repetitions are numbered from 1, simulations by their phase in seconds. Raises ValueError if a
    replay has different jobs; the message names the first such job.
    """
    runs: Runs = {}
    for repetition, replay in enumerate(replays, 1):
        _check_same(jobs, replay, f"setting {setting}, repetition {repetition}")
        runs[REAL, repetition] = replay["start"].to_numpy(), replay["end"].to_numpy()
    for how in SIMULATORS:
        for phase in phases_of(how):
            schedule = simulate_window(jobs, NODES, SETTINGS[setting].policy, how, phase)
            runs[how, phase] = schedule.start, schedule.end
    return runs


def _check_same(jobs: Jobs, replay: pd.DataFrame, where: str) -> None:
    if len(replay) != len(jobs):
        raise ValueError(f"{where}: {len(replay)} jobs of {len(jobs)}")
    for name in ("number", "procs"):
        replayed, is_ = replay[name].to_numpy(), getattr(jobs, name)
        if (bad := np.flatnonzero(replayed != is_)).size:
            at = bad[0]
            raise ValueError(
                f"{where}: job {jobs.number[at]}: {name} is {replayed[at]}, not {is_[at]}"
            )


def figures_of(jobs: Jobs, runs: Runs) -> pd.DataFrame:
    """Compute all metrics of every run, those of `REFEREE` first, with the planned submit times.

    Columns: scheduler, run, and the metrics. Jobs are submitted from time 0 on.
    """
    no_users, begin = np.full(len(jobs), -1), int(jobs.submit.min())
    rows = []
    for (scheduler, run), (start, end) in runs.items():
        last = int(np.ceil(end.max()))
        computed = compute_metrics(jobs, no_users, Schedule(start, end), NODES, begin, last)
        first_columns = {name: computed[name] for name in shown_in(REFEREE)}
        rows.append({"scheduler": scheduler, "run": run} | first_columns | computed)
    return pd.DataFrame(rows)


def differences_of(runs: Runs) -> pd.DataFrame:
    """Compare the starts of every run with those of every real one; each real pair counts once.

    Columns: scheduler, run, repetition (the real run of the comparison); difference: the mean over
    jobs of the absolute difference of starts in seconds; correlation of starts (Spearman).
    """
    starts = {key: start for key, (start, _) in runs.items()}
    real = [key for key in starts if key[0] == REAL]
    pairs = [(key, other) for key in starts if key[0] != REAL for other in real]
    rows = [
        (
            *one,
            other[1],
            float(np.abs(starts[one] - starts[other]).mean()),
            float(spearmanr(starts[one], starts[other]).statistic),
        )
        for one, other in [*combinations(real, 2), *pairs]
    ]
    columns = ["scheduler", "run", "repetition", "difference", "correlation"]
    return pd.DataFrame(rows, columns=columns)


def summary(figures: pd.DataFrame, differences: pd.DataFrame) -> pd.DataFrame:
    """Summarize the runs of a window under a setting; a row per scheduler, real Slurm first.

    The tables are from `figures_of` and `differences_of`. Column runs is their number. For each
    metric of `REFEREE`, as prefix of the names: the mean over runs, _low and _high; _deviation of
    the mean from that of the real runs, and _spread from the lowest to the highest run (both in %
    of the real mean); _inside: whether the mean is between the lowest and the highest real run.

    Also the mean difference and correlation of starts, see `differences_of`. For the real Slurm
    they are between its repetitions, nan if there is only one.
    """
    grouped = figures.groupby("scheduler", sort=False)
    columns: dict[str, pd.Series] = {"runs": grouped.size()}
    for name in shown_in(REFEREE):
        mean, low, high = grouped[name].mean(), grouped[name].min(), grouped[name].max()
        real = mean[REAL]
        columns |= {
            name: mean,
            f"{name}_low": low,
            f"{name}_high": high,
            f"{name}_deviation": 100 * (mean / real - 1),
            f"{name}_spread": 100 * (high - low) / real,
            f"{name}_inside": (mean >= low[REAL]) & (mean <= high[REAL]),
        }
    agreement = differences.groupby("scheduler")[["difference", "correlation"]].mean()
    return pd.DataFrame(columns).join(agreement).reset_index()


def ranking(figures: pd.DataFrame) -> pd.DataFrame:
    """Rank settings by their mean wait, in a window; a row per scheduler.

    `figures` are from `figures_of`, of a window under every setting, with the column setting.
    Columns: order: settings by mean wait over runs, the shortest first; tau: Kendall's, between
    that and the real order; same: whether they are identical; runs: number of runs; agreeing: how
    many single runs have the real order.

    Runs of different settings are paired by their numbers, although the real runs are independent.
    A number that some setting lacks does not count.
    """
    means = figures.pivot_table(index="scheduler", columns="setting", values="wait", sort=False)
    real = means.loc[REAL]
    alone = figures.pivot_table(
        index=["scheduler", "run"], columns="setting", values="wait", sort=False
    ).dropna()
    agreeing = alone.apply(_order, axis=1) == _order(real)
    rows = [
        (
            scheduler,
            _order(waits),
            float(kendalltau(waits, real[waits.index]).statistic),
            _order(waits) == _order(real),
            int(agreeing[scheduler].sum()),
            len(agreeing[scheduler]),
        )
        for scheduler, waits in means.iterrows()
    ]
    return pd.DataFrame(rows, columns=["scheduler", "order", "tau", "same", "agreeing", "runs"])


def _order(waits: pd.Series) -> str:
    return " < ".join(waits.sort_values(kind="stable").index)


def evaluate_windows(
    windows: Mapping[str, Jobs], replays: Mapping[tuple[str, str], Sequence[pd.DataFrame]]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Evaluate every window under every setting; return figures, summaries and rankings.

    `windows` are by log, `replays` (real runs) by log and setting. The tables are from `figures_of`
    and `summary` with log and setting as first columns, and `ranking` with log.
    """
    figures, summaries = {}, {}
    for (log, setting), repeated in replays.items():
        runs = runs_of(windows[log], setting, repeated)
        figures[log, setting] = figures_of(windows[log], runs)
        summaries[log, setting] = summary(figures[log, setting], differences_of(runs))
    all_figures, all_summaries = (
        _concatenate(figures, ["log", "setting"]),
        _concatenate(summaries, ["log", "setting"]),
    )
    rankings = {log: ranking(rows) for log, rows in all_figures.groupby("log", sort=False)}
    return all_figures, all_summaries, _concatenate(rankings, ["log"])


def _concatenate(tables: Mapping, names: list[str]) -> pd.DataFrame:
    return pd.concat(tables, names=names).reset_index(level=names).reset_index(drop=True)
