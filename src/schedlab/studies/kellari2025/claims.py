"""Test the statements of chapter 6 of kellari2025 on published and computed results.

A claim about means is also tested on the thesis's own tables, because some do not follow from them.
The published tables decide alone. Computed runs decide by resamples of their workloads, on which
all schedulers ran (`schedlab.report.claims.decide`). A single schedule decides by resamples of its
time spans, in blocks of neighbors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from schedlab.core.intervals import block_length, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.cosched.timelines import speedup_bins
from schedlab.report import claims
from schedlab.report.claims import FEWEST, RESAMPLES, Claim, Found, Sample, side_of
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.kellari2025.published import is_stand_in
from schedlab.studies.kellari2025.sheet import PAPER
from schedlab.studies.kellari2025.tables.chapter6 import (
    COMPACT,
    METRICS,
    SCHEDULERS,
    on_front,
)

CO = [name for name in SCHEDULERS if name not in COMPACT]
FILLERS = ["SJF-Filler", "Filler", "Pop-Filler"]
SHORTEST = ["SJF", "SJF-Co", "SJF-Filler"]
LONGEST = ["LJF-Co", "LAF-Co", "LJF"]
AROUND = 23.0  # percent of slowed jobs, "around 23 %"; within a quarter of it counts as around
NEGLIGIBLE, STRONG = 0.1, 0.6

#: means by metric and scheduler
Means = Mapping[str, Mapping[str, float]]

# The input of a test: means by metric and scheduler, runs, or one schedule.
MEANS, RUNS, EXAMPLE = "", "runs", "example"


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


def _join_values(values: Mapping[str, float], names: list[str], decimals: int) -> str:
    return ", ".join(f"{name} {values[name]:.{decimals}f}" for name in names)


def _rank(values: Mapping[str, float], names: list[str], largest: bool) -> list[str]:
    return sorted(names, key=values.__getitem__, reverse=largest)


def _extreme(metric: str, order: list[str], rivals: list[str], largest: bool) -> Callable:
    """Return the test that the schedulers in `order` lead `rivals`, in this order."""

    def test(table: Means) -> Found:
        values = table[metric]
        head = _rank(values, rivals, largest)[: len(order)]
        return _join_values(values, head, METRICS[metric].decimals), head == order

    return test


def _lead(
    metric: str, group: list[str], rivals: list[str], largest: bool, after: int = 0
) -> Callable:
    """Return the test that `group`, in any order, comes next in `rivals` after `after` others."""

    def test(table: Means) -> Found:
        values = table[metric]
        head = _rank(values, rivals, largest)[after : after + len(group)]
        return _join_values(values, head, METRICS[metric].decimals), set(head) == set(group)

    return test


def _chain(metric: str, order: list[str]) -> Callable:
    """Return the test that the values of the schedulers in `order` decrease strictly."""

    def test(table: Means) -> Found:
        values = table[metric]
        falls = all(values[one] > values[other] for one, other in pairwise(order))
        return _join_values(values, order, METRICS[metric].decimals), falls

    return test


def _below_one(names: list[str]) -> Callable:
    def test(table: Means) -> Found:
        values = table["makespan_speedup"]
        slower = [name for name in SCHEDULERS if values[name] < 1]
        return _join_values(values, slower, 3), set(slower) == set(names)

    return test


def _all_of(*tests: Callable) -> Callable:
    def test(table: Means) -> Found:
        results = [each(table) for each in tests]
        return "; ".join(words for words, _ in results), all(holds for _, holds in results)

    return test


def _around(table: Means) -> Found:
    names = [name for name in CO if name not in ("Filler", "Popularity")]
    values = table["slowed"]
    holds = all(abs(values[name] - AROUND) <= AROUND / 4 for name in names)
    return _join_values(values, names, 2), holds


def _sjf_co_slowed(table: Means) -> Found:
    value = table["slowed"]["SJF-Co"]
    return f"{value:.2f} %", abs(value - 18) <= 1


def _weighted_smaller(table: Means) -> Found:
    gaps = {name: table["job_speedup"][name] - table["weighted_speedup"][name] for name in CO}
    least = min(gaps, key=gaps.__getitem__)
    return f"least difference {gaps[least]:.3f} ({least})", bool(gaps[least] > 0)


def _middle(table: Means) -> Found:
    values = table["slowdown"]
    rank = int(rankdata([values[name] for name in SCHEDULERS])[SCHEDULERS.index("Filler")])
    shortest = max(values[name] for name in SHORTEST) < values["Filler"]
    return f"rank {rank} of 13, {values['Filler']:.1f}", bool(shortest and rank == 4)


def _spread_of(names: list[str], largest: bool, count: int) -> Callable:
    """Return the test that the job speedups of `names` vary most, or least, over the workloads."""

    def test(runs: Runs) -> Found:
        spread = dict(zip(SCHEDULERS, runs["job_speedup"].std(axis=0, ddof=1), strict=True))
        head = _rank(spread, CO, largest)[:count]
        return _join_values(spread, head, 4), set(names) <= set(head)

    return test


def _front_is(x: str, y: str, test: Callable[[Counter[str]], bool]) -> Callable:
    def of_runs(runs: Runs) -> Found:
        counts = runs.front(x, y)
        text = ", ".join(f"{name} {count}" for name, count in counts.most_common())
        return f"points on the front: {text}", bool(test(counts))

    return of_runs


def _correlate(first: str, second: str, test: Callable[[float], bool]) -> Callable:
    def of_runs(runs: Runs) -> Found:
        pearson, spearman = runs.correlation(first, second)
        return f"Pearson {pearson:.2f}, Spearman {spearman:.2f}", test(pearson) and test(spearman)

    return of_runs


def _longer_when_shared(runs: Runs) -> Found:
    alone, shared = (runs["makespan"][:, SCHEDULERS.index(name)] for name in ("SJF", "SJF-Co"))
    share = 100 * float((shared > alone).mean())
    return f"on {share:.0f} % of the workloads", share > 50


def _falls_over_time(example: pd.DataFrame) -> Found:
    mean = speedup_bins(example)["mean"].dropna().to_numpy()
    half = len(mean) // 2
    halves = mean[:half], mean[half:]
    text = "mean of the first half of the time {:.3f}, of the second {:.3f}, on one workload"
    text = text.format(*(part.mean() for part in halves))
    if min(len(part) // block_length(len(part)) if len(part) else 0 for part in halves) < FEWEST:
        return f"{text}; {len(mean)} spans of time are too few to decide", None
    early, late = (
        part[_places(len(part), place, block_length(len(part)))].mean(axis=1)
        for place, part in enumerate(halves)
    )
    low, high = interval(early - late)
    return f"{text}; difference {low:+.3f} to {high:+.3f}", side_of(low, high, 0)


def _places(count: int, key: str | int, block: int = 1) -> np.ndarray:
    """Return `RESAMPLES` draws of `count` workloads, or of time spans in blocks."""
    return resampled_places(count, RESAMPLES, generator(PAPER, "claims", key, count), block)


CLAIMS = [
    Claim("SJF has the smallest mean slowdown, followed by SJF-Co", "6.1",
          _extreme("slowdown", ["SJF", "SJF-Co"], SCHEDULERS, False)),
    Claim("about 18 % of the jobs are slowed down under SJF-Co", "6.1", _sjf_co_slowed),
    Claim("utilization and makespan speedup of SJF-Co are lower than of SJF", "6.1",
          _all_of(_chain("utilisation", ["SJF", "SJF-Co"]),
                  _chain("makespan_speedup", ["SJF", "SJF-Co"]))),
    Claim("SJF-Filler reaches the highest makespan speedup", "6.1",
          _extreme("makespan_speedup", ["SJF-Filler"], SCHEDULERS, True)),
    Claim("Pop-Filler achieves the highest utilization", "6.1",
          _extreme("utilisation", ["Pop-Filler"], SCHEDULERS, True)),
    Claim("Popularity has the lowest percentage of slowed jobs of the co-schedulers", "6.1",
          _extreme("slowed", ["Popularity"], CO, False)),
    Claim("EASY-Co achieves the highest mean job speedup", "6.1",
          _extreme("job_speedup", ["EASY-Co"], SCHEDULERS, True)),
    Claim("co-scheduling decreases the utilization of EASY a little", "6.1",
          _chain("utilisation", ["EASY", "EASY-Co"])),
    Claim("utilization falls from EASY over Conservative to FCFS", "6.1",
          _chain("utilisation", ["EASY", "Conservative", "FCFS"])),
    Claim("mean slowdown rises from EASY over Conservative to FCFS", "6.1",
          _chain("slowdown", ["FCFS", "Conservative", "EASY"])),
    Claim("LJF-Co, LAF-Co and LJF have the highest mean slowdown", "6.1",
          _lead("slowdown", LONGEST, SCHEDULERS, True)),
    Claim("the highest makespan speedups are SJF-Filler's, then those of the other two Fillers",
          "6.2.1", _all_of(_extreme("makespan_speedup", ["SJF-Filler"], SCHEDULERS, True),
                           _lead("makespan_speedup", FILLERS, SCHEDULERS, True))),
    Claim("LJF-Co and LAF-Co have high makespan speedups as well: next after the Fillers", "6.2.1",
          _lead("makespan_speedup", ["LJF-Co", "LAF-Co"], SCHEDULERS, True, after=3)),
    Claim("the schedulers with a mean makespan speedup below 1 are SJF-Co, Popularity and FCFS",
          "6.2.1", _below_one(["SJF-Co", "Popularity", "FCFS"])),
    Claim("the schedulers with a mean makespan speedup below 1 are SJF-Co and FCFS",
          "6.2.1 of the Greek summary", _below_one(["SJF-Co", "FCFS"])),
    Claim("the three SJF implementations have lower mean slowdowns than all others", "6.2.2",
          _lead("slowdown", SHORTEST, SCHEDULERS, False)),
    Claim("Filler is between them and the rest", "6.2.2", _middle),
    Claim("EASY-Co's mean job speedup has a small variance: the smallest two of co-schedulers",
          "6.2.3", _spread_of(["EASY-Co"], False, 2), RUNS),
    Claim("mean job speedup varies most for SJF-Filler and Pop-Filler", "6.2.3",
          _spread_of(["SJF-Filler", "Pop-Filler"], True, 2), RUNS),
    Claim("Popularity has the lowest mean job speedup of the co-schedulers", "6.2.3",
          _extreme("job_speedup", ["Popularity"], CO, False)),
    Claim("weighted mean job speedups are smaller than unweighted ones", "6.2.4",
          _weighted_smaller),
    Claim("the percentage of slowed jobs is around 23 % except for Filler and Popularity", "6.2.6",
          _around),
    Claim("the three Fillers have the highest utilization", "6.2.7",
          _lead("utilisation", FILLERS, SCHEDULERS, True)),
    Claim("LJF, LJF-Co and LAF-Co follow in utilization", "6.2.7",
          _lead("utilisation", LONGEST, SCHEDULERS, True, after=3)),
    Claim("utilization of SJF-Co and EASY-Co is worse than of SJF and EASY", "6.2.7",
          _all_of(_chain("utilisation", ["SJF", "SJF-Co"]),
                  _chain("utilisation", ["EASY", "EASY-Co"]))),
    Claim("SJF-Co takes longer than SJF (figures 6.9 and 6.10): on most workloads", "6.2.7",
          _longer_when_shared, RUNS),
    Claim("SJF-Filler dominates the front of mean slowdown and makespan speedup", "6.3",
          _front_is("slowdown", "makespan_speedup",
                    lambda counts: counts["SJF-Filler"] > counts.total() / 2), RUNS),
    Claim("SJF-Filler, Pop-Filler and Popularity are on the front of slowed jobs and makespan "
          "speedup", "6.3",
          _front_is("slowed", "makespan_speedup",
                    lambda counts: {"SJF-Filler", "Pop-Filler", "Popularity"} <= set(counts)),
          RUNS),
    Claim("the front of mean slowdown and slowed jobs is one point of SJF", "6.3",
          _front_is("slowdown", "slowed",
                    lambda counts: counts == {"SJF": 1}), RUNS),
    Claim("makespan speedup and utilization are strongly correlated", "6.4",
          _correlate("makespan_speedup", "utilisation", lambda value: value >= STRONG), RUNS),
    Claim("makespan speedup and mean slowdown are nearly uncorrelated", "6.4",
          _correlate("makespan_speedup", "slowdown", lambda value: abs(value) <= NEGLIGIBLE),
          RUNS),
    Claim("mean job speedup and the percentage of slowed jobs are strongly correlated", "6.4",
          _correlate("job_speedup", "slowed", lambda value: value >= STRONG), RUNS),
    Claim("utilization is not strongly influenced by mean job speedup", "6.4",
          _correlate("utilisation", "job_speedup", lambda value: abs(value) < STRONG), RUNS),
    Claim("under Popularity the mean speedup starts from high values and falls as the unfriendly "
          "jobs stay behind", "6.2.3, figure 6.4", _falls_over_time, EXAMPLE),
]  # fmt: skip


def sampled(runs: Runs) -> dict[str, Sample]:
    """Return the input of tests of means and of runs, with resamples of the workloads."""
    return {
        MEANS: Sample(runs.means(), len(runs), lambda: (one.means() for one in runs.resampled())),
        RUNS: Sample(runs, len(runs), runs.resampled),
    }


def check(
    published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame, example: pd.DataFrame
) -> pd.DataFrame:
    """Test every claim on the published tables 6.1 and 6.2, and on the runs.

    `published` is from `published.read_table6`. `ten` and `thousand` are runs with speedups: of the
    thesis's experiment, and of many more workloads. `example` is the schedule of Popularity on one
    workload, job by job (figure 6.4).

    Columns: claim, where, printed (whether it follows from the published tables), computed, many,
    found (numbers over the ten). computed and many are the results on the ten and on more
    workloads: ``holds``, ``fails`` or ``undecided``; empty if it cannot be tested. On a model in
    place of the pool, only printed is tested.
    """
    runs = Runs.of(ten)
    if is_stand_in(ten):
        evidence = {
            "printed": {MEANS: published.astype(float).to_dict()},
            "computed": {MEANS: runs.means(), RUNS: runs, EXAMPLE: example},
        }
        table = claims.check(CLAIMS, evidence, "computed", untested="")
        table.insert(table.columns.get_loc("found"), "many", NOT_AVAILABLE)
        return table.assign(computed=NOT_AVAILABLE)
    evidence = {
        "printed": {MEANS: published.astype(float).to_dict()},
        "computed": sampled(runs) | {EXAMPLE: example},
        "many": sampled(Runs.of(thousand)),
    }
    return claims.check(CLAIMS, evidence, "computed", untested="")
