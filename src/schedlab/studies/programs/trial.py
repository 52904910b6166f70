"""From logs to windows, and from found and known policies to their metrics on all windows."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS
from schedlab.core.jobs import Jobs
from schedlab.core.metrics import TAU
from schedlab.files.io import read_parquet
from schedlab.files.threads import over_threads
from schedlab.learning.program_scores import MEASURED, LogWindow, cut_windows
from schedlab.learning.weights.guarded import BACKFILL, learn_weights
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.site_dialect import AsConfigured, SiteSlurm
from schedlab.queue.slurm import refusal

#: windows by part: those of the search, later ones of the same logs, and those of other logs
TRAINING, LATER, OTHER = PARTS = ("training", "later", "other")
#: known schedulers that found expressions are compared with
KNOWN = (
    *("spf", "saf", "f1", "f2", "f3", "f4", "spf_2d", "saf_2d", "f1_2d", "f2_2d", "f3_2d", "f4_2d"),
    *("spf_age", "saf_age", "f1_age", "f2_age", "f4_age", "w_train"),
)
#: sizes of a class, of which the best expression on the training windows is reported
CLASS = 3
FOUND = "found"
COLUMNS = ("part", "log", "window", "scheduler", "expression", *MEASURED)
SITE_COLUMNS = ("slurm", "scheduler", *MEASURED)


def read_logs(
    names: Sequence[str], paths: Sequence[str], processors: Mapping[str, int]
) -> dict[str, tuple[Jobs, int]]:
    """Return the jobs, from 0 on, and the processors of each log."""
    return {
        name: (Jobs.from_frame(read_parquet(path)).rebased(), processors[name])
        for name, path in zip(names, paths, strict=True)
    }


def windows_of(
    part: str, logs: Mapping[str, tuple[Jobs, int]], settings: Mapping[str, Any]
) -> list[LogWindow]:
    """Return the windows of a part of the study; logs without a job are not available."""
    names = settings["test" if part == OTHER else TRAINING]
    half = (0.0, 0.5) if part == TRAINING else (0.5, 1.0)
    most = settings["windows"][TRAINING if part == TRAINING else "test"]
    size, warm_up, least = (settings["windows"][key] for key in ("jobs", "warm_up", "slowdown"))
    return [
        window
        for name in names
        if len(logs[name][0])
        for window in cut_windows(name, *logs[name], size, warm_up, half, least, most)
    ]


def reported(front: pd.DataFrame) -> pd.DataFrame:
    """Return the best expression of each class of sizes: 1 to 3, 4 to 6 and so on."""
    rows = front.sort_values("size").groupby((front["size"] - 1) // CLASS).tail(1)
    return rows.assign(name=[f"{FOUND} {size}" for size in rows["size"]])


def judge(
    front: pd.DataFrame,
    logs: Mapping[str, tuple[Jobs, int]],
    settings: Mapping[str, Any],
    advice: Mapping[str, float],
    points: int,
    threads: int = 1,
) -> pd.DataFrame:
    """Run the reported expressions and the known schedulers on all windows; returns `COLUMNS`.

    w_train is tuned on the first half of each log, whose second half it is judged on.
    """
    windows = [(part, window) for part in PARTS for window in windows_of(part, logs, settings)]
    mixed = {
        log: learn_weights(
            logs[log][0].take(slice(len(logs[log][0]) // 2)),
            *(logs[log][1], points, TAU, advice, threads),
        )
        for log in dict.fromkeys(window.log for _, window in windows)
    }
    expressions = dict(reported(front)[["name", "expression"]].to_numpy().tolist())

    def run(part_and_window: tuple[str, LogWindow]) -> list[tuple]:
        part, window = part_and_window
        orders = {name: (get(text), {}) for name, text in expressions.items()}
        for name in (REFERENCE, *KNOWN):
            known = SCHEDULERS[name]
            orders[name] = (get(known.policy), {"threshold": known.threshold})
        orders["w_train"] = (mixed[window.log], {"backfill": get(BACKFILL)})
        return [
            (part, window.log, window.place, name, order.expression, *window.measure(order, **each))
            for name, (order, each) in orders.items()
        ]

    rows = [row for found in over_threads(run, windows, threads) for row in found]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def try_on_site(expressions: Mapping[str, str], site: SiteSlurm, jobs: Jobs) -> pd.DataFrame:
    """Run orders in the dialect slurm, and as points in the site's own Slurm: `SITE_COLUMNS`.

    The first order is FCFS, then that of the site. The dialect refuses orders that depend on time.
    """
    window = LogWindow("site", 0, jobs, site.site.machine.processors, 0)
    orders = {name: get(text) for name, text in expressions.items()}
    rows = []
    for dialect in (DIALECTS["slurm"], Dialect("site", site=site)):
        first = get(REFERENCE) if dialect.slurm else AsConfigured.of(site.site)
        for name, order in ({REFERENCE: first} | orders).items():
            if not (dialect.slurm and refusal(order)):
                measured = window.measure(order, dialect=dialect, reservations="every")
                rows.append((dialect.name, name, *measured))
    return pd.DataFrame(rows, columns=list(SITE_COLUMNS))
