"""From logs to windows, and from found and known policies to their metrics on all windows."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd

from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS
from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import TAU
from schedlab.files.io import read_parquet
from schedlab.learning.program_scores import MEASURED, LogWindow, cut_windows, metrics_of
from schedlab.learning.weights.guarded import BACKFILL, learn_weights
from schedlab.policies import Policy, get
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.simulation import Run, simulate_many
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


def training_windows(
    logs: Mapping[str, tuple[Jobs, int]], settings: Mapping[str, Any]
) -> list[LogWindow]:
    """Return the windows of the search, in first halves; logs without a job are not available."""
    size, warm_up, least, most = (
        settings["windows"][key] for key in ("training_jobs", "warm_up", "slowdown", "training")
    )
    return [
        window
        for name in settings[TRAINING]
        if len(logs[name][0])
        for window in cut_windows(name, *logs[name], size, warm_up, (0.0, 0.5), least, most)
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
    networks: Mapping[str, Mapping[str, Policy]] = MappingProxyType({}),
) -> pd.DataFrame:
    """Run the reported expressions and the known schedulers; returns `COLUMNS`.

    The training windows are those of the search. Each log also runs as a whole, and the windows of
    its second half begin with the queue that the previous one left; those in which no job waits
    under EASY are left out. w_train is tuned on the first half of each log; `networks` are neural
    policies by log and name.
    """
    rows, of_search = [], defaultdict(list)
    for window in training_windows(logs, settings):
        of_search[window.log].append(window)
    expressions = dict(reported(front)[["name", "expression"]].to_numpy().tolist())
    for log in [name for name in logs if len(logs[name][0])]:
        jobs, processors = logs[log]
        half, size = len(jobs) // 2, settings["windows"]["jobs"]
        tuned = learn_weights(jobs.take(slice(half)), processors, points, TAU, advice, threads)
        orders = {name: (get(text), {}) for name, text in expressions.items()}
        for name in (REFERENCE, *KNOWN):
            known = SCHEDULERS[name]
            orders[name] = (get(known.policy), {"threshold": known.threshold})
        orders["w_train"] = (tuned, {"backfill": get(BACKFILL)})
        orders |= {name: (policy, {}) for name, policy in networks.get(log, {}).items()}
        runs = [
            Run(jobs, processors, order, **{"reservations": "head"} | options)
            for order, options in orders.values()
        ]
        pieces = [slice(begin, begin + size) for begin in range(half, len(jobs) - size + 1, size)]
        counted = [jobs.take(piece) for piece in pieces]
        late = {
            name: [
                metrics_of(some, Schedule(schedule.start[piece], schedule.end[piece]))
                for piece, some in zip(pieces, counted, strict=True)
            ]
            for name, schedule in zip(orders, simulate_many(runs, threads), strict=True)
        }
        least = settings["windows"]["slowdown"]
        busy = [place for place, values in enumerate(late[REFERENCE]) if values[0] >= least]
        part = LATER if log in settings[TRAINING] else OTHER
        for name, (order, options) in orders.items():
            early = [(each.place, each.measure(order, **options)) for each in of_search[log]]
            for window, values in early:
                rows.append((TRAINING, log, window, name, order.expression, *values))
            for place in busy:
                values = late[name][place]
                rows.append((part, log, pieces[place].start, name, order.expression, *values))
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
        for name, order in ({first.label: first} | orders).items():
            if not (dialect.slurm and refusal(order)):
                measured = window.measure(order, dialect=dialect, reservations="every")
                rows.append((dialect.name, name, *measured))
    return pd.DataFrame(rows, columns=list(SITE_COLUMNS))
