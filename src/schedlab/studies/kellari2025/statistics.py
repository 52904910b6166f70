"""Statistics of chapter 6 of kellari2025, published or computed, which its claims.tsv names.

A claim about means is also tested on the thesis's own tables, because some do not follow from them.
The published tables decide alone. Computed runs decide by resamples of their workloads, on which
all schedulers ran (`schedlab.report.claims.decide`). A single schedule decides by resamples of its
time spans, in blocks of neighbors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from sys import modules
from typing import Annotated

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from schedlab.core.intervals import block_length, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.cosched.timelines import speedup_bins
from schedlab.report.claims import (
    FEWEST,
    RESAMPLES,
    Claim,
    Facts,
    Interval,
    Sample,
    StandIn,
    check,
    read_claims,
)
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.studies.kellari2025.inputs import Table6Runs, kept, runs_of
from schedlab.studies.kellari2025.published import is_stand_in, read_table6
from schedlab.studies.kellari2025.sheet import PAPER
from schedlab.studies.kellari2025.tables.chapter6 import (
    COMPACT,
    METRICS,
    SCHEDULERS,
    on_front,
    read_runs,
    run_on,
)

CO = [name for name in SCHEDULERS if name not in COMPACT]
#: groups of schedulers among which a claim ranks
GROUPS = {"all": SCHEDULERS, "co-schedulers": CO}

#: means by metric and scheduler
Means = Mapping[str, Mapping[str, float]]

# The input of a statistic: means by metric and scheduler, runs, or one schedule.
MEANS, RUNS, EXAMPLE = "means", "runs", "example"


class Runs:
    """The metrics of all schedulers on the same workloads, of which tests take resamples.

    By metric: shape (workloads, schedulers), in the order of `SCHEDULERS`.
    """

    def __init__(self, values: Mapping[str, np.ndarray]) -> None:
        self.values = values

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Runs:
        """Take runs with speedups, one row per scheduler and workload."""
        metrics = [name for name in (*METRICS, "makespan") if name in frame]
        wide = frame.pivot(index="workload", columns="scheduler", values=metrics)
        return cls(
            {name: wide[name].reindex(columns=SCHEDULERS).to_numpy(float) for name in metrics}
        )

    def __getitem__(self, metric: str) -> np.ndarray:
        """Return the values of a metric."""
        return self.values[metric]

    def __len__(self) -> int:
        """Return the number of workloads."""
        return len(next(iter(self.values.values())))

    def means(self) -> dict[str, dict[str, float]]:
        """Return the means over the workloads, by metric and scheduler."""
        return {
            name: dict(zip(SCHEDULERS, values.mean(axis=0).tolist(), strict=True))
            for name, values in self.values.items()
        }

    def resampled(self) -> Iterator[Runs]:
        """Yield resamples of the workloads, each with all its schedulers."""
        for places in _places(len(self), "workloads"):
            yield Runs({name: values[places] for name, values in self.values.items()})

    def front(self, x: str, y: str) -> Counter[str]:
        """Return how many points of each scheduler are on the front of two metrics."""
        optimal = on_front(x, y, self[x].ravel(), self[y].ravel()).reshape(self[x].shape)
        counts = dict(zip(SCHEDULERS, optimal.sum(axis=0).tolist(), strict=True))
        return Counter({name: count for name, count in counts.items() if count})

    def correlation(self, first: str, second: str) -> tuple[float, float]:
        """Return Pearson's and Spearman's coefficients of two metrics over all runs."""
        pair = [self[first].ravel(), self[second].ravel()]
        return np.corrcoef(pair)[0, 1], np.corrcoef([rankdata(each) for each in pair])[0, 1]


def _ranked(values: Mapping[str, float], among: str, order: str) -> list[dict]:
    names = sorted(GROUPS[among], key=values.__getitem__, reverse=order == "largest")
    return [{"scheduler": name, "value": values[name]} for name in names]


def _leaders(ranked: Sequence[Mapping], skip: int, count: int) -> Facts:
    parts = ranked[skip : skip + count]
    return {"parts": parts, "leaders": [part["scheduler"] for part in parts], **parts[0]}


def leaders(
    means: Means, metric: str, order: str, count: int, among: str = "all", skip: int = 0
) -> Facts:
    """Return the schedulers with the smallest or largest means of a metric, after `skip` others."""
    return _leaders(_ranked(means[metric], among, order), skip, count)


def steps(means: Means, metric: str, order: Sequence[str]) -> Facts:
    """Return the means of schedulers, and the least decrease from each to the next."""
    values = means[metric]
    parts = [{"scheduler": name, "value": values[name]} for name in order]
    return {"parts": parts, "least_fall": min(values[a] - values[b] for a, b in pairwise(order))}


def pairs(means: Means, of: Sequence[tuple[str, str, str]]) -> Facts:
    """Return the means of pairs of schedulers; `of` has metric, first and second scheduler."""
    parts = [
        {
            "first": first,
            "second": second,
            "first_mean": means[metric][first],
            "second_mean": means[metric][second],
        }
        for metric, first, second in of
    ]
    return {"parts": parts}


def below_one(means: Means, metric: str) -> Facts:
    """Return the schedulers whose mean of a metric is below 1."""
    slower = [name for name in SCHEDULERS if means[metric][name] < 1]
    return {"schedulers": slower, **some(means, metric, slower)}


def some(means: Means, metric: str, schedulers: Sequence[str]) -> Facts:
    """Return the means of a metric for some schedulers."""
    return {"parts": [{"scheduler": name, "mean": means[metric][name]} for name in schedulers]}


def differences(means: Means, first: str, second: str) -> Facts:
    """Return the least difference of two metrics' means of a co-scheduler."""
    gaps = {name: means[first][name] - means[second][name] for name in CO}
    least = min(gaps, key=gaps.__getitem__)
    return {"least": gaps[least], "scheduler": least}


def rank(means: Means, metric: str, scheduler: str, after: Sequence[str]) -> Facts:
    """Return the rank of a scheduler's mean, and the largest mean of some others."""
    values = means[metric]
    place = int(rankdata([values[name] for name in SCHEDULERS])[SCHEDULERS.index(scheduler)])
    return {"rank": place, "mean": values[scheduler], "others": max(values[name] for name in after)}


def spread(runs: Runs, metric: str, order: str, count: int) -> Facts:
    """Return the co-schedulers whose values of a metric vary least or most over the workloads."""
    deviations = dict(zip(SCHEDULERS, runs[metric].std(axis=0, ddof=1), strict=True))
    return _leaders(_ranked(deviations, "co-schedulers", order), 0, count)


def front(runs: Runs, x: str, y: str) -> Facts:
    """Return how many points of each scheduler are on the front of two metrics."""
    counts = runs.front(x, y)
    parts = [{"scheduler": name, "points": count} for name, count in counts.most_common()]
    return {"parts": parts, "schedulers": list(counts), "counts": counts, "all": counts.total()}


def front_share(runs: Runs, x: str, y: str, scheduler: str) -> Facts:
    """Return the `front` of two metrics, and the share of a scheduler."""
    facts = front(runs, x, y)
    return {**facts, "share": facts["counts"][scheduler] / facts["all"]}


def correlations(runs: Runs, first: str, second: str) -> Facts:
    """Return Pearson's and Spearman's coefficients of two metrics."""
    return dict(zip(("pearson", "spearman"), runs.correlation(first, second), strict=True))


def longer_when_shared(runs: Runs, alone: str, shared: str) -> Facts:
    """Return on how many workloads a scheduler takes longer if it shares nodes, in per cent."""
    spans = [runs["makespan"][:, SCHEDULERS.index(name)] for name in (alone, shared)]
    return {"percent": 100 * float((spans[1] > spans[0]).mean())}


def falls_over_time(example: pd.DataFrame) -> Facts:
    """Compare the mean speedup of the first and the second half of a schedule."""
    mean = speedup_bins(example)["mean"].dropna().to_numpy()
    half = len(mean) // 2
    halves = mean[:half], mean[half:]
    facts = {"early": halves[0].mean(), "late": halves[1].mean()}
    if min(len(part) // block_length(len(part)) if len(part) else 0 for part in halves) < FEWEST:
        text = f"{len(mean)} spans of time are too few to decide"
        return facts | {"fall": None, "fall_text": text}
    early, late = (
        part[_places(len(part), place, block_length(len(part)))].mean(axis=1)
        for place, part in enumerate(halves)
    )
    fall = Interval(facts["early"] - facts["late"], *interval(early - late))
    return facts | {"fall": fall, "fall_text": f"difference {fall.low:+.3f} to {fall.high:+.3f}"}


def _places(count: int, key: str | int, block: int = 1) -> np.ndarray:
    """Return `RESAMPLES` draws of `count` workloads, or of time spans in blocks."""
    return resampled_places(count, RESAMPLES, generator(PAPER, "claims", key, count), block)


def sampled(runs: Runs) -> dict[str, Sample]:
    """Return the input of statistics of means and of runs, with resamples of the workloads."""
    return {
        MEANS: Sample(runs.means(), len(runs), lambda: (one.means() for one in runs.resampled())),
        RUNS: Sample(runs, len(runs), runs.resampled),
    }


def check_claims(
    claims: Sequence[Claim],
    published: pd.DataFrame,
    ten: pd.DataFrame,
    thousand: pd.DataFrame,
    example: pd.DataFrame,
) -> pd.DataFrame:
    """Test every claim on the published tables 6.1 and 6.2, and on the runs.

    `example` is the schedule of Popularity on one workload, job by job (figure 6.4). On a model in
    place of the pool, only the published tables are tested.
    """
    runs = Runs.of(ten)
    bodies: dict[str, Mapping | None] = {"printed": {MEANS: published.astype(float).to_dict()}}
    if is_stand_in(ten):
        shown = {MEANS: runs.means(), RUNS: runs, EXAMPLE: example}
        bodies |= {"computed": {kind: StandIn(own) for kind, own in shown.items()}, "many": None}
    else:
        bodies |= {
            "computed": sampled(runs) | {EXAMPLE: example},
            "many": sampled(Runs.of(thousand)),
        }
    return check(claims, bodies, {"found": "computed"}, untested="")


@item("claims", section="Chapter 6")
def check_coscheduling_claims(
    ten: Table6Runs,
    many: Annotated[pd.DataFrame, From(lambda study, _: runs_of(study, "orderings"), read_runs)],
    example: Annotated[pd.DataFrame, From(lambda study, _: kept(study, "example"))],
    printed: Annotated[pd.DataFrame, From(resource("published.tsv"), read_table6)],
    claims: Annotated[str, From(resource("claims.tsv"), str)],
) -> Table:
    """Return the table of claims, tested on resampled workloads."""
    jobs = example[example["scheduler"] == "Popularity"]
    table = check_claims(read_claims(claims, modules[__name__]), printed, ten, many, jobs)
    return Table(table, 3, {"on": run_on(ten, many["workload"].nunique())})
