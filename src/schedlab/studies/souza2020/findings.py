"""Tests of the claims of souza2020: each returns its numbers as text, and whether the claim holds.

Each test returns None if the 95 % interval over replicates includes both answers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from schedlab.core.intervals import RESAMPLES, block_length, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.report.claims import (
    Found,
    Outcome,
    all_of,
    outcomes,
    side_of,
    side_within,
)
from schedlab.report.verdicts import agrees
from schedlab.studies.souza2020.evidence import over_instants
from schedlab.studies.souza2020.rates import ASA, FALLING
from schedlab.studies.souza2020.sheet import APART, PAPER
from schedlab.studies.souza2020.tables.accuracy import REAL, SAVED
from schedlab.studies.souza2020.tables.runs import STRATEGIES, papers_own
from schedlab.studies.souza2020.theorem import outcomes_of_games

SYSTEM1, SYSTEM2 = (28, 56, 112), (160, 320, 640)
#: the paper's numbers, in per cent: ASA's makespan above Big Job's, its core-hours above
#: Per-Stage's, and its core-hours below Big Job's
MAKESPAN, OPTIMAL, LESS = 2, 0.2, 43
#: tolerance in percentage points for numbers that the paper calls "about"
ABOUT = 5
#: negligible difference in per cent of the best makespan; the factor that "twice" means
NEGLIGIBLE, TWICE = 2, 2
#: label of each learner's rates
RATES = {ASA: "as configured", FALLING: "with falling rates"}
#: a policy has converged to a wait if more than this share of the runs hit it
CONVERGED = 0.5


@dataclass(frozen=True, eq=False)
class Evidence:
    """The simulated runs that claims are tested on.

    `table` is from `tables.runs.table1`, `runs` from `by_workflow`, every strategy.
    """

    table: pd.DataFrame
    runs: pd.DataFrame

    def rows(self, workflow: str = "", scales: tuple[int, ...] = ()) -> pd.DataFrame:
        """Return the rows of Table 1 of a workflow and of some scales; all by default."""
        names = self.table["run"].str.split()
        selected = (names.str[0] == workflow) if workflow else names.str[0].notna()
        if scales:
            selected &= names.str[1].astype(int).isin(scales)
        return self.table[selected]


def over_all(
    evidence: Evidence, strategies: tuple[str, str], column: str
) -> tuple[float, float, float]:
    """Return by how many per cent one strategy exceeds another, over all runs at the same instants.

    The instants differ between systems: they are paired by their numbers. Arguments as for
    `changes`. Returns the mean, and the ends of its 95 % interval over instants.
    """
    return _excess(papers_own(evidence.runs), strategies, column, (PAPER, "claims", column))


def _excess(
    runs: pd.DataFrame, strategies: tuple[str, str], column: str, key: tuple[str, ...]
) -> tuple[float, float, float]:
    """Return the mean excess of a strategy's sums over another's in per cent, and its interval."""
    sums = runs.groupby(["strategy", "replicate"])[column].sum().unstack("strategy").dropna()
    values, base = (sums[strategy] for strategy in strategies)
    excess = 100 * (values - base) / base.mean()
    return float(excess.mean()), *over_instants(excess.to_numpy(float), generator(*key))


def makespan_near_big_job(evidence: Evidence) -> Found:
    """Compare makespans with Big Job: at most 2 % above."""
    mean, low, high = over_all(evidence, ("ASA", "Big Job"), "makespan")
    above = side_of(low, high, MAKESPAN)
    return f"{mean:+.2f}%, {low:+.2f} to {high:+.2f}", None if above is None else not above


def changes(
    evidence: Evidence,
    strategies: tuple[str, str],
    column: str,
    workflow: str,
    scales: tuple[int, ...],
) -> tuple[float, float, float]:
    """Return by how many per cent one strategy exceeds another, over runs at the same instants."""
    runs = papers_own(evidence.runs)
    runs = runs[runs["scale"].isin(scales)]
    runs = runs[runs["workflow"] == workflow] if workflow else runs
    key = (PAPER, "claims", *strategies, column, workflow, *map(str, scales))
    return _excess(runs, strategies, column, key)


def _ends(by: tuple[float, float, float]) -> str:
    mean, low, high = by
    return f"{mean:+.1f}% ({low:+.1f} to {high:+.1f})"


def core_hours_near_optimal(evidence: Evidence) -> Found:
    """Compare core-hours with Per-Stage: within 0.2 %."""
    mean, low, high = over_all(evidence, ("ASA", "Per-Stage"), "core_hours")
    text = f"{mean:+.2f}%, {low:+.2f} to {high:+.2f}"
    return text, side_within(low, high, (-OPTIMAL, OPTIMAL))


def core_hours_below_big_job(evidence: Evidence) -> Found:
    """Compare core-hours with Big Job: about 43 % less, within 5 points."""
    mean, low, high = over_all(evidence, ("ASA", "Big Job"), "core_hours")
    text = f"{mean:+.1f}%, {low:+.1f} to {high:+.1f}"
    return text, side_within(-high, -low, (LESS - ABOUT, LESS + ABOUT))


def shorter_than_per_stage(workflow: str) -> Callable[[Evidence], Found]:
    """Return the test that ASA's makespan is shorter at every scale of System 2."""

    def test(evidence: Evidence) -> Found:
        strategies = ("ASA", "Per-Stage")
        by = {
            scale: changes(evidence, strategies, "makespan", workflow, (scale,))
            for scale in SYSTEM2
        }
        text = ", ".join(f"{scale} cores {_ends(found)}" for scale, found in by.items())
        return text, all_of(side_of(-high, -low, 0) for _, low, high in by.values())

    return test


def per_stage_is_longer(workflow: str) -> Callable[[Evidence], Found]:
    """Return the test that Per-Stage takes longer than Big Job on both systems."""

    def test(evidence: Evidence) -> Found:
        strategies = ("Per-Stage", "Big Job")
        by = [
            changes(evidence, strategies, "makespan", workflow, scales)
            for scales in (SYSTEM1, SYSTEM2)
        ]
        text = ", ".join(f"System {place} {_ends(found)}" for place, found in enumerate(by, 1))
        return text, all_of(side_of(low, high, 0) for _, low, high in by)

    return test


def blast_is_alike(evidence: Evidence) -> Found:
    """Compare makespans of BLAST: no strategy is 2 % above the best in the mean over scales.

    The interval over instants of the strategy that is farthest above decides.
    """
    runs = papers_own(evidence.runs)
    blast_runs = runs[(runs["workflow"] == "BLAST") & runs["strategy"].isin(STRATEGIES)]
    keys = ["scale", "strategy"]
    wide = blast_runs.pivot(index="replicate", columns=keys, values="makespan").dropna()
    names, scales = list(dict.fromkeys(blast_runs["strategy"])), blast_runs["scale"].unique()
    places = pd.MultiIndex.from_product([scales, names])
    values = wide[places].to_numpy(float).reshape(len(wide), len(scales), len(names))
    count = len(wide)
    stream = generator(PAPER, "claims", "blast")
    resampled_runs = resampled_places(count, RESAMPLES, stream, block_length(count))
    excesses = _above_best(values.mean(axis=0))
    means = (values[place].mean(axis=0) for place in resampled_runs)
    resampled = np.array([_above_best(mean).max() for mean in means])
    low, high = interval(resampled) if count > 1 else (-np.inf, np.inf)
    above = side_of(low, high, NEGLIGIBLE)
    text = ", ".join(f"{name} {by:+.2f}%" for name, by in zip(names, excesses, strict=True))
    return f"{text}; the most {low:+.2f} to {high:+.2f}", None if above is None else not above


def _above_best(makespans: np.ndarray) -> np.ndarray:
    """Return each strategy's mean excess over the best of a scale, in per cent, over scales."""
    best = makespans.min(axis=1, keepdims=True)
    return (100 * (makespans - best) / best).mean(axis=0)


def waits_grow_with_cores(evidence: Evidence) -> Found:
    """Compare the waits of Montage's Big Jobs at the same instants, from each scale to the next."""
    runs = evidence.runs
    big_jobs = runs[(runs["workflow"] == "Montage") & (runs["strategy"] == "Big Job")]
    wide = big_jobs.pivot(index="replicate", columns="scale", values="twt")
    parts, grows = [], []
    for scales in (SYSTEM1, SYSTEM2):
        for few, many in pairwise(scales):
            more = (wide[many] - wide[few]).to_numpy(float)
            low, high = over_instants(more, generator(PAPER, "claims", "cores", str(many)))
            parts.append(
                f"{few} to {many} cores {more.mean():+,.0f} s ({low:+,.0f} to {high:+,.0f})"
            )
            grows.append(side_of(low, high, 0))
    return ", ".join(parts), all_of(grows)


def sometimes_twice(evidence: Evidence) -> Found:
    """Compare Statistics on 320 and 640 cores under Per-Stage and Big Job."""
    strategies = ("Per-Stage", "Big Job")
    by = [changes(evidence, strategies, "makespan", "Statistics", (scale,)) for scale in (320, 640)]
    times = [[1 + value / 100 for value in found] for found in by]
    text = ", ".join(
        f"{scale} cores {mean:.2f} times ({low:.2f} to {high:.2f})"
        for scale, (mean, low, high) in zip((320, 640), times, strict=True)
    )
    sides = [side_of(low, high, TWICE) for _, low, high in times]
    # one scale that takes twice as long is enough
    return text, True if True in sides else None if None in sides else False


def naive_idles(evidence: Evidence) -> Found:
    """Compare Montage on 112 cores under ASA and ASA Naive at the same instants."""
    montage_runs = evidence.runs.query("workflow == 'Montage' and scale == 112")
    montage_runs = montage_runs[montage_runs["estimator"] == "ASA"]
    more, parts = [], []
    for column, label, digits in (("twt", "wait (s)", 1), ("core_hours", "core-hours", 2)):
        wide = montage_runs.pivot(index="replicate", columns="strategy", values=column)
        change = (wide["ASA Naive"] - wide["ASA"]).to_numpy(float)
        low, high = over_instants(change, generator(PAPER, "claims", "naive", column))
        more.append(side_of(low, high, 0))
        ends = f"{low:+,.{digits}f} to {high:+,.{digits}f}"
        parts.append(f"{label} {change.mean():+,.{digits}f}, {ends}")
    return "; ".join(parts), all_of(more)


def asa_below_big_job(printed: pd.DataFrame) -> Found:
    """Compare the published makespans of Montage on 56 cores: ASA and Big Job."""
    row = printed.loc["Montage 56"].astype(float)
    text = f"ASA {row['ASA makespan']:.0f} s, Big Job {row['Big Job makespan']:.0f} s"
    return text, bool(row["ASA makespan"] < row["Big Job makespan"])


def twice_in_print(printed: pd.DataFrame) -> Found:
    """Find the largest published ratio of Per-Stage's to Big Job's makespan for Statistics."""
    statistics = printed[printed.index.str.startswith("Statistics")].astype(float)
    times = statistics["Per-Stage makespan"] / statistics["Big Job makespan"]
    return f"at most {times.max():.2f} times", bool(times.max() >= TWICE)


def big_job_uses_most(printed: pd.DataFrame) -> Found:
    """Count the published runs in which Big Job has more core-hours than both others."""
    core_hours = printed[["Big Job CH", "Per-Stage CH", "ASA CH"]].astype(float)
    more = core_hours["Big Job CH"] > core_hours[["Per-Stage CH", "ASA CH"]].max(axis=1)
    return f"in {more.sum()} of {len(more)} runs", bool(more.all())


def fewer_core_hours_iff(printed: pd.DataFrame) -> Found:
    """Test section 2.2's condition: fewer core-hours if and only if the sum of cores is below n.

    Montage has two stages on n cores: their sum alone exceeds n, but it uses fewer core-hours.
    """
    row = printed.loc["Montage 640"].astype(float)
    fewer = row["Per-Stage CH"] < row["Big Job CH"]
    text = (
        "Montage on 640 cores: a sum of cores of 1,282, "
        f"{row['Per-Stage CH']:.0f} and not {row['Big Job CH']:.0f} core-hours"
    )
    return text, not fewer


def shares_of_sixty(ratios: pd.DataFrame) -> Found:
    """Check whether the published hits are shares of 60 submissions, or of a multiple of 60."""
    shares = sorted({int(value) for value in ratios["hit"]})
    odd = [share for share in shares if not _is_share(share, 60)]
    fits = next(
        count for count in range(60, 1000, 60) if all(_is_share(one, count) for one in shares)
    )
    text = f"{' and '.join(map(str, odd))}% are no shares of 60; all are shares of {fits}"
    return text, not odd


def _is_share(percent: int, count: int) -> bool:
    """Return whether some whole number of `count`, in per cent, rounds or truncates to this."""
    return any(agrees(str(percent), 100 * hits / count) for hits in range(count + 1))


def _series(table: pd.DataFrame, scales: tuple[int, ...]) -> pd.DataFrame:
    apart = table[table["spacing"] == APART]
    return apart[apart["run"].str.split().str[1].astype(int).isin(scales)]


def no_misses(table: pd.DataFrame) -> Found:
    """Count misses on System 2 in the runs that submit stages on all cores ahead of time."""
    series = _series(table, SYSTEM2)
    least, most = series["miss"].min(), series["miss"].max()
    return f"misses {least:.1f} to {most:.1f}%", most == 0


def misses_fall(table: pd.DataFrame) -> Found:
    """Compare shares of misses on 28 and 112 cores of System 1, in the mean over workflows.

    Conservative: the mean of the intervals' ends is at least as wide as that of the mean.
    """
    series = table[table["spacing"] == APART].dropna(subset=["miss"])
    scale = series["run"].str.split().str[1].astype(int)
    mean = series.groupby(scale)[["miss", "miss low", "miss high"]].mean()
    few, many = mean.loc[28], mean.loc[112]
    text = ", ".join(
        f"{cores} cores {one['miss']:.1f}% ({one['miss low']:.1f} to {one['miss high']:.1f})"
        for cores, one in ((28, few), (112, many))
    )
    ends = few["miss low"] - many["miss high"], few["miss high"] - many["miss low"]
    return text, side_of(*ends, 0)


def perceived_is_less(table: pd.DataFrame) -> Found:
    """Compare perceived waits with real ones of the same stages on System 2, run by run."""
    series = _series(table, SYSTEM2).dropna(subset=["PWT"])
    text = f"real {series[REAL].mean():.2f} h, perceived {series['PWT'].mean():.2f} h"
    ends = zip(series[f"{SAVED} low"], series[f"{SAVED} high"], strict=True)
    return text, all_of(side_of(low, high, 0) for low, high in ends)


def _shares(rows: pd.DataFrame, column: str) -> list[bool | None]:
    """Return for each share of runs whether it lies above `CONVERGED`, or None if undecided."""
    ends = zip(rows[f"{column} low"], rows[f"{column} high"], strict=True)
    return [side_of(low, high, CONVERGED) for low, high in ends]


def tuned_is_faster(steps: pd.DataFrame) -> Found:
    """Compare shares of hits in the first cases after a change, in the mean over waits.

    The mean of the intervals' ends is at least as wide as the interval of the mean.
    """
    names = ["early", "early low", "early high"]
    mean = steps.groupby("policy")[names].mean()
    tuned, default = mean.loc["tuned"], mean.loc["default"]
    text = ", ".join(
        f"{name} {100 * one['early']:.0f}% ({100 * one['early low']:.0f} to "
        f"{100 * one['early high']:.0f})"
        for name, one in (("tuned", tuned), ("default", default))
    )
    ends = tuned["early low"] - default["early high"], tuned["early high"] - default["early low"]
    return text, side_of(*ends, 0)


def tuned_converges(steps: pd.DataFrame) -> Found:
    """Count the waits that more than half of the tuned learners hit in the last cases."""
    tuned_steps = steps[steps["policy"] == "tuned"]
    text = f"{(tuned_steps['late'] > CONVERGED).sum()} of {len(tuned_steps)} waits"
    return text, all_of(_shares(tuned_steps, "late"))


def greedy_fails(steps: pd.DataFrame) -> Found:
    """Check whether the greedy policy hits the waits after a drop, in the last cases."""
    greedy_steps = steps[steps["policy"] == "Greedy"]
    dropped = greedy_steps[greedy_steps["wait"].diff() < 0]
    text = ", ".join(f"{row.wait} s {100 * row.late:.0f}%" for row in dropped.itertuples())
    hits = _shares(dropped, "late")
    return f"hits after a drop to {text}", all_of(None if hit is None else not hit for hit in hits)


def bound_holds(games: pd.DataFrame) -> Found:
    """Count the games in which the bound holds as often as the theorem states, for every delta.

    Both kinds of rates count: the paper only requires that rates never increase, and its proof
    uses a rate of 1.
    """
    results = outcomes_of_games(games)
    text = "; ".join(
        f"{RATES[name]}, {outcomes(own, 'games')}" for name, own in results.groupby("learner")
    )
    if (results == Outcome.FAILS).any():
        return text, False
    return text, True if (results == Outcome.HOLDS).all() else None
