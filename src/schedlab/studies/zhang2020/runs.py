"""Runs of random windows under heuristics and a neural policy, with one choice changed at a time.

Input is a row with the source of its jobs, output a row per variant, policy and window.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.metrics import bounded_slowdown
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.policies import Policy, get
from schedlab.policies.features import OWNERS
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.studies.zhang2020.sheet import STUDY, PolicyTrial

if TYPE_CHECKING:
    from schedlab.policies.neural import NeuralPolicy
    from schedlab.traces.sources import Source

READ, RAN = "zhang2020", "zhang2020_ran"
RL = "RL"
#: heuristics of the paper; F1 reads the log's clock, of which `zero` is the window's first
#: submission
HEURISTICS = {
    "FCFS": "fcfs",
    "SJF": "spt",
    "F1": "log10(r) * n + 870 * log10(max(s + {zero}, 1))",
    "WFP3": "wfp3",
    "UNICEF": "unicef",
}
COLUMNS = {
    "experiment": "str",
    "variant": "str",
    "policy": "str",
    "window": "int64",
    "jobs": "int64",
    "slowdown": "float64",
    "phantoms": "int64",
    "phantom_share": "float64",
    "ran_slowdown": "float64",
}


@dataclass(frozen=True)
class Variant:
    """The published setting with a change; `length` None: that of the row."""

    name: str
    dialect: str = "rlscheduler"
    cleaning: str = READ
    length: int | None = None
    exact: bool = False  # requests are the run times
    shuffled: bool = False  # memory, user, group and executable are those of other jobs
    sampled: bool = False  # jobs are sampled from the softmax


BASE = "published"
VARIANTS = (
    Variant(BASE),
    Variant("easy", dialect="full"),
    Variant("ran", cleaning=RAN),
    Variant("easy_ran", dialect="full", cleaning=RAN),
    Variant("shuffled", shuffled=True),
    Variant("ran_shuffled", cleaning=RAN, shuffled=True),
    Variant("sampled", sampled=True),
    Variant("exact", exact=True),
    Variant("length_256", length=256),
    Variant("length_4096", length=4096),
)


def run_trials(
    row: PolicyTrial, source: Source, policy: NeuralPolicy | None, threads: int = 1
) -> pd.DataFrame:
    """Return a row of `COLUMNS` per variant, policy and window; `policy` None: heuristics alone.

    The shares of a window are of the sum over its jobs. Windows of a variant begin at the same
    share of the log, so that those of other lengths or cleanings lie at about the same place.
    """

    @cache
    def jobs_of(cleaning: str) -> pd.DataFrame:
        frame = source.jobs(row.cleaning if row.is_model else cleaning)
        return frame.sort_values(["submit", "number"], kind="stable", ignore_index=True)

    everything, ran = jobs_of(READ), jobs_of(RAN)
    if everything.empty:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    places = generator(STUDY, row.experiment, "windows").random(row.windows)
    bound = policy and policy.of_log(everything)
    known = everything["number"].isin(ran["number"]).to_numpy()
    phantoms = frozenset(everything["number"].to_numpy()[~known].tolist())
    exact = everything["estimate"].equals(everything["runtime"])
    anonymous = bound is None or (bound.owners[[*OWNERS]] == bound.owners[[*OWNERS]].iloc[0]).all(
        axis=None
    )
    # variants that change nothing on this log are left out
    cases = [
        (variant, number, place)
        for variant in VARIANTS
        if not (variant.cleaning == RAN and not phantoms)
        and not (variant.exact and exact)
        and not (variant.shuffled and anonymous)
        for number, place in enumerate(places)
    ]

    def run(case: tuple[Variant, int, float]) -> list[dict[str, Any]]:
        variant, number, place = case
        frame, length = jobs_of(variant.cleaning), variant.length or row.length
        begin = first_job(place, len(frame), length)
        window = frame.iloc[begin : begin + length]
        if variant.exact:
            window = window.assign(estimate=window["runtime"])
        return list(_rows(row, variant, number, window, phantoms, varied(variant, number)))

    def varied(variant: Variant, number: int) -> NeuralPolicy | None:
        if bound is None:
            return None
        if variant.shuffled:
            return shuffled(row.experiment)
        return replace(bound, seed=number) if variant.sampled else bound

    @cache
    def shuffled(experiment: str) -> NeuralPolicy:
        owners = bound.owners.copy()
        order = generator(STUDY, experiment, "owners").permutation(len(owners))
        owners[[*OWNERS]] = owners[[*OWNERS]].to_numpy()[order]
        return replace(bound, owners=owners)

    rows = [each for found in over_threads(run, cases, threads) for each in found]
    return pd.DataFrame(rows)[list(COLUMNS)].astype(COLUMNS)


def first_job(place: float, jobs: int, length: int) -> int:
    """Return the first job of a window at a share of the range that the published program draws.

    That leaves out as many jobs at either end of the log as a window has, if the log is long.
    """
    low, high = length, jobs - length - 1
    if high <= low:
        low, high = 0, max(jobs - length, 0)
    return low + int(place * (high - low))


def _rows(
    row: PolicyTrial,
    variant: Variant,
    number: int,
    window: pd.DataFrame,
    phantoms: frozenset[int],
    policy: NeuralPolicy | None,
) -> Iterator[dict[str, Any]]:
    """Yield the results of a window by policy."""
    zero = int(window["submit"].iloc[0])
    jobs = Jobs.from_frame(window).rebased()
    never_ran = np.array([job in phantoms for job in jobs.number.tolist()])
    policies: dict[str, Policy] = {
        name: get(expression.format(zero=zero)) for name, expression in HEURISTICS.items()
    }
    if policy is not None:
        policies[RL] = policy
    run = partial(Run, jobs, row.processors, dialect=DIALECTS[variant.dialect], reservations="head")
    for name, order in policies.items():
        values = bounded_slowdown(jobs, simulate(run(policy=order)), row.tau)
        total = values.sum()
        yield {
            "experiment": row.experiment,
            "variant": variant.name,
            "policy": name,
            "window": number,
            "jobs": len(jobs),
            "slowdown": total / len(jobs),
            "phantoms": int(never_ran.sum()),
            "phantom_share": values[never_ran].sum() / total,
            "ran_slowdown": values[~never_ran].mean() if not never_ran.all() else np.nan,
        }
