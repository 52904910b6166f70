"""Statistics of the simulated runs of souza2020 that its claims.tsv names.

Claims about makespans, waits and core-hours are compared with means over replicates. A claim is
undecided if the 95 % interval, over replicates or over runs of a learner, includes both answers.
On a synthetic background these claims are not compared with the paper; figure 5 and theorem 1 need
no background. Claims about the published tables are checked against those tables.
"""

from collections.abc import Sequence
from itertools import pairwise
from sys import modules
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import RESAMPLES, block_length, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.report.claims import (
    Facts,
    Interval,
    Outcome,
    StandIn,
    all_of,
    check_results,
    counted,
    outcomes,
    read_claims,
)
from schedlab.report.comparison import published_of
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.report.verdicts import agrees
from schedlab.studies.souza2020.evidence import by_workflow, over_instants
from schedlab.studies.souza2020.inputs import LARGE, Games, Rows, Stages, Table1
from schedlab.studies.souza2020.sheet import APART, PAPER
from schedlab.studies.souza2020.tables.accuracy import REAL, SAVED
from schedlab.studies.souza2020.tables.runs import STRATEGIES, papers_own
from schedlab.studies.souza2020.theorem import outcomes_of_games
from schedlab.waits.backtest_predictors import ASA, FALLING

# kinds of evidence: runs from `evidence.by_workflow` of every strategy, Table 2, steps of figure 5,
# games of theorem 1, and the published Tables 1 and 2
RUNS, SERIES, CURVES, GAMES = "runs", "series", "curves", "games"
PRINT, HITS = "Table 1", "Table 2"
SYSTEMS = {1: (28, 56, 112), 2: (160, 320, 640)}
#: label of each learner's rates
RATES = {ASA: "as configured", FALLING: "with falling rates"}


def excess(runs: pd.DataFrame, strategies: Sequence[str], column: str) -> Facts:
    """Return by how many per cent one strategy exceeds another, over all runs at the same instants.

    The instants differ between systems: they are paired by their numbers.
    """
    return {"excess": _excess(papers_own(runs), strategies, column, (PAPER, "claims", column))}


def excess_of(
    runs: pd.DataFrame,
    strategies: Sequence[str],
    workflow: str,
    scales: Sequence[int] = (),
    column: str = "makespan",
) -> Facts:
    """Return `excess` for one workflow: by scale; without `scales` by system."""
    parts = []
    for label, together in [(scale, (scale,)) for scale in scales] or list(SYSTEMS.items()):
        own = papers_own(runs)
        own = own[own["scale"].isin(together) & (own["workflow"] == workflow)]
        key = (PAPER, "claims", *strategies, column, workflow, *map(str, together))
        by = _excess(own, strategies, column, key)
        times = Interval(*(1 + value / 100 for value in by))
        parts.append({"label": label, "excess": by, "times": times})
    return {"parts": parts}


def _excess(
    runs: pd.DataFrame, strategies: Sequence[str], column: str, key: tuple[str, ...]
) -> Interval:
    """Return the mean excess of a strategy's sums over another's in per cent, and its interval."""
    sums = runs.groupby(["strategy", "replicate"])[column].sum().unstack("strategy").dropna()
    values, base = (sums[strategy] for strategy in strategies)
    excess = 100 * (values - base) / base.mean()
    ends = over_instants(excess.to_numpy(float), generator(*key))
    return Interval(float(excess.mean()), *ends)


def excess_of_blast(runs: pd.DataFrame) -> Facts:
    """Return how far each strategy is above the best makespan of BLAST, in the mean over scales.

    `most` is that of the strategy that is farthest above, with its interval over instants.
    """
    runs = papers_own(runs)
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
    ends = interval(resampled) if count > 1 else (-np.inf, np.inf)
    parts = [{"strategy": name, "excess": by} for name, by in zip(names, excesses, strict=True)]
    return {"parts": parts, "most": Interval(float(excesses.max()), *ends)}


def _above_best(makespans: np.ndarray) -> np.ndarray:
    """Return each strategy's mean excess over the best of a scale, in per cent, over scales."""
    best = makespans.min(axis=1, keepdims=True)
    return (100 * (makespans - best) / best).mean(axis=0)


def growth_of_waits(runs: pd.DataFrame) -> Facts:
    """Return by how much waits of Montage's Big Jobs grow from each scale to the next."""
    big_jobs = runs[(runs["workflow"] == "Montage") & (runs["strategy"] == "Big Job")]
    wide = big_jobs.pivot(index="replicate", columns="scale", values="twt")
    parts = [
        {"few": few, "many": many, "growth": _mean(wide[many] - wide[few], "cores", str(many))}
        for scales in SYSTEMS.values()
        for few, many in pairwise(scales)
    ]
    return {"parts": parts}


def growth_without_dependencies(runs: pd.DataFrame) -> Facts:
    """Return by how much ASA Naive exceeds ASA at the same instants: Montage on 112 cores."""
    montage_runs = runs.query("workflow == 'Montage' and scale == 112 and estimator == 'ASA'")
    parts = []
    for column, label, digits in (("twt", "wait (s)", 1), ("core_hours", "core-hours", 2)):
        wide = montage_runs.pivot(index="replicate", columns="strategy", values=column)
        growth = _mean(wide["ASA Naive"] - wide["ASA"], "naive", column)
        parts.append({"label": label, "digits": digits, "growth": growth})
    return {"parts": parts}


def _mean(values: pd.Series, *key: str) -> Interval:
    array = values.to_numpy(float)
    return Interval(array.mean(), *over_instants(array, generator(PAPER, "claims", *key)))


def published_row(printed: pd.DataFrame, run: str) -> Facts:
    """Return the published numbers of a run by column."""
    return printed.loc[run].astype(float).to_dict()


def published_times(printed: pd.DataFrame, workflow: str) -> Facts:
    """Return the largest published ratio of Per-Stage's to Big Job's makespan."""
    rows = printed[printed.index.str.startswith(workflow)].astype(float)
    return {"times": (rows["Per-Stage makespan"] / rows["Big Job makespan"]).max()}


def big_job_uses_most(printed: pd.DataFrame) -> Facts:
    """Count the published runs in which Big Job has more core-hours than both others."""
    core_hours = printed[["Big Job CH", "Per-Stage CH", "ASA CH"]].astype(float)
    more = core_hours["Big Job CH"] > core_hours[["Per-Stage CH", "ASA CH"]].max(axis=1)
    return {"runs": more.sum(), "all": len(more)}


def shares_of(ratios: pd.DataFrame, count: int) -> Facts:
    """Find the published hits that are no shares of so many submissions, and what all fit."""
    shares = sorted({int(value) for value in ratios["hit"]})
    odd = [str(share) for share in shares if not _is_share(share, count)]
    multiples = range(count, 1000, count)
    fits = next(each for each in multiples if all(_is_share(share, each) for share in shares))
    return {"odd": " and ".join(odd), "count_odd": len(odd), "fits": fits}


def _is_share(percent: int, count: int) -> bool:
    """Return whether some whole number of `count`, in per cent, rounds or truncates to this."""
    return any(agrees(str(percent), 100 * hits / count) for hits in range(count + 1))


def _series(table: pd.DataFrame, system: int) -> pd.DataFrame:
    apart = table[table["spacing"] == APART]
    return apart[apart["run"].str.split().str[1].astype(int).isin(SYSTEMS[system])]


def misses(table: pd.DataFrame, system: int) -> Facts:
    """Return the range of misses in the runs that submit stages on all cores ahead of time."""
    series = _series(table, system)
    return {"least": series["miss"].min(), "most": series["miss"].max()}


def fall_of_misses(table: pd.DataFrame, few: int, many: int) -> Facts:
    """Compare shares of misses on few and on many cores, in the mean over workflows.

    Conservative: the mean of the intervals' ends is at least as wide as that of the mean.
    """
    series = table[table["spacing"] == APART].dropna(subset=["miss"])
    scale = series["run"].str.split().str[1].astype(int)
    mean = series.groupby(scale)[["miss", "miss low", "miss high"]].mean()
    shares = {cores: Interval(*mean.loc[cores]) for cores in (few, many)}
    parts = [{"cores": cores, "misses": share} for cores, share in shares.items()]
    return {"parts": parts, "fall": _difference(shares[few], shares[many])}


def _difference(first: Interval, second: Interval) -> Interval:
    """Return a difference with the widest interval."""
    return Interval(first.mean - second.mean, first.low - second.high, first.high - second.low)


def saved_waits(table: pd.DataFrame, system: int) -> Facts:
    """Compare perceived waits with real ones of the same stages, run by run."""
    series = _series(table, system).dropna(subset=["PWT"])
    ends = series[[f"{SAVED} low", f"{SAVED} high"]].to_numpy().tolist()
    parts = [{"saved": Interval(np.nan, *end)} for end in ends]
    return {"parts": parts, "real": series[REAL].mean(), "perceived": series["PWT"].mean()}


def early_hits(steps: pd.DataFrame, policies: Sequence[str]) -> Facts:
    """Compare percentages of hits in the first cases after a change, in the mean over waits.

    The mean of the intervals' ends is at least as wide as the interval of the mean.
    """
    mean = 100 * steps.groupby("policy")[["early", "early low", "early high"]].mean()
    hits = [Interval(*mean.loc[name]) for name in policies]
    parts = [{"policy": name, "hits": each} for name, each in zip(policies, hits, strict=True)]
    return {"parts": parts, "lead": _difference(*hits)}


def late_hits(steps: pd.DataFrame, policy: str, most: float, after_drop: bool = False) -> Facts:
    """Return the share of learners that hit each wait in the last cases, or those after a drop.

    A policy has converged to a wait if more than the share `most` hits it.
    """
    own = steps[steps["policy"] == policy]
    own = own[own["wait"].diff() < 0] if after_drop else own
    parts = [
        {"wait": wait, "percent": 100 * late, "hits": Interval(late, low, high)}
        for wait, late, low, high in own[["wait", "late", "late low", "late high"]].to_numpy()
    ]
    return {"parts": parts, "converged": (own["late"] > most).sum(), "waits": len(own)}


def games_within_bound(games: pd.DataFrame) -> Facts:
    """Count the games in which the bound holds as often as the theorem states, for every delta.

    Both kinds of rates count: the paper only requires that rates never increase, and its proof
    uses a rate of 1.
    """
    holds = {Outcome.HOLDS: True, Outcome.FAILS: False, Outcome.UNDECIDED: None}
    parts = [
        {
            "rates": RATES[name],
            "outcomes": outcomes(own, "games"),
            "holds": all_of(holds[Outcome(word)] for word in own),
        }
        for name, own in outcomes_of_games(games).groupby("learner")
    ]
    return {"parts": parts}


@item("claims", kind="table text", section="Claims", **LARGE)
def check_workflow_claims(
    stages: Stages,
    table1: Table1,
    printed2: Annotated[pd.DataFrame, published_of("table2")],
    table2: Annotated[pd.DataFrame, From(lambda study, _: study.shown("table2.csv"), pd.read_csv)],
    steps: Annotated[
        pd.DataFrame, From(lambda study, _: study.shown("fig5_steps.csv"), pd.read_csv)
    ],
    games: Games,
    rows: Rows,
    claims: Annotated[str, From(resource("claims.tsv"), str)],
) -> tuple[Table, str]:
    """Return a row per claim, and a sentence with the counts."""
    runs = by_workflow(stages)
    kinds: dict[str, object] = {CURVES: steps, GAMES: games, PRINT: table1, HITS: printed2}
    if len(runs):
        queued = {RUNS: runs, SERIES: table2}
        is_model = rows[0]["is_model"]
        kinds |= {kind: StandIn(own) if is_model else own for kind, own in queued.items()}
    checked = check_results(read_claims(claims, modules[__name__]), kinds, {})
    return counted(checked, listed=(Outcome.FAILS, Outcome.UNDECIDED))
